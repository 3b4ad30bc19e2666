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
	bias       float64 // velocity of B away from A that the row is to have, with the other sign
	soft       float64 // softness: of the velocity that an impulse of 1 gives
	wanted     float64 // change of its velocity
	change     float64 // of its impulse
}

// directRows are the rows of a joint that hold.
type directRows struct {
	n    int
	rows [3]directRow
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

// set sets which rows of j hold, and reports whether these are others than before.
func (r *directRows) set(j *joint) (changed bool) {
	n := 0
	add := func(kind rowKind, holds rowHolds) {
		w := &r.rows[n]
		changed = changed || n >= r.n || w.kind != kind || w.holds != holds
		w.kind, w.holds = kind, holds
		n++
	}
	if j.flags&Rigid != 0 {
		add(rowU, rowHeld)
	}
	if j.flags&Rigid != 0 && j.shape == Point2 || j.flags&RigidAngle != 0 {
		add(rowV, rowHeld)
	}
	if x := j.axes; x != nil {
		if h := x.linear.holds; j.line && h != rowFree {
			add(rowLine, h)
		}
		if h := x.angular.holds; h != rowFree {
			add(rowTurn, h)
		}
	}
	changed = changed || n != r.n
	r.n = n
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

// axisOf returns the axis of a row.
func (w *directRow) axisOf(j *joint) *axis {
	if w.kind == rowLine {
		return &j.axes.linear
	}
	return &j.axes.angular
}

// biases sets the bias of each row. With springs, errors of position are corrected.
func (r *directRows) biases(j *joint, springs bool, invH float32) {
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		bias := float32(0)
		switch w.holds {
		case rowMotor:
			bias = -w.axisOf(j).Speed
		case rowLower, rowUpper:
			bias = w.axisOf(j).limitBias(w.holds, j, springs, invH)
		default:
			if springs {
				bias = j.soft.bias(w.error(j))
			}
		}
		w.bias = float64(bias)
	}
}

// error returns the error of position of a rigid row.
func (w *directRow) error(j *joint) float32 {
	switch w.kind {
	case rowU:
		return j.u
	case rowV:
		return j.v
	}
	x := w.axisOf(j)
	return x.FromRest + x.change
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

// want sets the wanted changes of the velocities of the rows of j. With springs, soft rows give way to their impulses.
func (r *directRows) want(j *joint, a, b *body, springs bool) {
	u, v := float32(0), float32(0)
	if j.flags&(Rigid|RigidAngle) != 0 {
		u, v = j.rowSpeeds(a, b)
		u, v = u+j.curveU, v+j.curveV
	}
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		is := u
		switch w.kind {
		case rowV:
			is = v
		case rowLine:
			is = j.axes.linear.v0 + j.axes.linear.curve + j.lineChange(a, b)
		case rowTurn:
			is = j.axes.angular.v0 + (b.w - a.w)
		}
		w.wanted = -(float64(is) + w.bias)
		if springs {
			w.wanted -= float64(w.soft * float64(w.impulse(j)))
		}
	}
}

// apply applies the changes of the impulses of the rows of j.
func (r *directRows) apply(j *joint, a, b *body) {
	du, dv := float32(0), float32(0)
	for i := range r.rows[:r.n] {
		w := &r.rows[i]
		d := float32(w.change)
		switch w.kind {
		case rowU:
			du = d
		case rowV:
			dv = d
		case rowLine:
			j.axes.linear.gain(w.holds, d)
			j.pushLine(a, b, d)
		case rowTurn:
			j.axes.angular.gain(w.holds, d)
			j.pushTurn(a, b, d)
		}
	}
	if du != 0 || dv != 0 {
		j.pu, j.pv = j.pu+du, j.pv+dv
		j.pushRows(a, b, du, dv)
	}
}

// gain adds d to the impulse of x's row.
func (x *axis) gain(holds rowHolds, d float32) {
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

// holdLimits lets the limits of j hold that are violated and do not hold, and reports whether there are any.
func (j *joint) holdLimits(a, b *body, springs bool, invH float32) (changed bool) {
	if j.axes == nil {
		return false
	}
	if x := &j.axes.linear; j.line {
		changed = x.holdLimits(x.v0+x.curve+j.lineChange(a, b), j, springs, invH)
	}
	x := &j.axes.angular
	return x.holdLimits(x.v0+(b.w-a.w), j, springs, invH) || changed
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
func (j *joint) release(a, b *body) (changed bool) {
	if j.axes == nil {
		return false
	}
	if d := j.axes.linear.release(); j.line && d != 0 {
		j.pushLine(a, b, d)
		changed = true
	}
	if d := j.axes.angular.release(); d != 0 {
		j.pushTurn(a, b, d)
		changed = true
	}
	return changed
}

// release is joint.release for an axis. It returns the impulse to apply.
func (x *axis) release() (d float32) {
	r, motor := &x.rigid, &x.drive.Motor
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
