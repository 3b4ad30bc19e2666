package solve

import "math"

// Joints of a component (jointtree.go) are solved directly: their rows are one system of linear equations,
//
//	(J W J' + E) d = -(J v + bias) - E x
//
// for the changes d of their impulses x, with the rows' Jacobian J, the inverse masses W, the velocities v of the bodies, and
// the softness E of the rows (Baraff, "Linear-Time Dynamics using Lagrange Multipliers", SIGGRAPH 1996). It is factored once
// in a sub-step, from the leaves of the tree to its root: each body takes the matrices of the joints below it into its own
// mass, so the factor of a tree has no more blocks than the tree. A solve goes to the root with impulses, and back with
// velocities. The rows of joints that close loops are a small dense system on top: each column is one solve of the tree.
//
// Rows are those that hold: rigid rows, limits that push, and motors below their greatest force. A limit that would pull is
// released, one that is violated is added, a motor that reaches its greatest force ends there; then the component is solved
// again. Springs, and motors at their greatest force, are solved one after the other, as in other joints.

// Softness of rows relative to their inverse masses alone. Rows of a tree are independent, so theirs only keeps the matrix
// regular. Rows of a loop contradict each other by rounding, and where its bodies are in line they are not independent.
const (
	treeSoftness = 1e-8
	loopSoftness = 1e-4
)

// directRounds is the greatest number of solves in which limits and motors begin and cease to hold.
const directRounds = 4

// limitSlop is the least velocity into a limit, in units of length or radians a second, by which it begins to hold.
const limitSlop = 1e-3

// rowKind tells which row of a joint a directRow is.
type rowKind uint8

const (
	rowU rowKind = iota
	rowV
	rowLine // of the linear axis
	rowTurn // of the angular axis
)

// rowHolds tells why a row of an axis holds.
type rowHolds uint8

const (
	rowFree rowHolds = iota
	rowHeld
	rowLower
	rowUpper
	rowMotor
)

// directRow is a row of a joint: B's velocity along (x, y), and about its centre by the arm, less that of A.
type directRow struct {
	kind       rowKind
	holds      rowHolds
	x, y       float64
	armA, armB float64
	bias       float64 // velocity that the row is to have, with the other sign
	soft       float64 // softness
	missing    float64 // velocity that the row is to get
	change     float64 // of its impulse
}

// directRows are the rows of a joint that hold.
type directRows struct {
	n    int
	rows [3]directRow
}

// held returns why the row of x holds as a pass begins.
func (x *axis) held() rowHolds {
	switch {
	case x.Flags&Held != 0:
		return rowHeld
	case x.rigid.Lower > 0:
		return rowLower
	case x.rigid.Upper < 0:
		return rowUpper
	case x.Flags&Driven != 0 && max(x.drive.Motor, -x.drive.Motor) < x.MaxDrive:
		return rowMotor
	}
	return rowFree
}

// set sets which rows of j hold, and reports whether these are others than before.
func (r *directRows) set(j *joint) (changed bool) {
	n := 0
	add := func(kind rowKind, holds rowHolds) {
		if n == len(r.rows) {
			return
		}
		if n >= r.n || r.rows[n].kind != kind || r.rows[n].holds != holds {
			r.rows[n].kind, r.rows[n].holds, changed = kind, holds, true
		}
		n++
	}
	if j.flags&Rigid != 0 {
		add(rowU, rowHeld)
	}
	if j.flags&Rigid != 0 && j.shape == Point2 || j.flags&RigidAngle != 0 {
		add(rowV, rowHeld)
	}
	if x := j.axes; x != nil {
		if j.line {
			if h := x.linear.holds; h != rowFree {
				add(rowLine, h)
			}
		}
		if h := x.angular.holds; h != rowFree {
			add(rowTurn, h)
		}
	}
	if n != r.n {
		r.n, changed = n, true
	}
	return changed
}

