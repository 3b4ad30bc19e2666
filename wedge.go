package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// A shape may come to be deep between two surfaces of the ground that face each
// other: a block was put there, or it was pushed out of solid into a place too
// narrow for it. Each surface pushes it away at pushSpeed, and what lies between
// two at a sharp angle is then driven out of the wedge at any speed; or friction,
// which holds a wedge, holds it there for ever. So it does not rub until it is
// out, and is not made faster than a push would make it.

// wedgedDepth is how deep, in cells, a shape is on both sides that is on its way
// out rather than at rest: far deeper than any load presses.
const wedgedDepth = 10 * geom.LinearSlop

// pinched reports whether two of c's manifolds are deep and push against each
// other.
func (c *contact) pinched() bool {
	for i := range c.manifolds {
		m := &c.manifolds[i]
		if !m.deep() {
			continue
		}
		for j := i + 1; j < len(c.manifolds); j++ {
			if o := &c.manifolds[j]; m.normal.Dot(o.normal) < 0 && o.deep() {
				return true
			}
		}
	}
	return false
}

func (m *manifold) deep() bool {
	for k := range m.n {
		if m.points[k].separation < -wedgedDepth {
			return true
		}
	}
	return false
}

// unwedged returns the motion that the solver found for a wedged body, kept
// within what its wedge allows or what it had before, whichever is more.
func (b *body) unwedged(v geom.Vec, spin float64, d geom.Vec, dt float64) (geom.Vec, float64, geom.Vec) {
	most := max(b.wedge, b.velocity.Len())
	if l := v.Len(); l > most {
		v = v.Mul(most / l)
	}
	if l := d.Len(); l > most*dt {
		d = d.Mul(most * dt / l)
	}
	turn := max(math.Abs(b.spin), b.wedge/max(b.reach, geom.LinearSlop))
	return v, max(-turn, min(turn, spin)), d
}
