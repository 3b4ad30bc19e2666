package joint

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/internal/check"
)

// Bounds of the fields. Products of larger values would not fit the solver's float32.
const (
	mostReach = 1e9 // of anchors, lengths and targets, units of length
	mostAngle = 1e6 // radians
	mostHertz = 1e6 // also of damping ratios
	mostRatio = 1e3 // of gears
	mostSpeed = 1e6 // of motors, units of length or radians a second
	fullTurn  = 2 * math.Pi
)

// Check panics if a field of j is out of range. call names the call; the text names the field of the public
// definition of j's kind.
func (j *Joint) Check(call string) {
	c := checker{call, j.Kind}
	if j.Kind != Mouse {
		c.frame("FrameA", &j.A)
	} else {
		c.within("Target.X", "", j.A.Origin.X, -mostReach, mostReach)
		c.within("Target.Y", "", j.A.Origin.Y, -mostReach, mostReach)
	}
	c.frame("FrameB", &j.B)
	c.spring("Constraint", &j.Rigid)
	c.within("ForceThreshold", "", j.ForceThreshold, 0, math.Inf(1))
	c.within("TorqueThreshold", "", j.TorqueThreshold, 0, math.Inf(1))
	linear, angular := "", "Angular"
	switch j.Kind {
	case Revolute:
		angular = ""
	case Gear, Ratchet:
	case Mouse:
		c.within("MaxForce", "", j.Linear.MaxForce, 0, math.Inf(1))
	case Weld, Motor:
		c.within("MaxSpringForce", "", j.Linear.MaxForce, 0, math.Inf(1))
		c.within("MaxSpringTorque", "", j.Angular.MaxForce, 0, math.Inf(1))
	default:
		c.within("MinForce", "", j.Linear.MinForce, math.Inf(-1), math.Inf(1))
		c.above("MaxForce", j.Linear.MaxForce, "MinForce", j.Linear.MinForce, math.Inf(1))
	}
	if j.Kind == Wheel || j.Kind == Gear {
		angular = ""
	}
	if j.Kind == Motor {
		c.within("AngularVelocity", "", j.Angular.Motor.Speed, -mostSpeed, mostSpeed)
		c.within("MaxTorque", "", j.Angular.Motor.Max, 0, math.Inf(1))
	}
	c.axis(linear, &j.Linear, "Target", mostReach)
	if j.Kind == Distance {
		c.within("Limit.Lower", "", j.Linear.Limit.Lower, 0, mostReach)
	}
	c.axis(angular, &j.Angular, "TargetAngle", mostAngle)
	c.within("Ratio", "", j.turns.Ratio, -mostRatio, mostRatio)
	c.within("Tooth", "", j.turns.tooth, 0, mostAngle)
	if l := &j.Angular.Limit; j.Kind != Gear && !(l.Upper-l.Lower < fullTurn) {
		c.refuse("Limit.Upper", "", l.Upper, "less than a turn (2 pi) above Lower")
	}
	c.within("Length", "", j.Length, 0, mostReach)
	c.within("Velocity.X", "", j.Drag.X, -mostSpeed, mostSpeed)
	c.within("Velocity.Y", "", j.Drag.Y, -mostSpeed, mostSpeed)
	c.within("MaxForce", "", j.MaxDrag, 0, math.Inf(1))
}

// A checker checks the fields of a joint.
type checker struct {
	call string
	kind Kind
}

// refuse panics: the field is out of range. It makes the texts, so that a valid field costs no memory.
func (c checker) refuse(field, part string, x float64, limit string) {
	check.Refuse(c.call, c.kind.String()+"Joint."+field+part, x, limit)
}

func (c checker) within(field, part string, x, lo, hi float64) {
	if !(x >= lo && x <= hi) {
		switch {
		case math.IsInf(hi, 1) && lo == 0:
			c.refuse(field, part, x, "at least 0")
		default:
			check.Within(c.call, c.kind.String()+"Joint."+field+part, x, lo, hi, "")
		}
	}
}

// above checks that x is at least lo, the value of the field of the name least, and at most hi.
func (c checker) above(field string, x float64, least string, lo, hi float64) {
	switch {
	case x >= lo && x <= hi:
	case math.IsInf(hi, 1):
		c.refuse(field, "", x, fmt.Sprintf("at least %s (%v)", least, lo))
	default:
		c.refuse(field, "", x, fmt.Sprintf("%s (%v) to %v", least, lo, hi))
	}
}

func (c checker) frame(name string, f *Frame) {
	c.within(name, ".Position.X", f.Origin.X, -mostReach, mostReach)
	c.within(name, ".Position.Y", f.Origin.Y, -mostReach, mostReach)
	c.within(name, ".Angle", f.Angle, -mostAngle, mostAngle)
}

func (c checker) spring(name string, s *Spring) {
	c.within(name, ".Hertz", s.Hertz, 0, mostHertz)
	c.within(name, ".DampingRatio", s.DampingRatio, 0, mostHertz)
}

// axis checks an axis whose value is at most most. target is the name of the field Target.
func (c checker) axis(prefix string, x *Axis, target string, most float64) {
	c.spring(prefix+"Spring", &x.Spring)
	c.within(target, "", x.Target, -most, most)
	c.within(prefix+"Motor.Speed", "", x.Motor.Speed, -mostSpeed, mostSpeed)
	c.within(prefix+"Motor.Max", "", x.Motor.Max, 0, math.Inf(1))
	c.within(prefix+"MinForce", "", x.MinForce, math.Inf(-1), math.Inf(1)) // not NaN
	c.within(prefix+"MaxForce", "", x.MaxForce, math.Inf(-1), math.Inf(1))
	c.within(prefix+"Limit.Lower", "", x.Limit.Lower, -most, most)
	c.above(prefix+"Limit.Upper", x.Limit.Upper, "Lower", x.Limit.Lower, most)
}
