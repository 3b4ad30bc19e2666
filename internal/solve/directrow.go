package solve

import "math"

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
	rowLower // its limit
	rowUpper
	rowMotor // below its maximum force
)

// directRow is a row of a joint that is solved directly: B's velocity along (x, y), and about its centre by the arm,
// less A's.
type directRow struct {
	kind       rowKind
	holds      rowHolds
	x, y       float64
	armA, armB float64
	start      float32  // velocity by the motion at the start of the step and the curvature
	error      float32  // of position
	soft       float64  // softness: of the velocity that an impulse of 1 gives
	axis       *axis    // of rowLine and rowTurn
	impulse    *float32 // in the joint
}

// directRows are the rows of a joint that hold.
type directRows struct {
	n               int32    // -1 as a step begins
	linear, angular rowHolds // why the rows of the axes hold
	rows            [3]directRow
}

// held returns why the row of x holds as a pass begins, which may have motors.
func (x *axis) held(motors bool) rowHolds {
	switch {
	case x.Flags&Held != 0:
		return rowHeld
	case x.rigid.Lower > 0:
		return rowLower
	case x.rigid.Upper < 0:
		return rowUpper
	case motors && x.Flags&Driven != 0 && max(x.drive.Motor, -x.drive.Motor) < x.MaxDrive:
		return rowMotor
	}
	return rowFree
}

// impulseOf returns the impulse of the row of x that holds for a reason.
func (x *axis) impulseOf(holds rowHolds) *float32 {
	return [...]*float32{
		rowHeld: &x.rigid.Held, rowLower: &x.rigid.Lower, rowUpper: &x.rigid.Upper, rowMotor: &x.drive.Motor,
	}[holds]
}

// set sets which rows of j hold, and reports whether these are others than before.
func (r *directRows) set(j *joint) (changed bool) {
	linear, angular := rowFree, rowFree
	if x := j.axes; x != nil {
		if angular = x.angular.holds; j.line {
			linear = x.linear.holds
		}
	}
	if r.n >= 0 && r.linear == linear && r.angular == angular {
		return false
	}
	r.n, r.linear, r.angular = 0, linear, angular
	if j.flags&Rigid != 0 {
		r.add(rowU, rowHeld, nil, &j.U)
	}
	if j.flags&Rigid != 0 && j.shape == Point2 || j.flags&RigidAngle != 0 {
		r.add(rowV, rowHeld, nil, &j.V)
	}
	if linear != rowFree {
		r.add(rowLine, linear, &j.axes.linear, j.axes.linear.impulseOf(linear))
	}
	if angular != rowFree {
		r.add(rowTurn, angular, &j.axes.angular, j.axes.angular.impulseOf(angular))
	}
	return true
}

func (r *directRows) add(kind rowKind, holds rowHolds, x *axis, impulse *float32) {
	w := &r.rows[r.n]
	w.kind, w.holds, w.axis, w.impulse = kind, holds, x, impulse
	r.n++
}

// ready sets the numbers of the rows in a sub-step.
func (r *directRows) ready(j *joint) {
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		switch w.kind {
		case rowU:
			w.start, w.error = j.u0+j.curveU, j.u
		case rowV:
			w.start, w.error = j.v0+j.curveV, j.v
		default:
			w.start, w.error = w.axis.v0+w.axis.curve, w.axis.FromRest+w.axis.change
		}
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

// soften sets the softness of the rows of j, whose bodies have the inverse masses mA and mB: rigid is the smallest
// softness relative to the inverse mass of each row alone, soft the softness of rows that correct errors of position.
func (r *directRows) soften(j *joint, mA, mB, rigid, soft float64) {
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		alone := float64((mA+mB)*(float64(w.x*w.x)+float64(w.y*w.y))) +
			float64(float64(j.inertiaA)*float64(w.armA*w.armA)) + float64(float64(j.inertiaB)*float64(w.armB*w.armB))
		share := max(rigid, soft)
		if w.holds == rowMotor {
			share = rigid
		}
		if w.soft = float64(share * alone); alone == 0 { // nothing moves along it
			w.soft = math.MaxFloat32
		}
	}
}

