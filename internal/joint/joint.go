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
	// Prismatic holds B's frame on the x axis of A's, unturned. Its axis is the line.
	Prismatic
	// Distance has the line from A's origin to B's as its axis, and allows all else.
	Distance
	// Weld holds both frames together, by springs if Linear or Angular have a frequency.
	Weld
	// Wheel holds B's origin on the x axis of A's frame, which is the line of its suspension, and lets B turn.
	// Both are axes.
	Wheel
	// Motor drives B relative to A: with a force and a torque towards a velocity and a spin, and with springs
	// towards A's frame. It allows all motion. With the static body as A it is a mouse joint: A's frame is the target.
	Motor
)

// Frame is a frame on a body, in the body's own coordinates.
type Frame struct {
	Origin geom.Vec
	Rot    geom.Rot
}

// Axis describes the spring, the motor and the limits of a line (units of length, of force) or of an angle
// (radians, units of torque).
type Axis struct {
	Spring             bool
	Hertz, Damping     float64 // of the spring: frequency and damping ratio
	Target             float64 // at which the spring is at rest
	MinForce, MaxForce float64 // of the spring; both 0: of any force

	Motor    bool
	Speed    float64 // units of length or radians a second
	MaxDrive float64 // greatest force or torque of the motor

	Limit        bool
	Lower, Upper float64 // an angle's differ by less than a turn
}

// Joint is a joint, with its impulses from the last step.
type Joint struct {
	Kind   Kind
	A, B   Frame
	Linear Axis // the line; of Weld and Motor the spring to A's origin, of which MaxForce is the greatest force, 0: of any
	// Angular is the angle; of Weld and Motor the spring to A's angle.
	Angular Axis

	// Length is that of Distance; with Linear.Spring where the spring is at rest. A rope is a Distance with
	// Slack and Linear.Limit.
	Length float64
	Slack  bool // the length of Distance is not held

	Drag    geom.Vec // Motor: velocity of B's origin relative to A's, in world axes
	MaxDrag float64  // Motor: greatest force of it

	// Frequency and damping ratio of the rows that allow no motion; 0: 60 hertz (at most a quarter of the rate of sub-steps)
	// and 2.
	Hertz, Damping float64

	ForceLimit, TorqueLimit float64 // a reaction beyond them is Over; 0: never

	Impulses solve.JointImpulses
}

// Frequency and damping ratio of the rows that allow no motion.
const (
	rigidHertz   = 60
	rigidDamping = 2
)

// Side is a body at the start of a step.
type Side struct {
	Center      geom.Vec // of mass, in the world
	Rot         geom.Rot
	LocalCenter geom.Vec // of mass, in the body's coordinates
	Velocity    geom.Vec // of the centre of mass
	Spin        float64
}

// arm returns the origin of f less the centre of mass.
func (s *Side) arm(f *Frame) geom.Vec { return s.Rot.Apply(f.Origin.Sub(s.LocalCenter)) }

// State is where a joint is.
type State struct {
	Apart  geom.Vec // B's origin less A's, in the world
	Line   geom.Vec // direction of A's x axis in the world
	Along  float64  // B's origin along and across A's x axis
	Across float64
	Angle  float64 // of B's frame from A's, -pi to pi
}

// State returns the state of j between a and b.
func (j *Joint) State(a, b *Side) State {
	apart := b.Center.Sub(a.Center).Add(b.arm(&j.B).Sub(a.arm(&j.A)))
	turned := a.Rot.Mul(j.A.Rot)
	line := geom.Vec{X: turned.C, Y: turned.S}
	return State{
		Apart: apart, Line: line,
		Along: apart.Dot(line), Across: line.Cross(apart),
		Angle: turned.InvMul(b.Rot.Mul(j.B.Rot)).Angle(),
	}
}

