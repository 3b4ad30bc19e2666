package solve

import "math"

// The rows of a joint are computed again in each sub-step, from the poses and velocities before gravity and forces,
// and are the same in its warm start and both passes. So the impulses of a sub-step have one Jacobian, by which
// they are summed at its end.
//
// Along a row the bodies move on a curve: an anchor that turns about a centre leaves its tangent by w w r h h / 2
// in a sub-step. Rows hold the mean velocity in the sub-step to second order, not the velocity at its
// start: v + h/2 (second derivative of the row's value at constant velocities). This is the SHAKE
// integrator: a pendulum neither stretches nor loses energy (docs/joints.md).

// joint is the part of a joint that the passes touch: 200 bytes. Its JointStart and
// its axes have the same index.
type joint struct {
	a, b  int32 // bodies
	shape JointShape
	drive bool // it has springs or motors
	stiff bool // it has rigid rows or limits
	line  bool // its linear axis has rows
	usual bool // its rigid rows are rigid: their definition makes them no softer than usualHertz
	flags JointFlags

	rAX, rAY, rBX, rBY float32    // Point2: present arms
	lineX, lineY       float32    // Slide, Span: present direction of the line; Turns: 0
	along              [2]float32 // arms of A and B for impulses along the line
	across             [2]float32 // the same across it: direction (-lineY, lineX)

	inertiaA, inertiaB float32 // inverse moments of inertia

	i11, i12, i22 float32 // inverse matrix of the block of rows u and v
	// errors of position of the block's rows; that of RigidAngle at most as large as it is corrected
	u, v           float32
	u0, v0         float32 // their velocities by the motion at the start of the step
	curveU, curveV float32 // their mean velocities in the sub-step by the curvature
	soft           softness

	RigidImpulses
	island, source int32
	axes           *axes // nil if it has none

	x, y, torqueA, torqueB, twist float64 // impulses of the step on B, and minus those on A
}

// axes is the part of a joint for its axes, springs and motors.
type axes struct {
	linear, angular axis

	pull         spring
	maxPull      float32
	maxDrag      float32
	velX, velY   float32 // of the motor
	pullX, pullY float32 // impulses
	dragX, dragY float32
}

// begin sets joint k to from, for a step with sub-steps of h seconds. Its bodies are a and b.
func (s *worker) begin(k int, from *Joint, a, b int32, h float32) {
	j := &s.joints[k]
	*j = joint{
		a: a, b: b, shape: from.Shape, flags: from.Flags, source: j.source, island: j.island,
		inertiaA: s.rareBodies[a].invI, inertiaB: s.rareBodies[b].invI, RigidImpulses: from.RigidImpulses,
	}
	s.jointStarts[k] = from.JointStart
	j.soft, j.usual = from.soft(h), from.Hertz >= usualHertz
	if j.shape == Point2 {
		from.Linear.Flags = 0
	}
	j.line = from.Linear.Flags != 0
	flags := from.Linear.Flags | from.Angular.Flags
	j.drive = flags&drives != 0 || j.flags&(Pulled|Dragged) != 0
	j.stiff = flags&(Held|Limited) != 0 || j.flags&(Rigid|RigidAngle) != 0
	if flags == 0 && !j.drive {
		return
	}
	x := &s.axes[k]
	j.axes = x
	x.linear.begin(&from.Linear, &j.RigidImpulses.Linear, &from.LinearDrive, h)
	x.angular.begin(&from.Angular, &j.RigidImpulses.Angular, &from.AngularDrive, h)
	x.pull, x.maxPull, x.maxDrag = from.Pull.coefficients(h), from.MaxPull*h, from.MaxDrag*h
	if mass := s.bodies[a].invMass + s.bodies[b].invMass; mass > 0 {
		x.maxPull, x.maxDrag = min(x.maxPull, mostStop/mass), min(x.maxDrag, mostStop/mass)
	}
	x.velX, x.velY = from.DragX, from.DragY
	x.pullX, x.pullY, x.dragX, x.dragY = from.PullX, from.PullY, from.DragImpulseX, from.DragImpulseY
}

// usualHertz is the frequency of rigid rows in the definitions of joints (internal/joint).
const usualHertz = 60

// soft returns the softness of the rigid rows and limits, in sub-steps of h seconds. Those of usualHertz and more are
// as stiff as the sub-steps allow.
func (j *Joint) soft(h float32) softness {
	hertz := 0.25 / h
	if j.Hertz < usualHertz {
		hertz = min(j.Hertz, hertz)
	}
	return damped(hertz, j.Damping, h)
}

func length(x, y float32) float32 { return sqrt(float32(x*x) + float32(y*y)) }