// jacobian sets the Jacobian of the rows.
func (r *directRows) jacobian(j *joint) {
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		switch {
		case w.kind == rowU && j.shape == Point2:
			w.x, w.y, w.armA, w.armB = 1, 0, -float64(j.rAY), -float64(j.rBY)
		case w.kind == rowV && j.shape == Point2:
			w.x, w.y, w.armA, w.armB = 0, 1, float64(j.rAX), float64(j.rBX)
		case w.kind == rowU:
			w.x, w.y, w.armA, w.armB = -float64(j.lineY), float64(j.lineX), float64(j.across[0]), float64(j.across[1])
		case w.kind == rowLine:
			w.x, w.y, w.armA, w.armB = float64(j.lineX), float64(j.lineY), float64(j.along[0]), float64(j.along[1])
		default:
			w.x, w.y, w.armA, w.armB = 0, 0, 1, 1
		}
	}
}

// axisOf returns the axis of a row.
func (w *directRow) axisOf(j *joint) *axis {
	if w.kind == rowLine {
		return &j.axes.linear
	}
	return &j.axes.angular
}

// biases sets the bias of each row; with spring, also what corrects errors of position.
func (r *directRows) biases(j *joint, spring bool, invH float32) {
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		w.bias = 0
		switch {
		case w.kind == rowU && spring:
			w.bias = float64(j.soft.bias(j.u))
		case w.kind == rowV && spring:
			w.bias = float64(j.soft.bias(j.v))
		case w.kind <= rowV:
		case w.holds == rowMotor:
			w.bias = -float64(w.axisOf(j).Speed)
		case w.holds == rowHeld:
			if x := w.axisOf(j); spring {
				w.bias = float64(j.soft.bias(x.FromRest + x.change))
			}
		default:
			w.bias = float64(w.axisOf(j).limitBias(w.holds, j, spring, invH))
		}
	}
}

// limitBias returns the bias of a limit of x.
func (x *axis) limitBias(holds rowHolds, j *joint, spring bool, invH float32) float32 {
	gap, sign := x.FromLower+x.change, float32(1)
	if holds == rowUpper {
		gap, sign = -(x.FromUpper + x.change), -1
	}
	switch {
	case gap > 0:
		return float32(sign * float32(gap*invH))
	case spring:
		return float32(sign * j.soft.bias(gap))
	}
	return 0
}

// impulse returns the impulse of a row of j.
func (w *directRow) impulse(j *joint) float32 {
	switch {
	case w.kind == rowU:
		return j.pu
	case w.kind == rowV:
		return j.pv
	case w.holds == rowMotor:
		return w.axisOf(j).drive.Motor
	}
	return w.axisOf(j).rigid.sum()
}

// residual sets the missing velocities of the rows of j; soft tells that softness gives way.
func (r *directRows) residual(j *joint, a, b *body, soft bool) {
	u, v := float32(0), float32(0)
	if j.flags&(Rigid|RigidAngle) != 0 {
		u, v = j.rowSpeeds(a, b)
		u, v = u+j.curveU, v+j.curveV
	}
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		var is float32
		switch w.kind {
		case rowU:
			is = u
		case rowV:
			is = v
		case rowLine:
			is = j.axes.linear.v0 + j.axes.linear.curve + j.lineChange(a, b)
		case rowTurn:
			is = j.axes.angular.v0 + (b.w - a.w)
		}
		w.missing = -(float64(is) + w.bias)
		if soft {
			w.missing -= float64(w.soft * float64(w.impulse(j)))
		}
	}
}

// soften sets the softness of the rows: share is relative to the inverse mass of each row alone.
func (s *worker) soften(r *directRows, j *joint, inA, inB, share, hold float64) {
	mA, mB := float64(s.bodies[j.a].invMass), float64(s.bodies[j.b].invMass)
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		alone := float64((mA+mB)*(float64(w.x*w.x)+float64(w.y*w.y))) + float64(inA*float64(w.armA*w.armA)) + float64(inB*float64(w.armB*w.armB))
		if w.soft = float64(alone * max(share, hold)); w.holds == rowMotor {
			w.soft = float64(alone * hold)
		}
		if alone == 0 { // nothing moves along it
			w.soft = math.MaxFloat32
		}
	}
}