// Fill sets out, which is zero, to j between a and b at the start of a step.
func (j *Joint) Fill(out *solve.Joint, a, b *Side) {
	s := j.State(a, b)
	armA, armB := a.arm(&j.A), b.arm(&j.B)
	drift := b.Velocity.Sub(a.Velocity)
	out.ArmAX, out.ArmAY, out.ArmBX, out.ArmBY = float32(armA.X), float32(armA.Y), float32(armB.X), float32(armB.Y)
	out.ApartX, out.ApartY = float32(s.Apart.X), float32(s.Apart.Y)
	out.DriftX, out.DriftY, out.Spin = float32(drift.X), float32(drift.Y), float32(b.Spin-a.Spin)
	out.Hertz, out.Damping = float32(j.Hertz), float32(j.Damping)
	if j.Hertz == 0 {
		out.Hertz = rigidHertz
	}
	if j.Damping == 0 {
		out.Damping = rigidDamping
	}
	out.ForceLimit, out.TorqueLimit = float32(j.ForceLimit), float32(j.TorqueLimit)
	out.JointImpulses = j.Impulses
	j.Angular.fill(&out.Angular, s.Angle, true)
	switch j.Kind {
	case Revolute:
		out.Flags = solve.Rigid
	case Weld, Motor:
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
		if !j.Slack && !j.Linear.Spring {
			out.Linear.Flags |= solve.Held
		}
	}
}

// fillPoint sets the rows of a weld or motor joint, whose angle is at angle.
func (j *Joint) fillPoint(out *solve.Joint, angle float64) {
	if l := &j.Linear; l.Hertz > 0 {
		out.Flags |= solve.Pulled
		out.Pull = solve.Spring{Hertz: float32(l.Hertz), Damping: float32(l.Damping)}
		if out.MaxPull = float32(l.MaxForce); l.MaxForce == 0 {
			out.MaxPull = float32(math.Inf(1))
		}
	} else if j.Kind == Weld {
		out.Flags |= solve.Rigid
	}
	x := &out.Angular
	if j.Angular.Hertz > 0 {
		x.Flags |= solve.Sprung
	} else if x.Flags &^= solve.Sprung; j.Kind == Weld {
		x.Flags |= solve.Held
	}
	if j.Kind == Motor && j.MaxDrag > 0 {
		out.Flags |= solve.Dragged
		out.DragX, out.DragY, out.MaxDrag = float32(j.Drag.X), float32(j.Drag.Y), float32(j.MaxDrag)
	}
	x.FromRest = float32(angle)
}

// fill sets out to the axis x at value.
func (x *Axis) fill(out *solve.Axis, value float64, angle bool) {
	out.FromRest = float32(wrapped(value-x.Target, angle))
	out.Spring = solve.Spring{Hertz: float32(x.Hertz), Damping: float32(x.Damping)}
	out.MinForce, out.MaxForce = float32(x.MinForce), float32(x.MaxForce)
	if x.MinForce == 0 && x.MaxForce == 0 {
		out.MinForce, out.MaxForce = float32(math.Inf(-1)), float32(math.Inf(1))
	} else if angle && x.MinForce == 0 {
		out.MinForce = -out.MaxForce
	}
	if x.Spring {
		out.Flags |= solve.Sprung
	}
	if x.Motor {
		out.Flags |= solve.Driven
		out.Speed, out.MaxDrive = float32(x.Speed), float32(x.MaxDrive)
	}
	if x.Limit {
		out.Flags |= solve.Limited
		// The angle of the turn around the middle of the limits.
		middle := float64(0.5 * (x.Lower + x.Upper))
		value = middle + wrapped(value-middle, angle)
		out.FromLower, out.FromUpper = float32(value-x.Lower), float32(value-x.Upper)
	}
}

// wrapped returns x, if it is an angle that of -pi to pi.
func wrapped(x float64, angle bool) float64 {
	if !angle || x >= -math.Pi && x <= math.Pi {
		return x
	}
	return x - float64(2*math.Pi*math.Floor(x/(2*math.Pi)+0.5))
}
