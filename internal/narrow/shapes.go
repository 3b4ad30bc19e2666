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
	ExtentB      float64        // of B's shape, from its centroid
}

// Last is the result for two shapes when they were last examined, as far as later steps need it. The
// zero value is that of shapes that have not been.
type Last struct {
	// The pose of B in A's frame.
	centroid geom.Vec
	rot      geom.Rot
	// gap is how far a point of B may move in A's frame before the shapes have a contact, in units of
	// length; at most 0 if they may have one.
	gap float64
}

// gapSlop is more than the rounding error of a gap, in units of length.
const gapSlop = 1e-9

// motion returns a bound on how far a point of B has moved in A's frame since, where pose is the
// present frame of B's body in that of A's.
func (l *Last) motion(pose geom.Transform, p *Pair) float64 {
	turned := geom.V(pose.Q.C-l.rot.C, pose.Q.S-l.rot.S).Len()
	return pose.Apply(p.B.Centroid).Sub(l.centroid).Len() + float64(turned*p.ExtentB)
}

// Shapes replaces manifolds, those of the step before, by the manifold of two shapes, and returns
// the least separation of its points; 0 if none is negative. The result of an earlier step is used
// again while the shapes have moved too little, relative to each other, to touch.
func Shapes(manifolds *[]contact.Manifold, last *Last, p *Pair) (deepest float64) {
	pose := p.FrameA.InvMul(p.FrameB)
	if last.gap > 0 && last.motion(pose, p) < last.gap {
		return 0
	}
	var m collide.Manifold
	collide.Hulls(&m, p.A, p.B, pose, contact.SpeculativeDistance)
	if m.N == 0 {
		*manifolds = (*manifolds)[:0]
		*last = Last{centroid: pose.Apply(p.B.Centroid), rot: pose.Q, gap: m.Gap - gapSlop}
		return 0
	}
	last.gap = 0
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