// inertias returns the inverse moments of inertia of the bodies of j for its rows.
func (j *joint) inertias() (a, b float64) { return float64(j.inertiaA), float64(j.inertiaB) }

// prepareTree sets the rows of the component for a pass, and factors their matrix if it has changed. fresh tells that the
// sub-step has begun.
func (s *worker) prepareTree(c *component, spring, fresh bool) {
	changed, soft := fresh, false
	invH := 1 / s.h
	for k := c.from; k < c.to; k++ {
		n := &s.nodes[k]
		if n.joint < 0 {
			continue
		}
		j := &s.joints[n.joint]
		if n.set(j) {
			changed = true
		}
		n.biases(j, spring, invH)
		soft = soft || !j.usual
	}
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		l := &s.loopJoints[k]
		j := &s.joints[l.joint]
		if l.set(j) {
			changed = true
		}
		l.biases(j, spring, invH)
		soft = soft || !j.usual
	}
	if changed || soft && c.softNow != spring {
		s.factorTree(c, spring)
	}
	c.softNow = spring
}

// softShare returns the softness of the rigid rows of j, relative to the inverse mass of each row alone, in a pass with springs.
func (j *joint) springSoftness(spring bool) float64 {
	if !spring || j.usual {
		return 0
	}
	return float64(j.soft.impulseScale) / float64(1-j.soft.impulseScale)
}

// heavy stands for an infinite mass or moment of inertia.
const heavy = 1e30

// factorTree factors the matrix of the component's rows.
func (s *worker) factorTree(c *component, spring bool) {
	for k := c.from; k < c.to; k++ {
		n := &s.nodes[k]
		b := &s.bodies[n.body]
		m, in := heavy, n.inertia
		if b.invMass > 0 {
			m = 1 / float64(b.invMass)
		}
		n.mass = [6]float64{m, 0, 0, m, 0, in}
		if n.joint >= 0 {
			j := &s.joints[n.joint]
			n.jacobian(j)
			n.aim()
			inA, inB := j.inertias()
			s.soften(&n.directRows, j, inA, inB, j.springSoftness(spring), treeSoftness)
		}
	}
	for k := c.to - 1; k >= c.from; k-- {
		n := &s.nodes[k]
		invert(&n.mass)
		if n.n > 0 {
			n.eliminate()
			if n.parent >= 0 {
				n.give(&s.nodes[n.parent].mass)
			}
		}
	}
	s.factorLoops(c, spring)
}

// invert inverts a symmetric, positive definite matrix: 11, 12, 13, 22, 23, 33.
func invert(m *[6]float64) {
	a, b, c, d, e, f := m[0], m[1], m[2], m[3], m[4], m[5]
	x := float64(d*f) - float64(e*e)
	y := float64(c*e) - float64(b*f)
	z := float64(b*e) - float64(c*d)
	r := 1 / (float64(a*x) + float64(b*y) + float64(c*z))
	m[0], m[1], m[2] = x*r, y*r, z*r
	m[3] = (float64(a*f) - float64(c*c)) * r
	m[4] = (float64(b*c) - float64(a*e)) * r
	m[5] = (float64(a*d) - float64(b*b)) * r
}

// times returns the product of the symmetric matrix m and (x, y, z).
func times(m *[6]float64, x, y, z float64) [3]float64 {
	return [3]float64{
		float64(m[0]*x) + float64(m[1]*y) + float64(m[2]*z),
		float64(m[1]*x) + float64(m[3]*y) + float64(m[4]*z),
		float64(m[2]*x) + float64(m[4]*y) + float64(m[5]*z),
	}
}

