package solve

// The joints of a component (jointtree.go) are solved directly: their rows are one system of linear equations,
//
//	(J W J' + E) d = -(J v + bias) - E x
//
// for the changes d of their impulses x, with the rows' Jacobian J, the inverse masses W, the velocities v of the
// bodies, and the softness E of the rows (Baraff, "Linear-Time Dynamics using Lagrange Multipliers", SIGGRAPH 1996). It
// is factored once in a sub-step, from the leaves of the tree to its root: each body takes the matrices of the joints
// below it into its own mass, so the factor of a tree has no more blocks than the tree. A solve goes to the root with
// impulses, and back with velocities. The rows of joints that close loops are a small dense system on top: each column
// is one solve of the tree.
//
// Rows are those that hold: rigid rows, limits that push, and motors below their maximum force. A limit that would
// pull is released, one that is violated is added, a motor that reaches its maximum force ends there; then the
// component is solved again. Springs, and motors at their maximum force, are solved one after the other, as in other
// joints.

// treePass is a pass over the components.
type treePass struct {
	springs bool    // it corrects errors of position
	cluster bool    // it is of a cluster: without motors, which give no impulse in an instant
	holds   bool    // limits hold as after the solve before
	invH    float32 // inverse of the time in which a limit may be reached, 1 a second
}

// solveTrees solves the joints of the components. They share no body that moves, so several workers may solve them at
// once.
func (s *worker) solveTrees(p treePass) {
	if len(s.components) > 0 {
		p.invH = 1 / s.h
		s.treePass = p
		s.each(len(s.components), 1, (*worker).solveComponents)
	}
}

func (s *worker) solveComponents(helper *worker, from, to int) {
	for i := from; i < to; i++ {
		s.solveComponent(&s.components[i], helper.loopImpulses[:], s.treePass)
	}
}

// solveComponent solves the joints of c, and reports whether other limits hold than as it began. impulses is memory for
// the impulses of loops.
func (s *worker) solveComponent(c *component, impulses []float64, p treePass) (changed bool) {
	for k := c.first; k < c.end && c.axes && !p.holds; k++ {
		o := &s.direct[k]
		j := &s.joints[o.joint]
		if x := j.axes; x != nil {
			j.release(x, &s.bodies[j.a], &s.bodies[j.b])
			x.linear.holds, x.angular.holds = x.linear.held(!p.cluster), x.angular.held(!p.cluster)
			c.factored = !o.set(j) && c.factored
		}
	}
	for round := 1; ; round++ {
		s.prepareDirect(c, p)
		s.solveTree(c)
		if c.rows > 0 {
			s.solveLoops(c, impulses)
		}
		s.addImpulses(c)
		if !c.axes || round == directRounds || !s.rehold(c, p) {
			return changed
		}
		changed = true
	}
}

// rehold lets the limits of c hold that are violated, and releases those that pull and motors beyond their largest
// force. It reports whether it did. Which limits are violated is decided before a release changes velocities.
func (s *worker) rehold(c *component, p treePass) (changed bool) {
	for k := c.first; k < c.end; k++ {
		j := &s.joints[s.direct[k].joint]
		if x := j.axes; x != nil {
			changed = j.holdLimits(x, &s.bodies[j.a], &s.bodies[j.b], p.springs, p.invH) || changed
		}
	}
	for k := c.first; k < c.end; k++ {
		o := &s.direct[k]
		j := &s.joints[o.joint]
		if x := j.axes; x != nil && (x.linear.holds > rowHeld || x.angular.holds > rowHeld) {
			changed = j.release(x, &s.bodies[j.a], &s.bodies[j.b]) || changed
			c.factored = !o.set(j) && c.factored
		}
	}
	return changed
}

// prepareDirect factors the matrix of c if it has changed: as a sub-step begins, when a row begins or ceases to hold,
// and, with soft joints, between passes with springs and without. Then it sets the wanted velocities of the rows.
func (s *worker) prepareDirect(c *component, p treePass) {
	if !c.factored || c.soft && c.springs != p.springs {
		c.springs, c.factored = p.springs, true
		s.factorTree(c, p.springs)
	}
	for k := c.first; k < c.end; k++ {
		o := &s.direct[k]
		wanted := &o.wanted
		if k < c.loops {
			wanted = &s.nodes[c.nodeOf(k)].wanted
		}
		j := &s.joints[o.joint]
		o.want(wanted, j, &s.bodies[j.a], &s.bodies[j.b], p.springs, p.invH)
	}
}

// addImpulses adds the impulses of the last solve of c to its joints, and applies them to the bodies.
func (s *worker) addImpulses(c *component) {
	for k := c.first; k < c.end; k++ {
		o := &s.direct[k]
		changes := &o.change
		if k < c.loops {
			changes = &s.nodes[c.nodeOf(k)].x
		}
		j := &s.joints[o.joint]
		o.apply(changes, j, &s.bodies[j.a], &s.bodies[j.b])
	}
}
