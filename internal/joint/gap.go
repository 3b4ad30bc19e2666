package joint

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Gap returns how far the joint is open between a and b, in units of length: the distance of its frames in the
// directions in which it allows no motion, and the distance of its line past a limit. Angles do not count, nor do the
// rows of a spring or a motor.
func (j *Joint) Gap(a, b *Side) float64 {
	switch j.Kind {
	case Revolute:
		return j.State(a, b).Apart.Len()
	case Weld:
		if j.Linear.Spring.Hertz == 0 {
			return j.State(a, b).Apart.Len()
		}
	case Prismatic, Wheel:
		s := j.State(a, b)
		return geom.V(j.Linear.Limit.past(s.Along), s.Across).Len()
	case Distance:
		long := j.State(a, b).Apart.Len()
		if x := &j.Linear; !x.Limit.On && x.Spring.Hertz == 0 && x.Motor.Max == 0 {
			return math.Abs(long - j.Length)
		}
		return j.Linear.Limit.past(long)
	}
	return 0
}

// past returns how far x is outside the limits.
func (l *Limit) past(x float64) float64 {
	if !l.On {
		return 0
	}
	return max(0, x-l.Upper, l.Lower-x)
}
