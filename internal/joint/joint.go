// Package joint describes joints between two bodies, and fills the solver's rows of a joint from
// the poses and velocities of its bodies at the start of a step, in float64. It does not know World.
//
// Each joint has a frame on either body. A frame's x axis is the joint's line (prismatic, wheel), and the
// relative angle is that from A's frame to B's.
package joint

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/solve"
)

// Kind is a kind of joint.
type Kind uint8

const (
	// Revolute holds the origins of both frames together. Its axis is the angle.
	Revolute Kind = iota
	// Prismatic holds B's frame on the x axis of A's frame, without rotation. Its axis is the line.
	Prismatic
	// Distance has the line from A's origin to B's as its axis, and allows all other motion. The length is rigid if
	// the axis has no spring, limit or motor.
	Distance
	// Weld holds both frames together, by springs if Linear or Angular have a frequency.
	Weld
	// Wheel holds B's origin on the x axis of A's frame, which is the line of its suspension, and lets B turn.
	// Both are axes.
	Wheel
	// Motor drives B relative to A: with a force and a torque towards a velocity and a spin, and with springs
	// towards A's frame. It allows all motion.
	Motor
	// Mouse is a Motor whose target is A's frame, with a spring only.
	Mouse
	// Filter has no rows.
	Filter
	// Gear has Ratio times B's angle minus A's angle as its axis, counted over whole turns, and allows all other
	// motion. It is rigid if the axis has no spring, limit or motor.
	Gear
	// Ratchet is a Gear of ratio 1 whose limit follows the angle from tooth to tooth.
	Ratchet
)

// String returns the name of k, as in the name of its definition.
func (k Kind) String() string {
	return [...]string{
		"Revolute", "Prismatic", "Distance", "Weld", "Wheel", "Motor", "Mouse", "Filter", "Gear",
		"Ratchet",
	}[k]
}

// Frame is a frame on a body, in the body's own coordinates.
type Frame struct {
	Origin geom.Vec
	Angle  float64 // radians
	Rot    geom.Rot
}

// FrameAt returns the frame at origin, turned by angle.
func FrameAt(origin geom.Vec, angle float64) Frame { return Frame{origin, angle, geom.NewRot(angle)} }

// FrameOn returns the frame at p, in the world, on a body with the frame on. Its x axis has the direction of
// axis.
func FrameOn(on geom.Transform, p, axis geom.Vec) Frame {
	return FrameAt(on.Inv(p), on.Q.InvMul(geom.NewRot(geom.Atan2(axis.Y, axis.X))).Angle())
}

// Spring is a damped spring; without a frequency there is none.
type Spring struct{ Hertz, DampingRatio float64 }

// Drive is a motor; without a maximum force or torque there is none.
type Drive struct {
	Speed float64 // units of length or radians a second
	Max   float64 // maximum force or torque; may be infinite
}

// Limit is a range of an axis's value; an angle's is less than a turn.
type Limit struct {
	On           bool
	Lower, Upper float64
}

// Axis describes the spring, the motor and the limits of a line (units of length, of force) or of an angle
// (radians, units of torque).
type Axis struct {
	Spring             Spring
	Target             float64 // at which the spring is at rest
	MinForce, MaxForce float64 // of the spring; both 0: of any force
	Motor              Drive
	Limit              Limit
}

// Joint is a joint, with its impulses from the last step. The fields that a step reads of most joints come last, next
// to those that the world adds: memory is what a joint costs outside the solver.
type Joint struct {
	// the line; of Weld, Motor and Mouse the spring to A's origin, of which MaxForce is the maximum force, 0: of any
	Linear Axis
	// Angular is the angle; of Weld and Motor the spring to A's angle. Of Gear and Ratchet it is the solver's linear
	// axis.
	Angular Axis

	Length float64 // Distance: rigid, or where the spring is at rest

	Drag    geom.Vec // Motor: velocity of B's origin relative to A's, in world axes
	MaxDrag float64  // Motor: maximum force of it

	// Rigid has the frequency and damping ratio of the rows that allow no motion; 0: 60 hertz (at most a quarter of the
	// rate of sub-steps) and 2.
	Rigid Spring

	ForceThreshold, TorqueThreshold float64 // a reaction beyond them is Over; 0: never

	Kind     Kind
	A, B     Frame
	substep  float64 // of Impulses, seconds
	turns    turns   // Gear and Ratchet
	Impulses solve.JointImpulses
}