// aim sets the frames of the rows of n.
func (n *treeNode) aim() {
	for i := range n.frame {
		w, f := &n.rows[i], &n.frame[i]
		switch {
		case i >= n.n:
			*f = rowFrame{}
		case n.ofB:
			*f = rowFrame{w.x, w.y, w.armB, w.armA}
		default:
			*f = rowFrame{-w.x, -w.y, -w.armA, -w.armB}
		}
	}
}

// along returns the velocity v of the body along the row, and alongParent that of the parent.
func (f *rowFrame) along(v *[3]float64) float64 {
	return float64(f.x*v[0]) + float64(f.y*v[1]) + float64(f.own*v[2])
}

func (f *rowFrame) alongParent(v *[3]float64) float64 {
	return float64(f.x*v[0]) + float64(f.y*v[1]) + float64(f.parent*v[2])
}

// eliminate sets u and inv: what the rows of n do to its body.
func (n *treeNode) eliminate() {
	f, u := &n.frame, &n.u
	u[0], u[1] = times(&n.mass, f[0].x, f[0].y, f[0].own), times(&n.mass, f[1].x, f[1].y, f[1].own)
	d0, d1, d3 := f[0].along(&u[0])+n.rows[0].soft, f[0].along(&u[1]), f[1].along(&u[1])+n.rows[1].soft
	switch n.n {
	case 1:
		n.inv = [6]float64{1 / d0}
	case 2:
		r := 1 / (float64(d0*d3) - float64(d1*d1))
		n.inv = [6]float64{d3 * r, -d1 * r, 0, d0 * r}
	default:
		u[2] = times(&n.mass, f[2].x, f[2].y, f[2].own)
		n.inv = [6]float64{d0, d1, f[0].along(&u[2]), d3, f[1].along(&u[2]), f[2].along(&u[2]) + n.rows[2].soft}
		invert(&n.inv)
	}
}

// give adds what the rows of n do to the parent's matrix.
func (n *treeNode) give(m *[6]float64) {
	f, inv := &n.frame, &n.inv
	for i := range n.n {
		a, b, c := inv[pairAt[i][0]], inv[pairAt[i][1]], inv[pairAt[i][2]]
		x := float64(a*f[0].x) + float64(b*f[1].x) + float64(c*f[2].x)
		y := float64(a*f[0].y) + float64(b*f[1].y) + float64(c*f[2].y)
		z := float64(a*f[0].parent) + float64(b*f[1].parent) + float64(c*f[2].parent)
		w := &f[i]
		m[0] += float64(w.x * x)
		m[1] += float64(w.x * y)
		m[2] += float64(w.x * z)
		m[3] += float64(w.y * y)
		m[4] += float64(w.y * z)
		m[5] += float64(w.parent * z)
	}
}

// pairAt is the place of an element in the six of a symmetric matrix.
var pairAt = [3][3]int{{0, 1, 2}, {1, 3, 4}, {2, 4, 5}}

// solveTree solves the trees of c for the wanted velocities of the rows and the impulses f on the bodies, and sets the
// impulses x of the rows and the velocities v of the bodies. f is 0 afterwards.
func (s *worker) solveTree(c *component) {
	nodes := s.nodes
	for k := c.to - 1; k >= c.from; k-- {
		n := &nodes[k]
		n.v = times(&n.mass, n.f[0], n.f[1], n.f[2])
		n.f = [3]float64{}
		if n.n == 0 {
			continue
		}
		f := &n.frame
		r0, r1, r2 := n.wanted[0]-f[0].along(&n.v), n.wanted[1]-f[1].along(&n.v), 0.0
		if n.n > 2 {
			r2 = n.wanted[2] - f[2].along(&n.v)
		}
		y := times(&n.inv, r0, r1, r2)
		n.y = y
		if n.parent >= 0 {
			p := &nodes[n.parent].f
			p[0] -= float64(f[0].x*y[0]) + float64(f[1].x*y[1]) + float64(f[2].x*y[2])
			p[1] -= float64(f[0].y*y[0]) + float64(f[1].y*y[1]) + float64(f[2].y*y[2])
			p[2] -= float64(f[0].parent*y[0]) + float64(f[1].parent*y[1]) + float64(f[2].parent*y[2])
		}
	}
	for k := c.from; k < c.to; k++ {
		n := &nodes[k]
		if n.n == 0 {
			continue
		}
		x := n.y
		if n.parent >= 0 {
			v, f := &nodes[n.parent].v, &n.frame
			d := times(&n.inv, f[0].alongParent(v), f[1].alongParent(v), f[2].alongParent(v))
			x[0], x[1], x[2] = x[0]+d[0], x[1]+d[1], x[2]+d[2]
		}
		n.x = x
		u := &n.u
		n.v[0] += float64(u[0][0]*x[0]) + float64(u[1][0]*x[1])
		n.v[1] += float64(u[0][1]*x[0]) + float64(u[1][1]*x[1])
		n.v[2] += float64(u[0][2]*x[0]) + float64(u[1][2]*x[1])
		if n.n > 2 {
			n.v[0] += float64(u[2][0] * x[2])
			n.v[1] += float64(u[2][1] * x[2])
			n.v[2] += float64(u[2][2] * x[2])
		}
	}
}

