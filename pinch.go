package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// A shape may come to be pinched deep between two opposed surfaces of the ground: a block
// was placed there, or the shape was pushed out of solid into a place too narrow for it.
// Each surface pushes it away at pushSpeed, and two surfaces at a sharp angle then drive it
// out of the wedge at any speed; or friction, which holds a wedge, holds it there for ever.
// So a pinched shape has no friction, and a cap on its speed.

// pinchDepth is how deep, in cells, a pinched shape is on both sides: far deeper than any
// load presses a resting shape.
const pinchDepth = 10 * geom.LinearSlop

// pinchDepth returns how deep s must be to count as pinched: less than the constant for a
// thin shape.
func (s *shape) pinchDepth() float64 { return max(geom.LinearSlop, min(pinchDepth, 0.5*s.core)) }

// escapePinch handles a pinched shape. A slow shape will not get out the way it came: it is
// pushed to a free spot, through the ground if need be. A fast one gets a speed cap.
func (w *World) escapePinch(c *contactState, g *ground, s *shape, a, b *body, at geom.Transform, origin geom.Vec, t geom.Transform) {
	base := a.velocityAt(b.center.Sub(a.center))
	if b.velocity.Sub(base).Len() < pushSpeed {
		middle := at.Apply(s.hull.Centroid).Add(origin)
		if q, beside, ok := w.freeSpotAround(g, s, middle); ok {
			n, far := q.Sub(middle).Unit()
			if far <= beside {
				return // it has arrived, and may rest: there is no better place
			}
			if far > geom.LinearSlop {
				p := c.manifolds[0].Points[0]
				p.Feature = contact.Feature{Kind: contact.Escape}
				w.applyPushOut(c, s, b, at, t, n, far, p)
				if beside > 0 {
					// There is room for the whole shape: it is pushed exactly to the spot,
					// or it would overshoot, and come back, for ever.
					c.manifolds[0].Points[0].Separation = -(far + geom.LinearSlop)
				}
				return
			}
		}
	}
	c.pinched = true
	b.step.pinchSpeed = 2*pushSpeed + base.Len()
}

// deeperThan reports whether one of c's manifolds is deeper than depth.
func (c *contactState) deeperThan(depth float64) bool {
	for i := range c.manifolds {
		if c.manifolds[i].LeastSeparation() < -depth {
			return true
		}
	}
	return false
}

// isPinched reports whether one of c's manifolds is deeper than depth and another has an
// opposed normal.
func (c *contactState) isPinched(depth float64) bool {
	// Skip normals without an opposed one: on rough ground most normals are alike.
	var alone [16]geom.Vec
	known := 0
	for i := range c.manifolds {
		m := &c.manifolds[i]
		if m.LeastSeparation() >= -depth || slices.Contains(alone[:min(known, len(alone))], m.Normal) {
			continue
		}
		alone[known%len(alone)] = m.Normal
		known++
		for j := range c.manifolds {
			if o := &c.manifolds[j]; m.Normal.Dot(o.Normal) < 0 {
				return true
			}
		}
	}
	return false
}

// limitPinched limits the motion that the solver found for a pinched body to its pinchSpeed
// or the speed before, whichever is more.
func (b *body) limitPinched(v geom.Vec, spin float64, d geom.Vec, dt float64) (geom.Vec, float64, geom.Vec) {
	most := max(b.step.pinchSpeed, b.velocity.Len())
	if l := v.Len(); l > most {
		v = v.Mul(most / l)
	}
	if l := d.Len(); l > most*dt {
		d = d.Mul(most * dt / l)
	}
	turn := max(math.Abs(b.spin), b.step.pinchSpeed/max(b.extent, geom.LinearSlop))
	return v, max(-turn, min(turn, spin)), d
}