// bias returns the velocity that w is to have, with the other sign. With springs, errors of position are corrected.
func (w *directRow) bias(j *joint, springs bool, invH float32) float32 {
	switch {
	case w.holds == rowMotor:
		return -w.axis.Speed
	case w.holds != rowHeld:
		return w.axis.limitBias(w.holds, j, springs, invH)
	case springs:
		return j.soft.bias(w.error)
	}
	return 0
}

// limitBias returns the bias of a limit of x. A value within its limits may reach them in a time of 1/invH seconds.
func (x *axis) limitBias(holds rowHolds, j *joint, springs bool, invH float32) float32 {
	gap, sign := x.FromLower+x.change, float32(1)
	if holds == rowUpper {
		gap, sign = -(x.FromUpper + x.change), -1
	}
	switch {
	case gap > 0:
		return float32(sign * float32(gap*invH))
	case springs:
		return float32(sign * j.soft.bias(gap))
	}
	return 0
}

// want sets the wanted changes of the velocities of the rows of j. With springs, soft rows give way to their impulses.
func (r *directRows) want(wanted *[3]float64, j *joint, a, b *body, springs bool, invH float32) {
	x, y, aw, bw := float64(b.vx-a.vx), float64(b.vy-a.vy), float64(a.w), float64(b.w)
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		change := float64(w.x*x) + float64(w.y*y) + (float64(w.armB*bw) - float64(w.armA*aw))
		wanted[i] = -(float64(w.start) + change + float64(w.bias(j, springs, invH)))
		if springs {
			wanted[i] -= float64(w.soft * float64(*w.impulse))
		}
	}
}

// apply applies changes of the impulses of the rows of j.
func (r *directRows) apply(changes *[3]float64, j *joint, a, b *body) {
	for i := range r.rows[:r.n] {
		w, d := &r.rows[i], changes[i]
		*w.impulse += float32(d)
		j.push(a, b, float32(w.x*d), float32(w.y*d), float32(w.armA*d), float32(w.armB*d))
	}
}

// holdLimits lets the limits of j hold that are violated and do not hold, and reports whether there are any.
func (j *joint) holdLimits(x *axes, a, b *body, springs bool, invH float32) (changed bool) {
	if y := &x.linear; j.line {
		changed = y.holdLimits(y.v0+y.curve+j.lineChange(a, b), j, springs, invH)
	}
	y := &x.angular
	return y.holdLimits(y.v0+(b.w-a.w), j, springs, invH) || changed
}

// holdLimits is joint.holdLimits for an axis at the velocity v.
func (x *axis) holdLimits(v float32, j *joint, springs bool, invH float32) bool {
	switch {
	case x.holds != rowFree && x.holds != rowMotor:
		return false
	case x.Flags&Lowest != 0 && v+x.limitBias(rowLower, j, springs, invH) < -limitSlop:
		x.holds = rowLower
	case x.Flags&Highest != 0 && v+x.limitBias(rowUpper, j, springs, invH) > limitSlop:
		x.holds = rowUpper
	default:
		return false
	}
	return true
}

// release takes back the impulses of limits of j that pull, and what the impulses of motors have beyond their largest
// force. It reports whether there were any.
func (j *joint) release(x *axes, a, b *body) (changed bool) {
	if j.line {
		if d := x.linear.release(); d != 0 {
			j.pushLine(a, b, d)
			changed = true
		}
	}
	if d := x.angular.release(); d != 0 {
		j.pushTurn(a, b, d)
		changed = true
	}
	return changed
}

// release is joint.release for an axis. It returns the impulse to apply.
func (x *axis) release() (d float32) {
	r, motor := x.rigid, &x.drive.Motor
	if x.Flags&Limited != 0 {
		if r.Lower < 0 {
			d, r.Lower = d-r.Lower, 0
		}
		if r.Upper > 0 {
			d, r.Upper = d-r.Upper, 0
		}
	}
	if x.Flags&Driven != 0 && (*motor > x.MaxDrive || *motor < -x.MaxDrive) {
		most := max(-x.MaxDrive, min(x.MaxDrive, *motor))
		d, *motor = d+(most-*motor), most
	}
	if d != 0 && x.holds != rowHeld {
		x.holds = rowFree
	}
	return d
}