// Loops. The matrix of their rows is that of the velocities that they get for impulses of 1, the tree following. It is
// factored in place (Cholesky).

// factorLoops factors the matrix of the rows of the component's loops.
func (s *worker) factorLoops(c *component, spring bool) {
	c.rows = 0
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		l := &s.loopJoints[k]
		j := &s.joints[l.joint]
		l.jacobian(j)
		inA, inB := j.inertias()
		s.soften(&l.directRows, j, inA, inB, j.springSoftness(spring), loopSoftness)
		c.rows += l.n
	}
	m := s.schurOf(c)
	n := c.rows
	for k := c.from; k < c.to && n > 0; k++ {
		s.nodes[k].wanted = [3]float64{}
	}
	col := 0
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		l := &s.loopJoints[k]
		for i := range l.n {
			s.pushLoop(l, &l.rows[i], 1)
			s.solveTree(c)
			row := 0
			for q := c.loopsFrom; q <= k; q++ {
				o := &s.loopJoints[q]
				for p := range o.n {
					if row > col {
						break
					}
					m[col*n+row] = s.loopSpeed(o, &o.rows[p])
					row++
				}
			}
			m[col*n+col] += l.rows[i].soft
			col++
		}
	}
	for i := range n {
		for j := range i + 1 {
			sum := m[i*n+j]
			for k := range j {
				sum -= float64(m[i*n+k] * m[j*n+k])
			}
			if i == j {
				m[i*n+i] = math.Sqrt(max(sum, 1e-300))
			} else {
				m[i*n+j] = sum / m[j*n+j]
			}
		}
	}
}

// schurOf returns the memory of the matrix of c's loops.
func (s *worker) schurOf(c *component) []float64 { return s.schurs[c.schur:] }

// pushLoop adds an impulse along a row of l to those on its bodies.
func (s *worker) pushLoop(l *loopJoint, w *directRow, x float64) {
	if l.b >= 0 {
		f := &s.nodes[l.b].f
		f[0] += float64(w.x * x)
		f[1] += float64(w.y * x)
		f[2] += float64(w.armB * x)
	}
	if l.a >= 0 {
		f := &s.nodes[l.a].f
		f[0] -= float64(w.x * x)
		f[1] -= float64(w.y * x)
		f[2] -= float64(w.armA * x)
	}
}

// loopSpeed returns the velocity of a row of l by those that the tree was solved for.
func (s *worker) loopSpeed(l *loopJoint, w *directRow) (sum float64) {
	if l.b >= 0 {
		v := &s.nodes[l.b].v
		sum += float64(w.x*v[0]) + float64(w.y*v[1]) + float64(w.armB*v[2])
	}
	if l.a >= 0 {
		v := &s.nodes[l.a].v
		sum -= float64(w.x*v[0]) + float64(w.y*v[1]) + float64(w.armA*v[2])
	}
	return sum
}

