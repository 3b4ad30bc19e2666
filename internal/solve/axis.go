package solve

// An axis is one degree of freedom of a joint: a length or an angle. It may be held, drawn by a
// spring, driven by a motor, and limited on both sides. All its rows have the same Jacobian, so they are solved in turn
// on one number, the velocity along the axis.

// AxisFlags tell which rows an axis has.
type AxisFlags uint8

const (
	Held    AxisFlags = 1 << iota // a rigid row
	Sprung                        // a spring
	Driven                        // a motor
	Limited AxisFlags = 1<<3 | 1<<4
	Lowest  AxisFlags = 1 << 3 // a lower limit
	Highest AxisFlags = 1 << 4 // an upper limit

	drives = Sprung | Driven
)

// Axis describes an axis at the start of a step. The axis has a value, in units of length or radians,
// of which the solver knows only how far it is from the numbers below. So long joints lose no digits.
type Axis struct {
	Flags     AxisFlags
	FromRest  float32 // value less that at which it is held, or the spring is at rest
	FromLower float32 // value less the lower limit
	FromUpper float32 // value less the upper limit

	Spring             Spring
	MinForce, MaxForce float32 // of the spring: force or torque
	Speed, MaxDrive    float32 // of the motor: velocity, and maximum force or torque
}

// AxisImpulses holds the impulses of an axis's rows that allow no motion.
type AxisImpulses struct{ Held, Lower, Upper float32 }

// DriveImpulses holds the impulses of the spring and the motor.
type DriveImpulses struct{ Spring, Motor float32 }

// spring is a damped spring as coefficients of an impulse solver. With the velocity v and the
// value x it gives the impulse -m (mass v + rate x) - keep (impulse so far), m being the effective mass.
type spring struct{ rate, mass, keep float32 }

// coefficients returns those for sub-steps of h seconds. With w = 2 pi hertz, the velocity step of
// a spring of stiffness m w^2 and damping 2 m z w is
//
//	impulse = -h m w^2 x - h m (2 z w + t h w^2) v
//
// with the velocity v after it. t = 1 is the implicit Euler step, which adds a damping ratio of h w / 2.
// t = 0 is the symplectic step, which adds none, and is unstable for stiff springs. So t goes from 0 to 1 as
// the spring becomes stiff: t = h w / (1 + h w).
func (k Spring) coefficients(h float32) spring {
	w := 6.2831855 * k.Hertz
	hw := float32(h * w)
	a := float32(hw * (float32(2*k.Damping) + float32(hw*hw)/(1+hw)))
	keep := 1 / (1 + a)
	return spring{rate: float32(hw*w) * keep, mass: a * keep, keep: keep}
}

// pull returns the velocity error by which a spring counts that is at x.
func (s *spring) pull(x float32) float32 { return max(-mostPull, min(mostPull, s.rate*x)) }

// axis is an axis during the step.
type axis struct {
	mass   float32  // effective
	v0     float32  // velocity at the start of the step, with the present Jacobian
	curve  float32  // mean velocity in the sub-step by the curvature of the constraint
	change float32  // of the value since the start of the step
	holds  rowHolds // see jointdirect.go

	Axis
	spring spring
	drive  DriveImpulses
	rigid  *AxisImpulses // of the joint
}

// begin sets x for a step with sub-steps of h seconds.
func (x *axis) begin(from *Axis, rigid *AxisImpulses, drive *DriveImpulses, h float32) {
	x.Axis, x.rigid, x.drive = *from, rigid, *drive
	if x.Flags&Sprung != 0 {
		x.spring = x.Spring.coefficients(h)
		x.MinForce, x.MaxForce = x.MinForce*h, x.MaxForce*h
	}
	x.MaxDrive *= h
}

// solveDrives solves spring and motor for the velocity v along the axis, and returns the impulse to apply.
func (x *axis) solveDrives(v float32) float32 {
	was := x.drive.Spring + x.drive.Motor
	if x.Flags&Sprung != 0 {
		s := &x.spring
		e := float32(s.mass*v) + s.pull(x.FromRest+x.change)
		sum := float32(s.mass*x.drive.Spring) - float32(x.mass*e) // s.mass is 1 - s.keep
		sum = max(x.MinForce, min(x.MaxForce, sum))
		v += float32(inverse(x.mass) * (sum - x.drive.Spring))
		x.drive.Spring = sum
	}
	if x.Flags&Driven != 0 {
		sum := x.drive.Motor - float32(x.mass*(v-x.Speed))
		x.drive.Motor = max(-x.MaxDrive, min(x.MaxDrive, sum))
	}
	return x.drive.Spring + x.drive.Motor - was
}

// solveRigid solves the rigid row and the limits for the velocity v along the axis, and returns the impulse to apply. A
// value within its limits may reach them in a time of 1/invH seconds.
func (x *axis) solveRigid(v float32, soft *softness, invH float32) float32 {
	imp := x.rigid
	was := imp.Held + imp.Upper + imp.Lower
	inv := inverse(x.mass)
	keep := 1 - soft.impulseScale
	if x.Flags&Held != 0 {
		e := v + soft.bias(x.FromRest+x.change)
		d := -float32(float32(x.mass*keep)*e) - float32(soft.impulseScale*imp.Held)
		imp.Held += d
		v += float32(inv * d)
	}
	if x.Flags&Lowest != 0 {
		d := x.limit(&imp.Lower, v, x.FromLower+x.change, soft, invH)
		v += float32(inv * d)
	}
	if x.Flags&Highest != 0 {
		// The same seen from the other side; its impulse is at least 0, too, and counts as negative.
		up := -imp.Upper
		x.limit(&up, -v, -(x.FromUpper + x.change), soft, invH)
		imp.Upper = -up
	}
	return imp.Held + imp.Upper + imp.Lower - was
}

// bias returns the velocity that corrects the error x.
func (s *softness) bias(x float32) float32 {
	return max(-mostBias, min(mostBias, s.biasRate*x))
}

// limit solves a limit at the distance gap, for the velocity v away from it, and returns the change of its
// impulse. A value beyond the limit meets a spring.
func (x *axis) limit(sum *float32, v, gap float32, soft *softness, invH float32) float32 {
	m, e, back := x.mass, v+float32(gap*invH), float32(0)
	if gap <= 0 {
		m, e, back = float32(m*(1-soft.impulseScale)), v+soft.bias(gap), float32(soft.impulseScale**sum)
	}
	was := *sum
	*sum = max(0, was-float32(m*e)-back)
	return *sum - was
}

// Drives reports whether a belt or a motor with the speed target moves its two bodies against each other, which have
// the relative speed v: a twentieth of the target or more, since an obstacle that holds a body leaves less, but a
// resistance may leave little. Such bodies are not at rest at any speed.
func Drives(v, target float64) bool { return target != 0 && v/target >= 0.05 }
