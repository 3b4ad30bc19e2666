package narrow

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Two shapes or grounds with one centre have no direction in which to come apart, or several that are as good. If all
// pairs took the same one, those at one point would come apart to a column in exact balance. So each pair has a
// direction of its own, by its slots, for the one step in which the centres are one point.

// concentricGap is the distance of two centroids, in units of length, below which they are one point: far below a slop,
// and far above the rounding of centroids.
const concentricGap = 1e-6

// Aside returns the direction in which the shapes or grounds in two slots come apart if they have one centre: a unit
// vector, in the frame of A's body.
func Aside(a, b int32) geom.Vec {
	// The odd factor and the shifts mix the bits, so that slots in a row have unlike directions.
	h := uint64(uint32(a))<<32 | uint64(uint32(b))
	h ^= h >> 29
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 32
	return geom.NewRot(float64(h>>32) * (2 * math.Pi / (1 << 32))).Apply(geom.V(1, 0))
}

// partConcentric sets m, the manifold of the shapes of p if they overlap, and reports true, if their centroids are one
// point. bInA is the frame of B's body in A's body.
func (p *Pair) partConcentric(m *collide.Manifold, bInA geom.Transform) bool {
	if p.A.Centroid.Sub(bInA.Apply(p.B.Centroid)).Len2() > concentricGap*concentricGap {
		return false
	}
	n := Aside(p.SlotA, p.SlotB)
	a, b := reach(p.A, n), reach(p.B, bInA.Q.Inv(n).Neg())
	m.Normal, m.N = n, 1
	m.Points[0] = collide.Point{Anchor: p.A.Centroid.MulAdd(0.5*(a-b), n), Separation: -a - b, ID: collide.Centres}
	return true
}

// concentric reports whether the centres of mass of the bodies of two grounds are one point.
func (in *Input) concentric() bool { return in.Apart.Len2() <= concentricGap*concentricGap }

// reach returns how far h reaches from its centroid in the direction n.
func reach(h *collide.Hull, n geom.Vec) (far float64) {
	for i := range h.N {
		far = max(far, h.V[i].Sub(h.Centroid).Dot(n))
	}
	return far + h.Radius
}