// solveLoops solves the rows of the loops for what the tree alone leaves missing, and the tree again for their impulses.
func (s *worker) solveLoops(c *component) {
	n := c.rows
	if n == 0 {
		return
	}
	m, x := s.schurOf(c), s.loopImpulses[:n]
	at := 0
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		l := &s.loopJoints[k]
		for i := range l.n {
			x[at] = l.rows[i].missing - s.loopSpeed(l, &l.rows[i])
			at++
		}
	}
	for i := range n {
		for k := range i {
			x[i] -= float64(m[i*n+k] * x[k])
		}
		x[i] /= m[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= float64(m[k*n+i] * x[k])
		}
		x[i] /= m[i*n+i]
	}
	at = 0
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		l := &s.loopJoints[k]
		for i := range l.n {
			l.rows[i].change = x[at]
			s.pushLoop(l, &l.rows[i], x[at])
			at++
		}
	}
	for k := c.from; k < c.to; k++ {
		n := &s.nodes[k]
		for i := range n.n {
			n.rows[i].change = n.x[i]
		}
		n.wanted = [3]float64{}
	}
	s.solveTree(c)
}

// solveTrees solves the joints of the components, in a pass with springs or without; fresh tells that it is the first of the
// sub-step. With touched, only components that contacts hold are solved.
func (s *worker) solveTrees(spring, fresh, touched bool) {
	for i := range s.components {
		if c := &s.components[i]; c.touches || !touched {
			s.solveComponent(c, spring, fresh)
		}
	}
}

// solveComponent solves the joints of c.
func (s *worker) solveComponent(c *component, spring, fresh bool) {
	s.resetHolds(c)
	for round := 1; ; round++ {
		s.prepareTree(c, spring, fresh)
		fresh = false
		for k := c.from; k < c.to; k++ {
			if n := &s.nodes[k]; n.joint >= 0 {
				j := &s.joints[n.joint]
				n.residual(j, &s.bodies[j.a], &s.bodies[j.b], spring)
				n.wanted = [3]float64{n.rows[0].missing, n.rows[1].missing, n.rows[2].missing}
			}
		}
		for k := c.loopsFrom; k < c.loopsTo; k++ {
			l := &s.loopJoints[k]
			j := &s.joints[l.joint]
			l.residual(j, &s.bodies[j.a], &s.bodies[j.b], spring)
		}
		s.solveTree(c)
		s.solveLoops(c)
		for k := c.from; k < c.to; k++ {
			if n := &s.nodes[k]; n.joint >= 0 {
				for i := range n.n {
					n.rows[i].change += n.x[i]
				}
				s.applyRows(&s.joints[n.joint], &n.directRows)
			}
		}
		for k := c.loopsFrom; k < c.loopsTo; k++ {
			l := &s.loopJoints[k]
			s.applyRows(&s.joints[l.joint], &l.directRows)
		}
		if !s.changeHolds(c, spring) || round == directRounds {
			return
		}
	}
}

// applyRows applies the changes of the impulses of the rows of j.
func (s *worker) applyRows(j *joint, r *directRows) {
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	du, dv := float32(0), float32(0)
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		d := float32(w.change)
		w.change = 0
		switch w.kind {
		case rowU:
			du, j.pu = d, j.pu+d
		case rowV:
			dv, j.pv = d, j.pv+d
		case rowLine:
			j.axes.linear.addImpulse(w.holds, d)
			j.pushLine(a, b, d)
		case rowTurn:
			j.axes.angular.addImpulse(w.holds, d)
			j.pushTurn(a, b, d)
		}
	}
	if du != 0 || dv != 0 {
		j.pushRows(a, b, du, dv)
	}
}

// addImpulse adds d to the impulse of x's row.
func (x *axis) addImpulse(holds rowHolds, d float32) {
	switch holds {
	case rowHeld:
		x.rigid.Held += d
	case rowLower:
		x.rigid.Lower += d
	case rowUpper:
		x.rigid.Upper += d
	case rowMotor:
		x.drive.Motor += d
	}
}