// Frequency and damping ratio of the rows that allow no motion.
const (
	rigidHertz   = 60
	rigidDamping = 2
)

// Change makes j the joint to, of the same kind, with the impulses of j.
func (j *Joint) Change(to *Joint) {
	impulses, substep, was := j.Impulses, j.substep, j.turns
	*j = *to
	j.Impulses, j.substep, j.turns.a, j.turns.b = impulses, substep, was.a, was.b
	if was.tooth == to.turns.tooth && was.back == to.turns.back {
		j.turns.held = was.held
	}
}

// Side is a body at the start of a step.
type Side struct {
	Center      geom.Vec // of mass, in the world
	Rot         geom.Rot
	LocalCenter geom.Vec // of mass, in the body's coordinates
	Velocity    geom.Vec // of the centre of mass
	Spin        float64
}

// arm returns the origin of f less the centre of mass.
func (s *Side) arm(f *Frame) geom.Vec { return near(s.Rot.Apply(f.Origin.Sub(s.LocalCenter))) }

// originVelocity returns the velocity of the origin of f.
func (s *Side) originVelocity(f *Frame) geom.Vec { return s.Velocity.MulAdd(s.Spin, s.arm(f).Left()) }

// near returns v with each coordinate limited to mostReach.
func near(v geom.Vec) geom.Vec {
	return geom.V(max(-mostReach, min(mostReach, v.X)), max(-mostReach, min(mostReach, v.Y)))
}

// State is where a joint is.
type State struct {
	Apart  geom.Vec // B's origin less A's, in the world; each coordinate at most mostReach
	Line   geom.Vec // direction of A's x axis in the world
	Along  float64  // B's origin along and across A's x axis
	Across float64
	Angle  float64 // of B's frame from A's, -pi to pi; of Gear and Ratchet their value, over whole turns
}

// State returns the state of j between a and b.
func (j *Joint) State(a, b *Side) State {
	apart := near(b.Center.Sub(a.Center).Add(b.arm(&j.B).Sub(a.arm(&j.A))))
	turned := a.Rot.Mul(j.A.Rot)
	line := geom.Vec{X: turned.C, Y: turned.S}
	s := State{Apart: apart, Line: line, Along: apart.Dot(line), Across: line.Cross(apart)}
	if j.Geared() {
		t := j.turned(a, b)
		s.Angle = j.value(&t)
	} else {
		s.Angle = turned.InvMul(b.Rot.Mul(j.B.Rot)).Angle()
	}
	return s
}

// Speed returns the rate at which the value of the axis of j's motor changes between a and b: units of length a second
// of Prismatic and Distance, radians a second of all others.
func (j *Joint) Speed(a, b *Side) float64 {
	if j.Geared() {
		return float64(j.ratio()*b.Spin) - a.Spin
	}
	if j.Kind != Prismatic && j.Kind != Distance {
		return b.Spin - a.Spin
	}
	s, line := j.State(a, b), geom.Vec{}
	v := b.originVelocity(&j.B).Sub(a.originVelocity(&j.A))
	if line = s.Line; j.Kind == Distance {
		line = s.Apart.Mul(1 / max(s.Apart.Len(), math.SmallestNonzeroFloat32))
	} else {
		v = v.MulAdd(-a.Spin, s.Apart.Left())
	}
	return v.Dot(line)
}

// A joint has at most one spring, motor and limit of those names in its public definition; of two springs the other is
// for the angle. The setters of these return false if j has none.

