package solve

// The rows of a joint are computed anew in each sub-step, from the poses at its start, and are the same in
// its warm start and both passes. So the impulses of a sub-step have one Jacobian, by which they are
// summed at its end.
//
// Along a row the bodies move on a curve: an anchor that turns about a centre leaves its tangent by w w r h h / 2
// in a sub-step. Rows hold the mean velocity in the sub-step to second order, not the velocity at its
// start: v + h/2 (second derivative of the row's value at constant velocities). This is the SHAKE
// integrator: a pendulum neither stretches nor loses energy (docs/joints.md).

// joint is a joint during the step. What a pass over a joint without axes touches comes first.
type joint struct {
	a, b  int32 // bodies
	shape JointShape
	drive bool // it has springs or motors
	stiff bool // it has rigid rows
	line  bool // its linear axis has rows
	flags JointFlags

	rAX, rAY, rBX, rBY float32    // present arms of Point2
	lineX, lineY       float32    // present direction of the line of Slide and Span
	along              [2]float32 // arms of A and B for impulses along the line
	across             [2]float32 // the same across it: direction (-lineY, lineX)

	i11, i12, i22 float32 // inverse matrix of the block of rows u and v
	u, v          float32 // errors of position of the block's rows
	u0, v0        float32 // velocities at the start of the step, with the present Jacobian
	curveU        float32 // mean velocities in the sub-step by the curvature
	curveV        float32
	rigid         RigidImpulses
	soft          softness

	work   float32 // of the last warm start
	island int32
	source int32
	number uint32 // of its last cluster

	sumX, sumY, torqueA, torqueB, twist float64 // impulses of the step on B, and minus those on A

	angular axis

	// Start of the step, read once a sub-step.
	start        Joint
	length       float32 // Span
	pull         spring
	maxPull      float32
	maxDrag      float32
	pullX, pullY float32 // impulses
	dragX, dragY float32
	linear       axis
}

// begin sets j for a step with sub-steps of h seconds. Its bodies are a and b.
func (j *joint) begin(a, b int32, h float32) {
	from := &j.start
	j.a, j.b, j.shape, j.flags = a, b, from.Shape, from.Flags
	j.soft = soften(min(from.Hertz, 0.25/h), from.Damping, h)
	j.rigid = from.RigidImpulses
	j.linear.begin(&from.Linear, h)
	j.angular.begin(&from.Angular, h)
	j.linear.drive, j.angular.drive = from.LinearDrive, from.AngularDrive
	if j.shape == Point2 {
		j.linear.Flags = 0
	}
	j.pullX, j.pullY, j.dragX, j.dragY = from.PullX, from.PullY, from.DragX2, from.DragY2
	j.pull, j.maxPull, j.maxDrag = from.Pull.coefficients(h), from.MaxPull*h, from.MaxDrag*h
	j.line = j.linear.Flags != 0
	flags := j.linear.Flags | j.angular.Flags
	j.drive = flags&drives != 0 || j.flags&(Pulled|Dragged) != 0
	j.stiff = flags&(Held|Limited) != 0 || j.flags&(Rigid|RigidAngle) != 0
	j.length = length(from.ApartX, from.ApartY)
	j.sumX, j.sumY, j.torqueA, j.torqueB, j.twist = 0, 0, 0, 0, 0
	j.work, j.number = 0, 0
}

func length(x, y float32) float32 { return sqrt(float32(x*x) + float32(y*y)) }