// changeHolds releases the limits of c that pull, adds those that are violated, and ends motors at their greatest
// force. It reports whether a row begins or ceases to hold.
func (s *worker) changeHolds(c *component, spring bool) (changed bool) {
	for k := c.from; k < c.to; k++ {
		if n := &s.nodes[k]; n.joint >= 0 && s.joints[n.joint].axes != nil {
			changed = s.changeAxes(&s.joints[n.joint], spring) || changed
		}
	}
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		if l := &s.loopJoints[k]; s.joints[l.joint].axes != nil {
			changed = s.changeAxes(&s.joints[l.joint], spring) || changed
		}
	}
	return changed
}

// changeAxes is changeHolds for the axes of j.
func (s *worker) changeAxes(j *joint, spring bool) (changed bool) {
	a, b := &s.bodies[j.a], &s.bodies[j.b]
	invH := 1 / s.h
	if x := &j.axes.linear; j.line {
		was := x.holds
		j.pushLine(a, b, x.rehold(x.v0+x.curve+j.lineChange(a, b), j, spring, invH))
		changed = x.holds != was
	}
	x := &j.axes.angular
	was := x.holds
	j.pushTurn(a, b, x.rehold(x.v0+(b.w-a.w), j, spring, invH))
	return changed || x.holds != was
}

// rehold changes why the row of x holds, at the velocity v along the axis, and returns the impulse to apply.
func (x *axis) rehold(v float32, j *joint, spring bool, invH float32) (d float32) {
	switch r := &x.rigid; x.holds {
	case rowHeld:
		return 0
	case rowLower:
		if r.Lower < 0 {
			d, r.Lower, x.holds = -r.Lower, 0, rowFree
		}
		return d
	case rowUpper:
		if r.Upper > 0 {
			d, r.Upper, x.holds = -r.Upper, 0, rowFree
		}
		return d
	case rowMotor:
		if m := &x.drive.Motor; *m > x.MaxDrive || *m < -x.MaxDrive {
			d = max(-x.MaxDrive, min(x.MaxDrive, *m)) - *m
			*m += d
			x.holds = rowFree
			return d
		}
	}
	switch {
	case x.Flags&Lowest != 0 && v+x.limitBias(rowLower, j, spring, invH) < -limitSlop:
		x.holds = rowLower
	case x.Flags&Highest != 0 && v+x.limitBias(rowUpper, j, spring, invH) > limitSlop:
		x.holds = rowUpper
	}
	return 0
}

// resetHolds sets why the rows of the axes of c hold as a pass begins.
func (s *worker) resetHolds(c *component) {
	for k := c.from; k < c.to; k++ {
		if n := &s.nodes[k]; n.joint >= 0 {
			s.joints[n.joint].resetHolds()
		}
	}
	for k := c.loopsFrom; k < c.loopsTo; k++ {
		s.joints[s.loopJoints[k].joint].resetHolds()
	}
}

func (j *joint) resetHolds() {
	if x := j.axes; x != nil {
		x.linear.holds, x.angular.holds = x.linear.held(), x.angular.held()
	}
}

// stiffenRatio is the least ratio of the masses of a component's bodies from which on it has the geometric stiffness.
// stiffenEdge is the share of the moment of inertia up to which the explicit sub-step follows a turn.
const (
	stiffenRatio = 30
	stiffenEdge  = 0.3
)

