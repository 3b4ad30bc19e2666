package collide

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// Where Hulls finds no contact, the distance of the hulls is at least the margin plus the gap, as
// geom.Gap measures it by another algorithm (GJK), or the gap is 0: sharp hulls that are nearer corner to corner have
// no points.
func TestGapIsALowerBound(t *testing.T) {
	gaps := 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawHull(t, "a"), drawHull(t, "b")
		at := drawFrame(t, 6, "frame")
		margin := rapid.Float64Range(0, 0.5).Draw(t, "margin")
		m := Manifold{Gap: -1}
		Hulls(&m, &a, &b, at, margin)
		if m.N > 0 {
			if m.Gap != 0 {
				t.Fatalf("a gap of %g with %d points", m.Gap, m.N)
			}
			return
		}
		ca, cb := geom.Core{V: a.V, N: a.N, Radius: a.Radius}, geom.Core{V: b.V, N: b.N, Radius: b.Radius}
		dist, _, _ := geom.Gap(&ca, &cb, at)
		if m.Gap < 0 || m.Gap > max(0, dist-margin+1e-12) {
			t.Fatalf("gap %g, distance %g, margin %g", m.Gap, dist, margin)
		}
		if m.Gap > 0 {
			gaps++
		}
	})
	if gaps == 0 {
		t.Error("no gap was positive")
	}
}
