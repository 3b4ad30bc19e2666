package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// Pair is two shapes of two bodies.
type Pair struct {
	A, B         *collide.Hull
	FrameA       geom.Transform // of A's body
	FrameB       geom.Transform // of B's body
	LocalCenterA geom.Vec       // A's centre of mass, in its body's frame
	Apart        geom.Vec       // from B's centre of mass to A's
}

// Shapes replaces manifolds, those of the step before, by the manifold of two shapes, and returns
// the least separation of its points; 0 if none is negative.
func Shapes(manifolds *[]contact.Manifold, p *Pair) (deepest float64) {
	var m collide.Manifold
	collide.Hulls(&m, p.A, p.B, p.FrameA.InvMul(p.FrameB), contact.SpeculativeDistance)
	if m.N == 0 {
		*manifolds = (*manifolds)[:0]
		return 0
	}
	var old contact.Manifold
	if len(*manifolds) > 0 {
		old = (*manifolds)[0]
	}
	*manifolds = append((*manifolds)[:0], contact.Manifold{Normal: p.FrameA.Q.Apply(m.Normal), N: m.N, RollImpulse: old.RollImpulse})
	now := &(*manifolds)[0]
	for k := range m.N {
		q := &now.Points[k]
		q.AnchorA = p.FrameA.Q.Apply(m.Points[k].Anchor.Sub(p.LocalCenterA))
		q.AnchorB = q.AnchorA.Add(p.Apart)
		q.Separation = m.Points[k].Separation
		if q.Separation < deepest {
			deepest = q.Separation
		}
		q.Feature = contact.Feature{Pair: m.Points[k].ID}
		if !q.Inherit(&old) {
			q.InheritNear(&old, now.Normal)
		}
	}
	return deepest
}