// update sets the rows of j from the poses at the start of a sub-step of h seconds, time seconds into the step.
func (s *worker) update(j *joint, time, h float32) {
	at, a, b := &j.start, &s.bodies[j.a], &s.bodies[j.b]
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
	aw, bw := a.spin+a.w, b.spin+b.w
	vX := at.DriftX - float32(b.spin*rBY) + float32(a.spin*rAY)
	vY := at.DriftY + float32(b.spin*rBX) - float32(a.spin*rAX)
	half := 0.5 * h
	aww, bww := float32(half*float32(aw*aw)), float32(half*float32(bw*bw))
	kX, kY := float32(aww*rAX)-float32(bww*rBX), float32(aww*rAY)-float32(bww*rBY)

	mass := a.invMass + b.invMass
	turns := a.invI + b.invI
	turned := s.turned[j.b] - s.turned[j.a]
	j.angular.change, j.angular.v0, j.angular.mass = turned, at.Spin, inverse(turns)
	if j.shape == Point2 {
		// The impulse on A acts at B's anchor, as that on B does. So the angular momentum is kept although the anchors are
		// apart, as on a spring.
		x, y := at.ApartX+mX, at.ApartY+mY
		rAX, rAY = rAX+x, rAY+y
		j.rAX, j.rAY = rAX, rAY
		j.u, j.v, j.curveU, j.curveV = x, y, kX, kY
		j.u0, j.v0 = vX+float32(a.spin*y), vY-float32(a.spin*x)
		j.block(mass+float32(a.invI*float32(rAY*rAY))+float32(b.invI*float32(rBY*rBY)),
			-float32(a.invI*float32(rAX*rAY))-float32(b.invI*float32(rBX*rBY)),
			mass+float32(a.invI*float32(rAX*rAX))+float32(b.invI*float32(rBX*rBX)),
			// Without the differences of a determinant that lose digits.
			float32(mass*(mass+float32(a.invI*(float32(rAX*rAX)+float32(rAY*rAY)))+float32(b.invI*(float32(rBX*rBX)+float32(rBY*rBY)))))+
				float32(float32(a.invI*b.invI)*square(float32(rAX*rBY)-float32(rAY*rBX))))
		return
	}
	// Velocity of the anchors with the changes, for the curvature.
	dX := vX + (b.vx - a.vx) - float32(b.w*rBY) + float32(a.w*rAY)
	dY := vY + (b.vy - a.vy) + float32(b.w*rBX) - float32(a.w*rAX)
	l := &j.linear
	if j.shape == Span {
		x, y := at.ApartX+mX, at.ApartY+mY
		long := length(x, y)
		inv := inverse(long)
		nX, nY := x*inv, y*inv
		j.lineX, j.lineY = nX, nY
		j.along = [2]float32{float32(rAX*nY) - float32(rAY*nX), float32(rBX*nY) - float32(rBY*nX)}
		l.v0 = float32(nX*vX) + float32(nY*vY)
		// The change of the length, by the difference of the squares.
		l.change = (float32(mX*(x+at.ApartX)) + float32(mY*(y+at.ApartY))) * inverse(long+j.length)
		side := float32(nX*dY) - float32(nY*dX)
		l.curve = float32(half*float32(float32(side*side)*inv)) + (float32(nX*kX) + float32(nY*kY))
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
		l.v0 = float32(nX*at.DriftX) + float32(nY*at.DriftY) + float32(b.spin*j.along[1]) - float32(a.spin*j.along[0])
		l.curve = float32(nX*kX) + float32(nY*kY) + float32(h*float32(aw*dp)) - float32(aww*along)
		j.u = across
		j.u0 = float32(nX*at.DriftY) - float32(nY*at.DriftX) + float32(b.spin*j.across[1]) - float32(a.spin*j.across[0])
		j.curveU = float32(nX*kY) - float32(nY*kX) - float32(h*float32(aw*dn)) - float32(aww*across)
		sA, sB := j.across[0], j.across[1]
		k11 := mass + float32(a.invI*float32(sA*sA)) + float32(b.invI*float32(sB*sB))
		if j.flags&RigidAngle != 0 {
			j.v, j.v0, j.curveV = at.Angle+turned, at.Spin, 0
			j.block(k11, float32(a.invI*sA)+float32(b.invI*sB), turns,
				float32(mass*turns)+float32(float32(a.invI*b.invI)*square(sA-sB)))
		} else {
			j.v, j.v0, j.curveV = 0, 0, 0
			j.i11, j.i12, j.i22 = inverse(k11), 0, 0
		}
	}
	l.mass = inverse(mass + float32(a.invI*float32(j.along[0]*j.along[0])) + float32(b.invI*float32(j.along[1]*j.along[1])))
}

func square(x float32) float32 { return x * x }

// block sets the inverse of the symmetric matrix of the rows u and v, whose determinant is det. Where it is singular, because
// masses are infinite, each row takes half of the impulse that it takes alone.
func (j *joint) block(k11, k12, k22, det float32) {
	if det > singular*float32(k11*k22) {
		r := 1 / det
		j.i11, j.i12, j.i22 = k22*r, -k12*r, k11*r
		return
	}
	j.i11, j.i12, j.i22 = 0.5*inverse(k11), 0, 0.5*inverse(k22)
	if k11 == 0 || k22 == 0 {
		j.i11, j.i22 = inverse(k11), inverse(k22)
	}
}

// singular is the least determinant of a joint's matrix, relative to that of independent rows.
const singular = 1e-7

// rowSpeeds returns the velocities of the rows u and v, without the curvature.
func (j *joint) rowSpeeds(a, b *body) (u, v float32) {
	u, v = j.rowChanges(a, b)
	return j.u0 + u, j.v0 + v
}

// rowChanges returns the changes of the velocities of the rows u and v since the start of the step.
func (j *joint) rowChanges(a, b *body) (u, v float32) {
	x, y := b.vx-a.vx, b.vy-a.vy
	if j.shape == Point2 {
		return x - float32(b.w*j.rBY) + float32(a.w*j.rAY), y + float32(b.w*j.rBX) - float32(a.w*j.rAX)
	}
	u = float32(j.lineX*y) - float32(j.lineY*x) + (float32(b.w*j.across[1]) - float32(a.w*j.across[0]))
	if j.flags&RigidAngle != 0 {
		v = b.w - a.w
	}
	return u, v
}

// lineChange returns the change of the velocity along the line.
func (j *joint) lineChange(a, b *body) float32 {
	return float32(j.lineX*(b.vx-a.vx)) + float32(j.lineY*(b.vy-a.vy)) + (float32(b.w*j.along[1]) - float32(a.w*j.along[0]))
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
	if a.moves() {
		a.vx -= float32(a.invMass * x)
		a.vy -= float32(a.invMass * y)
		a.w -= float32(a.invI * torqueA)
	}
	if b.moves() {
		b.vx += float32(b.invMass * x)
		b.vy += float32(b.invMass * y)
		b.w += float32(b.invI * torqueB)
	}
}

// moves reports whether impulses move b.
func (b *body) moves() bool { return b.invMass > 0 || b.invI > 0 }

// pushTurn applies an angular impulse.
func pushTurn(a, b *body, d float32) {
	if a.invI > 0 {
		a.w -= float32(a.invI * d)
	}
	if b.invI > 0 {
		b.w += float32(b.invI * d)
	}
}
