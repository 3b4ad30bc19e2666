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
	Moving       bool           // both bodies have finite mass
}

// Last is the result for two shapes when they were last examined, as far as later steps need it. The
// zero value is that of shapes that have not been. 64 bytes.
type Last struct {
	// The pose of B in A's frame.
	centroid geom.Vec
	rot      geom.Rot
	rotA     geom.Rot // of two points that may be kept; else zero
	// The separations of those points. Without points, the first is how far a point of B may move in
	// A's frame before the shapes have a contact, in units of length; at most 0 if they may have one.
	separations [2]float64
}

// gapSlop is more than the rounding error of a gap, in units of length.
const gapSlop = 1e-9

// Two points between bodies that move are kept, with their normal and arms, while no point of B moves
// farther than keepGap (units of length) in A's frame, and A turns by less than keepTurn (radians);
// only their separations follow the motion. The first is two slops, so it hardly changes a
// torque. But without it a column of bodies buckles: each of them that tilts moves its load
// sideways, which tilts it further, and a column of a hundred falls before the solver, which spreads
// a load over one contact a pass, has made its weight rest. With half of it, some columns of a hundred boxes
// offset by 0.01 fall; see docs/solver.md.
const (
	keepGap  = 2 * geom.LinearSlop
	keepTurn = 0.02
)

// motion returns a bound on how far a point of B has moved in A's frame since, where pose is the
// present frame of B's body in that of A's.
func (l *Last) motion(pose geom.Transform, p *Pair) float64 {
	turned := geom.V(pose.Q.C-l.rot.C, pose.Q.S-l.rot.S).Len()
	return pose.Apply(p.B.Centroid).Sub(l.centroid).Len() + float64(turned*p.ExtentB)
}

// Shapes replaces manifolds, those of the step before, by the manifold of two shapes, and returns
// the least separation of its points; 0 if none is negative. The result of an earlier step is used
// again while the shapes have moved too little, relative to each other, to touch, or to change two
// points between bodies that move.
func Shapes(manifolds *[]contact.Manifold, last *Last, p *Pair) (deepest float64) {
	pose := p.FrameA.InvMul(p.FrameB)
	if len(*manifolds) > 0 && last.keeps(pose, p) {
		return last.follow(&(*manifolds)[0], p)
	}
	if gap := last.separations[0]; len(*manifolds) == 0 && gap > 0 && last.motion(pose, p) < gap {
		return 0
	}
	var m collide.Manifold
	collide.Hulls(&m, p.A, p.B, pose, contact.SpeculativeDistance)
	if m.N == 0 {
		*manifolds = (*manifolds)[:0]
		*last = Last{centroid: pose.Apply(p.B.Centroid), rot: pose.Q, separations: [2]float64{m.Gap - gapSlop}}
		return 0
	}
	*last = Last{}
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
	if p.Moving && m.N == 2 {
		*last = Last{
			centroid: pose.Apply(p.B.Centroid), rot: pose.Q, rotA: p.FrameA.Q,
			separations: [2]float64{m.Points[0].Separation, m.Points[1].Separation},
		}
	}
	return deepest
}

// keeps reports whether the two points are kept.
func (l *Last) keeps(pose geom.Transform, p *Pair) bool {
	turned := geom.V(p.FrameA.Q.C-l.rotA.C, p.FrameA.Q.S-l.rotA.S)
	return turned.Len2() < keepTurn*keepTurn && l.motion(pose, p) < keepGap
}

// follow sets the separations of m, which is kept, and returns the least, or 0 if none is negative.
func (l *Last) follow(m *contact.Manifold, p *Pair) (deepest float64) {
	turnA, turnB := l.rotA.InvMul(p.FrameA.Q), l.rotA.Mul(l.rot).InvMul(p.FrameB.Q)
	for k := range m.N {
		q := &m.Points[k]
		// The two anchors were at one place.
		moved := turnB.Apply(q.AnchorB).Sub(turnA.Apply(q.AnchorA)).Sub(p.Apart)
		q.Separation = l.separations[k] + m.Normal.Dot(moved)
		deepest = min(deepest, q.Separation)
	}
	return deepest
}
