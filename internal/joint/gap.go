package joint

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Opens reports whether the joint holds its bodies in some direction, so that it may have a Gap.
func (j *Joint) Opens() bool {
	switch j.Kind {
	case Revolute, Prismatic, Wheel:
		return true
	case Weld:
		return j.Linear.Spring.Hertz == 0
	case Distance:
		return j.Linear.Limit.On || j.rigid()
	}
	return false
}

// rigid reports whether nothing changes the length of a distance joint.
func (j *Joint) rigid() bool {
	x := &j.Linear
	return !x.Limit.On && x.Spring.Hertz == 0 && x.Motor.Max == 0
}

// Gap returns how far the joint is open between a and b, in units of length: the distance of its frames in the
// directions in which it allows no motion, and the distance of its line past a limit. Angles do not count, nor do the
// rows of a spring or a motor.
func (j *Joint) Gap(a, b *Side) float64 {
	if !j.Opens() {
		return 0
	}
	s := j.State(a, b)
	switch apart := s.Apart.Len(); {
	case j.Kind == Prismatic || j.Kind == Wheel:
		return geom.V(j.Linear.Limit.past(s.Along), s.Across).Len()
	case j.Kind != Distance:
		return apart
	case j.rigid():
		return math.Abs(apart - j.Length)
	default:
		return j.Linear.Limit.past(apart)
	}
}

// past returns how far x is outside the limits.
func (l *Limit) past(x float64) float64 {
	if !l.On {
		return 0
	}
	return max(0, x-l.Upper, l.Lower-x)
}