// stiffenTrees sets the moments of inertia of the components' bodies for a sub-step. A force f at an arm r turns its body as
// a spring of the stiffness r.f does. The rows have their directions of the start of the sub-step, which cannot follow where
// that spring is fast: light bodies under a heavy load. There the stiffness acts on the change of the spin, as a moment of
// inertia (Tournier and others, "Stable Constrained Dynamics", SIGGRAPH 2015). first tells the first sub-step.
func (s *worker) stiffenTrees(first bool) {
	for i := range s.components {
		c := &s.components[i]
		if first {
			s.beginTree(c)
		}
		if !c.stiffen {
			continue
		}
		for k := c.from; k < c.to; k++ {
			s.nodes[k].pull = 0
		}
		for k := c.from; k < c.to; k++ {
			if n := &s.nodes[k]; n.joint >= 0 {
				if n.ofB {
					s.pullOn(n.joint, first, n.parent, k)
				} else {
					s.pullOn(n.joint, first, k, n.parent)
				}
			}
		}
		for k := c.loopsFrom; k < c.loopsTo; k++ {
			l := &s.loopJoints[k]
			s.pullOn(l.joint, first, l.a, l.b)
		}
		for k := c.from; k < c.to; k++ {
			n := &s.nodes[k]
			n.inertia = inertiaOf(s.rareBodies[n.body].invI)
			if extra := float64(float64(s.h)*n.pull) - float64(stiffenEdge*n.inertia); extra > 0 && n.inertia < heavy {
				n.inertia += extra
				s.Motions[s.motionOf[n.body]].summedSpin = false
			}
		}
		for k := c.from; k < c.to; k++ {
			if n := &s.nodes[k]; n.joint >= 0 {
				if n.ofB {
					s.setInertias(n.joint, n.parent, k)
				} else {
					s.setInertias(n.joint, k, n.parent)
				}
			}
		}
		for k := c.loopsFrom; k < c.loopsTo; k++ {
			l := &s.loopJoints[k]
			s.setInertias(l.joint, l.a, l.b)
		}
	}
}

// inertiaOf returns the inverse of an inverse moment of inertia.
func inertiaOf(inv float32) float64 {
	if inv > 0 {
		return 1 / float64(inv)
	}
	return heavy
}

// beginTree begins a step of the component c.
func (s *worker) beginTree(c *component) {
	least, most := float32(math.MaxFloat32), float32(0)
	c.touches = false
	for k := c.from; k < c.to; k++ {
		n := &s.nodes[k]
		n.inertia = inertiaOf(s.rareBodies[n.body].invI)
		if m := s.bodies[n.body].invMass; m > 0 {
			least, most = min(least, m), max(most, m)
		}
	}
	c.touches = len(s.batch.contacts) > 0
	c.stiffen = most > stiffenRatio*least
}

// pullOn adds the products of the impulses of joint number k and its arms on its bodies, of the nodes a and b.
func (s *worker) pullOn(k int32, first bool, a, b int32) {
	j, at := &s.joints[k], &s.jointStarts[k]
	if j.shape == Turns {
		return
	}
	rAX, rAY, rBX, rBY := at.armAX, at.armAY, at.armBX, at.armBY
	x, y := j.pu, j.pv
	if j.shape != Point2 {
		l := float32(0)
		if j.axes != nil {
			l = j.axes.linear.rigid.sum()
		}
		x, y = float32(at.lineX*l)-float32(at.lineY*j.pu), float32(at.lineY*l)+float32(at.lineX*j.pu)
	} else if !first {
		rAX, rAY, rBX, rBY = j.rAX, j.rAY, j.rBX, j.rBY
	}
	if a >= 0 {
		s.nodes[a].pull -= float64(rAX*x) + float64(rAY*y)
	}
	if b >= 0 {
		s.nodes[b].pull += float64(rBX*x) + float64(rBY*y)
	}
}

// setInertias sets the inverse moments of inertia of joint number k, whose bodies are of the nodes a and b.
func (s *worker) setInertias(k, a, b int32) {
	j := &s.joints[k]
	if a >= 0 {
		j.inertiaA = inverseOf(s.nodes[a].inertia)
	}
	if b >= 0 {
		j.inertiaB = inverseOf(s.nodes[b].inertia)
	}
}

// inverseOf returns the inverse of a moment of inertia.
func inverseOf(inertia float64) float32 {
	if inertia >= heavy {
		return 0
	}
	return float32(1 / inertia)
}
