package solve

import "math"

// stiffenTrees sets the moments of inertia of the components' bodies for a sub-step. A force f at an arm r turns its
// body as a spring of the stiffness r.f does. The rows have their directions of the start of the sub-step, which cannot
// follow where that spring is fast: light bodies under a heavy load. There the stiffness acts on the change of the
// spin, as a moment of inertia (Tournier and others, "Stable Constrained Dynamics", SIGGRAPH 2015), beyond stiffenEdge,
// the square of the turn in a sub-step of a spring of movingHertz: so much follows a contact, too. With first, the
// step begins: the rows have no arms yet, so the arms come from the joint's definition.
func (s *worker) stiffenTrees(first bool) {
	const stiffenEdge = (2 * math.Pi * movingHertz) * (2 * math.Pi * movingHertz)
	for i := range s.direct {
		s.pullOn(&s.direct[i], first)
	}
	for i := range s.nodes {
		n := &s.nodes[i]
		extra := float64(float64(s.h)*n.pull) - float64(stiffenEdge*n.ownInertia)
		if n.pull = 0; extra > 0 {
			n.inertia = n.ownInertia + extra
			n.invInertia = float32(1 / n.inertia)
			s.Motions[s.motionOf[n.body]].summedSpin = false
		} else if n.inertia != n.ownInertia {
			n.setInertia(s.rareBodies[n.body].invI)
		}
	}
	for i := range s.direct {
		o := &s.direct[i]
		j := &s.joints[o.joint]
		if o.a >= 0 {
			j.inertiaA = s.nodes[o.a].invInertia
		}
		if o.b >= 0 {
			j.inertiaB = s.nodes[o.b].invInertia
		}
	}
}

// setInertia gives n its own moment of inertia, whose inverse is inv.
func (n *treeNode) setInertia(inv float32) {
	n.inertia, n.invInertia = inverseOr(inv), inv
}

// beginTrees begins a step of the components.
func (s *worker) beginTrees() {
	for i := range s.nodes {
		n := &s.nodes[i]
		n.setInertia(s.rareBodies[n.body].invI)
		n.ownMass, n.ownInertia = inverseOr(s.bodies[n.body].invMass), n.inertia
	}
	for i := range s.components {
		c := &s.components[i]
		c.soft, c.axes = false, false
		for k := c.first; k < c.end; k++ {
			o := &s.direct[k]
			j := &s.joints[o.joint]
			c.soft, c.axes = c.soft || !j.usual, c.axes || j.axes != nil
			o.n = -1
			o.set(j)
		}
	}
}

// pullOn adds the products of the impulses of o and its arms to the pull of its bodies.
func (s *worker) pullOn(o *directJoint, first bool) {
	j, at := &s.joints[o.joint], &s.jointStarts[o.joint]
	if j.shape == Turns {
		return
	}
	rAX, rAY, rBX, rBY := at.ArmAX, at.ArmAY, at.ArmBX, at.ArmBY
	x, y := j.U, j.V
	if j.shape != Point2 {
		l := j.Linear.sum()
		x, y = float32(at.LineX*l)-float32(at.LineY*j.U), float32(at.LineY*l)+float32(at.LineX*j.U)
	} else if !first {
		rAX, rAY, rBX, rBY = j.rAX, j.rAY, j.rBX, j.rBY
	}
	if o.a >= 0 {
		s.nodes[o.a].pull -= float64(rAX*x) + float64(rAY*y)
	}
	if o.b >= 0 {
		s.nodes[o.b].pull += float64(rBX*x) + float64(rBY*y)
	}
}