// update sets the rows of joint k from the poses at the start of a sub-step of h seconds, time seconds into the step.
func (s *worker) update(k int, time, h float32) {
	j, at := &s.joints[k], &s.jointStarts[k]
	a, b, aSpin, bSpin := &s.bodies[j.a], &s.bodies[j.b], s.rareBodies[j.a].spin, s.rareBodies[j.b].spin
	ac, as, bc, bs := a.dc-1, a.ds, b.dc-1, b.ds
	// The arms, and their changes.
	tAX, tAY := float32(ac*at.ArmAX)-float32(as*at.ArmAY), float32(as*at.ArmAX)+float32(ac*at.ArmAY)
	tBX, tBY := float32(bc*at.ArmBX)-float32(bs*at.ArmBY), float32(bs*at.ArmBX)+float32(bc*at.ArmBY)
	rAX, rAY, rBX, rBY := at.ArmAX+tAX, at.ArmAY+tAY, at.ArmBX+tBX, at.ArmBY+tBY
	j.rAX, j.rAY, j.rBX, j.rBY = rAX, rAY, rBX, rBY
	// How far B's anchor has moved from A's since the start of the step.
	mX := float32(at.DriftX*time) + (b.dx - a.dx) + (tBX - tAX)
	mY := float32(at.DriftY*time) + (b.dy - a.dy) + (tBY - tAY)
	// Velocities of the anchors by the motion at the start, and half of the acceleration of the sub-step by the turns.
	aw, bw := aSpin+a.w, bSpin+b.w
	vX := at.DriftX - float32(bSpin*rBY) + float32(aSpin*rAY)
	vY := at.DriftY + float32(bSpin*rBX) - float32(aSpin*rAX)
	sign := float32(1)
	if h < 0 {
		h, sign = -h, -1
	}
	half := 0.5 * h
	aww, bww := float32(half*float32(aw*aw)), float32(half*float32(bw*bw))
	kX, kY := float32(aww*rAX)-float32(bww*rBX), float32(aww*rAY)-float32(bww*rBY)

	mass := a.invMass + b.invMass
	turns := j.inertiaA + j.inertiaB
	turned := s.rareBodies[j.b].turned - s.rareBodies[j.a].turned
	was := between{b.vx - a.vx, b.vy - a.vy, a.w, b.w}
	if x := j.axes; x != nil {
		x.angular.change, x.angular.v0, x.angular.mass = turned, at.Spin, inverse(turns)
	}
	if j.shape == Point2 {
		// The impulse on A acts at B's anchor, as that on B does. So the angular momentum is kept although the anchors
		// are apart, as on a spring.
		x, y := at.ApartX+mX, at.ApartY+mY
		rAX, rAY = rAX+x, rAY+y
		j.rAX, j.rAY = rAX, rAY
		j.u, j.v = x, y
		j.u0, j.v0 = vX+float32(aSpin*y), vY-float32(aSpin*x)
		u, v := j.rowsOf(was)
		u, v = j.u0+u, j.v0+v
		f := sign * reflected(float32(u*kX)+float32(v*kY), float32(kX*kX)+float32(kY*kY))
		j.curveU, j.curveV = f*kX, f*kY
		j.block(mass+float32(j.inertiaA*float32(rAY*rAY))+float32(j.inertiaB*float32(rBY*rBY)),
			-float32(j.inertiaA*float32(rAX*rAY))-float32(j.inertiaB*float32(rBX*rBY)),
			mass+float32(j.inertiaA*float32(rAX*rAX))+float32(j.inertiaB*float32(rBX*rBX)),
			// Without the differences of a determinant that lose digits.
			float32(mass*(mass+float32(j.inertiaA*(float32(rAX*rAX)+float32(rAY*rAY)))+
				float32(j.inertiaB*(float32(rBX*rBX)+float32(rBY*rBY)))))+
				float32(float32(j.inertiaA*j.inertiaB)*square(float32(rAX*rBY)-float32(rAY*rBX))))
		return
	}
	if j.shape == Turns {
		// Impulses along this axis have no line, and different torques on A and B.
		l, r := &j.axes.linear, at.Ratio
		j.along = [2]float32{1, r}
		l.v0, l.curve = at.Spin, 0
		l.change = float32(r*s.rareBodies[j.b].turned) - s.rareBodies[j.a].turned
		l.mass = inverse(j.inertiaA + float32(j.inertiaB*float32(r*r)))
		return
	}
	// Velocity of the anchors with the changes, for the curvature.
	dX := vX + (b.vx - a.vx) - float32(b.w*rBY) + float32(a.w*rAY)
	dY := vY + (b.vy - a.vy) + float32(b.w*rBX) - float32(a.w*rAX)
	l := new(axis)
	if j.axes != nil {
		l = &j.axes.linear
	}
	if j.shape == Span {
		x, y := at.ApartX+mX, at.ApartY+mY
		long := length(x, y)
		inv := inverse(long)
		nX, nY := x*inv, y*inv
		j.lineX, j.lineY = nX, nY
		j.along = [2]float32{float32(rAX*nY) - float32(rAY*nX), float32(rBX*nY) - float32(rBY*nX)}
		l.v0 = float32(nX*vX) + float32(nY*vY)
		// The change of the length, by the difference of the squares.
		l.change = (float32(mX*(x+at.ApartX)) + float32(mY*(y+at.ApartY))) * inverse(long+length(at.ApartX, at.ApartY))
		side := float32(nX*dY) - float32(nY*dX)
		// Sideways motion lengthens the line to the hypotenuse; its second derivative alone would be too much for a
		// short line.
		far := h * side
		l.curve = float32(float32(side*far)*inverse(long+length(long, far))) + (float32(nX*kX) + float32(nY*kY))
	} else {
		// The line turns with A.
		nX := at.LineX + (float32(ac*at.LineX) - float32(as*at.LineY))
		nY := at.LineY + (float32(as*at.LineX) + float32(ac*at.LineY))
		j.lineX, j.lineY = nX, nY
		l.change = float32(ac*at.ApartX) + float32(as*at.ApartY) + (float32(nX*mX) + float32(nY*mY))
		along := at.ApartX + l.change
		across := at.ApartY + (float32(ac*at.ApartY) - float32(as*at.ApartX)) + (float32(nX*mY) - float32(nY*mX))
		j.along = [2]float32{float32(rAX*nY) - float32(rAY*nX) - across, float32(rBX*nY) - float32(rBY*nX)}
		j.across = [2]float32{float32(rAX*nX) + float32(rAY*nY) + along, float32(rBX*nX) + float32(rBY*nY)}
		// d is the velocity of B's anchor from A's; seen from A, the line's turn is subtracted.
		dn, dp := float32(nX*dX)+float32(nY*dY), float32(nX*dY)-float32(nY*dX)
		l.v0 = float32(nX*at.DriftX) + float32(nY*at.DriftY) + float32(bSpin*j.along[1]) - float32(aSpin*j.along[0])
		l.curve = float32(nX*kX) + float32(nY*kY) + float32(h*float32(aw*dp)) - float32(aww*along)
		j.u = across
		j.u0 = float32(nX*at.DriftY) - float32(nY*at.DriftX) + float32(bSpin*j.across[1]) - float32(aSpin*j.across[0])
		j.curveU = float32(nX*kY) - float32(nY*kX) - float32(h*float32(aw*dn)) - float32(aww*across)
		u, _ := j.rowsOf(was)
		j.curveU *= sign * reflected(float32(j.curveU*(j.u0+u)), float32(j.curveU*j.curveU))
		sA, sB := j.across[0], j.across[1]
		k11 := mass + float32(j.inertiaA*float32(sA*sA)) + float32(j.inertiaB*float32(sB*sB))
		if j.flags&RigidAngle != 0 {
			// The angle is corrected as fast as B's anchor is then: the line may be far longer than the bodies.
			most := mostBias / (j.soft.biasRate * max(1, sA, -sA, sB, -sB))
			j.v, j.v0, j.curveV = max(-most, min(most, at.Angle+turned)), at.Spin, 0
			j.block(k11, float32(j.inertiaA*sA)+float32(j.inertiaB*sB), turns,
				float32(mass*turns)+float32(float32(j.inertiaA*j.inertiaB)*square(sA-sB)))
		} else {
			j.v, j.v0, j.curveV = 0, 0, 0
			j.i11, j.i12, j.i22 = inverse(k11), 0, 0
		}
	}
	l.curve *= sign * reflected(float32(l.curve*(l.v0+j.lineOf(was))), float32(l.curve*l.curve))
	l.mass = inverse(mass + float32(j.inertiaA*float32(j.along[0]*j.along[0])) +
		float32(j.inertiaB*float32(j.along[1]*j.along[1])))
}