// SetSpring sets j's spring.
func (j *Joint) SetSpring(to Spring) bool {
	if j.Kind == Revolute || j.Kind == Gear {
		j.Angular.Spring = to
	} else {
		j.Linear.Spring = to
	}
	return j.Kind != Filter && j.Kind != Ratchet
}

// SetMotor sets j's motor.
func (j *Joint) SetMotor(to Drive) bool {
	x := j.driven()
	if x != nil {
		x.Motor = to
	}
	return x != nil
}

// SetMotorSpeed sets the speed of j's motor.
func (j *Joint) SetMotorSpeed(speed float64) bool {
	x := j.driven()
	if x != nil {
		x.Motor.Speed = speed
	}
	return x != nil
}

// driven returns the axis of j's motor; nil if j has none or, as Motor, more than one.
func (j *Joint) driven() *Axis {
	switch j.Kind {
	case Revolute, Wheel, Gear:
		return &j.Angular
	case Prismatic, Distance:
		return &j.Linear
	}
	return nil
}

// Drives reports whether a motor of j moves a and b against each other, at 1/20 of its speed or more: it is not held by
// an obstacle.
func (j *Joint) Drives(a, b *Side) bool {
	if x := j.driven(); x != nil {
		return x.Motor.Max > 0 && solve.Drives(j.Speed(a, b), x.Motor.Speed)
	}
	if j.Kind != Motor {
		return false
	}
	far := j.Drag.Len2()
	return j.Angular.Motor.Max > 0 && solve.Drives(b.Spin-a.Spin, j.Angular.Motor.Speed) ||
		j.MaxDrag > 0 && far > 0 && solve.Drives(b.originVelocity(&j.B).Sub(a.originVelocity(&j.A)).Dot(j.Drag), far)
}

// MotorForce returns the force or torque of j's motor in the last sub-step.
func (j *Joint) MotorForce() float64 {
	impulse := j.Impulses.AngularDrive.Motor
	if j.Kind == Prismatic || j.Kind == Distance || j.Kind == Gear {
		impulse = j.Impulses.LinearDrive.Motor
	}
	if j.driven() == nil || j.substep == 0 {
		return 0
	}
	return float64(impulse) / j.substep
}

// SetLength sets the length of a Distance.
func (j *Joint) SetLength(to float64) bool {
	j.Length = to
	return j.Kind == Distance
}

// SetTarget sets the target of a Mouse.
func (j *Joint) SetTarget(to geom.Vec) bool {
	j.A.Origin = to
	return j.Kind == Mouse
}

// SetTargetAngle sets the angle at which the spring of a Revolute is at rest, or that a Gear holds.
func (j *Joint) SetTargetAngle(to float64) bool {
	j.Angular.Target = to
	return j.Kind == Revolute || j.Kind == Gear
}

// SetTargetTranslation sets the place at which the spring of a Prismatic is at rest.
func (j *Joint) SetTargetTranslation(to float64) bool {
	j.Linear.Target = to
	return j.Kind == Prismatic
}

// SetLimit sets j's limit.
func (j *Joint) SetLimit(to Limit) bool {
	switch j.Kind {
	case Revolute, Gear:
		j.Angular.Limit = to
	case Prismatic, Distance, Wheel:
		j.Linear.Limit = to
	default:
		return false
	}
	return true
}