// reflected returns the share of a curvature c that is at most the velocity v along the row, given their product and
// the square of c: the row's velocity is reflected, and would be more than reflected otherwise, which adds energy.
func reflected(vc, cc float32) float32 {
	if vc <= 0 {
		return 0
	}
	f := float32(1)
	if float32(2*vc) < cc {
		f = float32(2*vc) / cc
	}
	if cc > mostCurve*mostCurve {
		f = min(f, mostCurve/sqrt(cc))
	}
	return f
}

func square(x float32) float32 { return x * x }

// block sets the inverse of the symmetric matrix of the rows u and v, whose determinant is det. Where it is singular,
// because masses are infinite, each row takes half of the impulse that it takes alone.
func (j *joint) block(k11, k12, k22, det float32) {
	if det > mostDet { // its inverse would be 0
		j.i11, j.i12, j.i22 = 0, 0, 0
		return
	}
	if det > max(singular*float32(k11*k22), leastDet) {
		r := 1 / det
		j.i11, j.i12, j.i22 = k22*r, -k12*r, k11*r
		return
	}
	j.i11, j.i12, j.i22 = 0.5*inverse(k11), 0, 0.5*inverse(k22)
	if k11 == 0 || k22 == 0 {
		j.i11, j.i22 = inverse(k11), inverse(k22)
	}
}

// leastDet is the smallest determinant that has an inverse with all of its digits in a float32. That of a body
// 10 million units wide is less: once its joint became NaN.
const leastDet float32 = 0x1p-120

// mostDet is the largest determinant that has an inverse in a float32.
const mostDet float32 = math.MaxFloat32

// singular is the smallest determinant of a joint's matrix, relative to that of independent rows.
const singular float32 = 1e-7

// rowSpeeds returns the velocities of the rows u and v, without the curvature.
func (j *joint) rowSpeeds(a, b *body) (u, v float32) {
	u, v = j.rowChanges(a, b)
	return j.u0 + u, j.v0 + v
}

// rowChanges returns the changes of the velocities of the rows u and v since the start of the step.
func (j *joint) rowChanges(a, b *body) (u, v float32) {
	return j.rowsOf(between{b.vx - a.vx, b.vy - a.vy, a.w, b.w})
}

// between is a velocity of B relative to A, and the spins of both.
type between struct{ x, y, a, b float32 }

// rowsOf returns velocities of the rows u and v.
func (j *joint) rowsOf(d between) (u, v float32) {
	if j.shape == Point2 {
		return d.x - float32(d.b*j.rBY) + float32(d.a*j.rAY), d.y + float32(d.b*j.rBX) - float32(d.a*j.rAX)
	}
	u = float32(j.lineX*d.y) - float32(j.lineY*d.x) + (float32(d.b*j.across[1]) - float32(d.a*j.across[0]))
	if j.flags&RigidAngle != 0 {
		v = d.b - d.a
	}
	return u, v
}

// lineChange returns the change of the velocity along the line.
func (j *joint) lineChange(a, b *body) float32 {
	return j.lineOf(between{b.vx - a.vx, b.vy - a.vy, a.w, b.w})
}

// lineOf returns a velocity along the line.
func (j *joint) lineOf(d between) float32 {
	return float32(j.lineX*d.x) + float32(j.lineY*d.y) + (float32(d.b*j.along[1]) - float32(d.a*j.along[0]))
}

// pushRows applies impulses along the rows u and v.
func (j *joint) pushRows(a, b *body, u, v float32) {
	if j.shape == Point2 {
		j.push(a, b, u, v, float32(j.rAX*v)-float32(j.rAY*u), float32(j.rBX*v)-float32(j.rBY*u))
		return
	}
	j.push(a, b, -float32(j.lineY*u), float32(j.lineX*u), float32(j.across[0]*u)+v, float32(j.across[1]*u)+v)
}

// pushLine applies an impulse along the line.
func (j *joint) pushLine(a, b *body, d float32) {
	j.push(a, b, j.lineX*d, j.lineY*d, j.along[0]*d, j.along[1]*d)
}

// push applies an impulse and the angular impulses that belong to it to B, and minus those to A.
func (j *joint) push(a, b *body, x, y, torqueA, torqueB float32) {
	// Several workers may read a body that does not move, so nobody writes it.
	if a.invMass > 0 || j.inertiaA > 0 {
		a.vx -= float32(a.invMass * x)
		a.vy -= float32(a.invMass * y)
		a.w -= float32(j.inertiaA * torqueA)
	}
	if b.invMass > 0 || j.inertiaB > 0 {
		b.vx += float32(b.invMass * x)
		b.vy += float32(b.invMass * y)
		b.w += float32(j.inertiaB * torqueB)
	}
}

// pushTurn applies an angular impulse.
func (j *joint) pushTurn(a, b *body, d float32) {
	if j.inertiaA > 0 {
		a.w -= float32(j.inertiaA * d)
	}
	if j.inertiaB > 0 {
		b.w += float32(j.inertiaB * d)
	}
}