// Fill sets out, which is zero, to j between a and b at the start of a step with sub-steps of h seconds. If pin is
// set, j is a Pin, and Fill leaves out the angle, which costs most.
func (j *Joint) Fill(out *solve.Joint, a, b *Side, h float64, pin bool) {
	armA, armB := a.arm(&j.A), b.arm(&j.B)
	drift := b.Velocity.Sub(a.Velocity)
	out.ArmAX, out.ArmAY, out.ArmBX, out.ArmBY = float32(armA.X), float32(armA.Y), float32(armB.X), float32(armB.Y)
	out.DriftX, out.DriftY, out.Spin = float32(drift.X), float32(drift.Y), float32(b.Spin-a.Spin)
	out.Hertz, out.Damping = float32(j.Rigid.Hertz), float32(j.Rigid.DampingRatio)
	if out.Hertz == 0 {
		out.Hertz = rigidHertz
	}
	if out.Damping == 0 {
		out.Damping = rigidDamping
	}
	if pin {
		apart := near(b.Center.Sub(a.Center).Add(armB.Sub(armA)))
		out.ApartX, out.ApartY = float32(apart.X), float32(apart.Y)
		out.Flags = solve.Rigid
		f := j.stretch(h)
		out.U, out.V = j.Impulses.U*f, j.Impulses.V*f
		return
	}
	if j.Geared() {
		j.fillTurns(out, a, b)
		j.warm(out, h)
		return
	}
	s := j.State(a, b)
	out.ApartX, out.ApartY = float32(s.Apart.X), float32(s.Apart.Y)
	j.Angular.fill(&out.Angular, s.Angle, true)
	switch j.Kind {
	case Revolute:
		out.Flags = solve.Rigid
	case Weld, Motor, Mouse:
		j.fillPoint(out, s.Angle)
	case Prismatic, Wheel:
		out.Shape, out.Flags = solve.Slide, solve.Rigid
		out.LineX, out.LineY = float32(s.Line.X), float32(s.Line.Y)
		out.ApartX, out.ApartY = float32(s.Along), float32(s.Across)
		j.Linear.fill(&out.Linear, s.Along, false)
		if j.Kind == Prismatic {
			out.Flags |= solve.RigidAngle
			out.Angle = float32(s.Angle)
			out.Angular.Flags = 0
		}
	case Distance:
		out.Shape = solve.Span
		out.Angular.Flags = 0
		long := s.Apart.Len()
		j.Linear.fill(&out.Linear, long, false)
		out.Linear.FromRest = float32(long - j.Length)
		if out.Linear.Flags == 0 {
			out.Linear.Flags = solve.Held
		}
	}
	j.warm(out, h)
}

// Take takes the impulses of a step with sub-steps of h seconds, and returns its reaction.
func (j *Joint) Take(x *solve.JointImpulses, did *solve.Reaction, h float64) Reaction {
	j.Impulses, j.substep = *x, h
	r := Reaction{Reaction: *did}
	force, torque := j.ForceThreshold, j.TorqueThreshold
	r.Over = force > 0 && float64(r.ForceX*r.ForceX)+float64(r.ForceY*r.ForceY) > force*force ||
		torque > 0 && math.Abs(r.Torque) > torque
	return r
}

// Reaction is the force and torque of a joint in a step.
type Reaction struct {
	solve.Reaction
	Over bool // beyond a threshold
}

// Pin reports whether j only holds its anchors together (solve.Link).
func (j *Joint) Pin() bool {
	x := &j.Angular
	return j.Kind == Revolute && x.Spring.Hertz == 0 && x.Motor.Max == 0 && !x.Limit.On
}

// warm sets the impulses of out from j, for sub-steps of h seconds, and only for the rows that out has,
// since the definition may have changed.
func (j *Joint) warm(out *solve.Joint, h float64) {
	f, x, y := j.stretch(h), out.Linear.Flags, out.Angular.Flags
	has := func(row solve.JointFlags) bool { return out.Flags&row != 0 }
	rows := [...]bool{ // in the order of each
		has(solve.Rigid), has(solve.Rigid) && out.Shape == solve.Point2 || has(solve.RigidAngle),
		has(solve.Pulled), has(solve.Pulled), has(solve.Dragged), has(solve.Dragged),
		x&solve.Held != 0, x&solve.Lowest != 0, x&solve.Highest != 0,
		y&solve.Held != 0, y&solve.Lowest != 0, y&solve.Highest != 0,
		x&solve.Sprung != 0, x&solve.Driven != 0, y&solve.Sprung != 0, y&solve.Driven != 0,
	}
	out.JointImpulses = j.Impulses
	for i, impulse := range each(&out.JointImpulses) {
		if *impulse *= f; !rows[i] {
			*impulse = 0
		}
	}
}

// stretch returns the factor of impulses in sub-steps of h seconds. Forces stay the same from step to step, so impulses
// grow with the length of a sub-step.
func (j *Joint) stretch(h float64) float32 {
	if j.substep == 0 {
		return 1
	}
	return float32(min(h/j.substep, solve.MostStretch))
}

// each lists the impulses of x.
func each(x *solve.JointImpulses) [16]*float32 {
	return [...]*float32{
		&x.U, &x.V, &x.PullX, &x.PullY, &x.DragImpulseX, &x.DragImpulseY,
		&x.Linear.Held, &x.Linear.Lower, &x.Linear.Upper, &x.Angular.Held, &x.Angular.Lower, &x.Angular.Upper,
		&x.LinearDrive.Spring, &x.LinearDrive.Motor, &x.AngularDrive.Spring, &x.AngularDrive.Motor,
	}
}

// fillPoint sets the rows of a weld, motor or mouse joint, whose angle is at angle.
func (j *Joint) fillPoint(out *solve.Joint, angle float64) {
	if l := &j.Linear; l.Spring.Hertz > 0 {
		out.Flags |= solve.Pulled
		out.Pull = l.Spring.toSolver()
		if out.MaxPull = float32(l.MaxForce); l.MaxForce == 0 {
			out.MaxPull = float32(math.Inf(1))
		}
	} else if j.Kind == Weld {
		out.Flags |= solve.Rigid
	}
	x := &out.Angular
	if j.Kind == Weld && j.Angular.Spring.Hertz == 0 {
		x.Flags |= solve.Held
	}
	if j.Kind == Motor && j.MaxDrag > 0 {
		out.Flags |= solve.Dragged
		out.DragX, out.DragY, out.MaxDrag = float32(j.Drag.X), float32(j.Drag.Y), float32(j.MaxDrag)
	}
	x.FromRest = float32(angle)
}

func (k Spring) toSolver() solve.Spring {
	return solve.Spring{Hertz: float32(k.Hertz), Damping: float32(k.DampingRatio)}
}

// fill sets out to the axis x at value.
func (x *Axis) fill(out *solve.Axis, value float64, angle bool) {
	out.FromRest = float32(wrapped(value-x.Target, angle))
	out.Spring = x.Spring.toSolver()
	out.MinForce, out.MaxForce = float32(x.MinForce), float32(x.MaxForce)
	if x.MinForce == 0 && x.MaxForce == 0 {
		out.MinForce, out.MaxForce = float32(math.Inf(-1)), float32(math.Inf(1))
	} else if angle && x.MinForce == 0 {
		out.MinForce = -out.MaxForce
	}
	if x.Spring.Hertz > 0 {
		out.Flags |= solve.Sprung
	}
	if x.Motor.Max > 0 {
		out.Flags |= solve.Driven
		out.Speed, out.MaxDrive = float32(x.Motor.Speed), float32(x.Motor.Max)
	}
	if l := &x.Limit; l.On {
		out.Flags |= solve.Limited
		// The angle of the turn around the middle of the limits.
		middle := float64(0.5 * (l.Lower + l.Upper))
		value = middle + wrapped(value-middle, angle)
		out.FromLower, out.FromUpper = float32(value-l.Lower), float32(value-l.Upper)
	}
}

// wrapped returns x, if it is an angle wrapped to -pi to pi.
func wrapped(x float64, angle bool) float64 {
	if !angle || x >= -math.Pi && x <= math.Pi {
		return x
	}
	return x - float64(2*math.Pi*math.Floor(x/(2*math.Pi)+0.5))
}
