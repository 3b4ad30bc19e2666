package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

// TestNotchIsHidden: nothing in a triangular notch whose sides meet in one tip is in
// sight from over the tip, between the sides: each occludes everything past the other.
// (The second corner made points visible that the first occludes.)
func TestNotchIsHidden(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := func(lo, hi int, what string) float64 { return float64(rapid.IntRange(lo, hi).Draw(t, what)) / 64 }
		tip := geom.V(unit(-60, 60, "tip x"), unit(8, 64, "tip y"))
		f := Face{A: geom.V(1, 0), B: geom.V(-1, 0), Ghost1: tip, Ghost2: tip, HasGhost1: true, HasGhost2: true}
		// Over the tip, within both sides drawn on.
		s, u := unit(1, 64, "s"), unit(1, 64, "u")
		c := tip.MulAdd(s, tip.Sub(f.A)).MulAdd(u, tip.Sub(f.B))
		h := NewHull(geom.NewRoundedBox(unit(8, 200, "w"), unit(64, 400, "h"), unit(0, 1, "r")))
		at := geom.Transform{P: c, Q: geom.NewRot(rapid.Float64Range(-3, 3).Draw(t, "angle"))}
		// Exactly the same, elsewhere.
		by := geom.V(unit(-4096, 4096, "dx"), unit(-4096, 4096, "dy"))
		for _, d := range []geom.Vec{{}, by} {
			g := f
			g.A, g.B, g.Ghost1, g.Ghost2 = g.A.Add(d), g.B.Add(d), g.Ghost1.Add(d), g.Ghost2.Add(d)
			var m Manifold
			FaceHull(&m, &g, &h, geom.Transform{P: at.P.Add(d), Q: at.Q}, margin)
			for _, p := range m.Points[:m.N] {
				// A line of sight that grazes the tip, to rounding, is free.
				foot := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
				sight, _ := at.P.Add(d).Sub(foot).Unit()
				if math.Abs(sight.Cross(g.Ghost1.Sub(foot))) <= 2*sideSlop {
					continue
				}
				t.Fatalf("moved by %v: %d points, normal %v, first %+v", d, m.N, m.Normal, m.Points[0])
			}
		}
	})
}

// TestRightPastATipIsInSight: a foot on the line from the centroid over the tip of a
// neighbour is kept, wherever all of it lies.
func TestRightPastATipIsInSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := func(lo, hi int, what string) float64 { return float64(rapid.IntRange(lo, hi).Draw(t, what)) / 64 }
		tip := geom.V(unit(-60, 60, "tip x"), unit(8, 64, "tip y"))
		f := Face{A: geom.V(1, 0), B: geom.V(-20, 0), Ghost1: tip, HasGhost1: true}
		foot := geom.V(tip.X-unit(1, 64, "beside"), 0)
		c := tip.MulAdd(1+unit(0, 128, "up"), tip.Sub(foot))
		d := geom.V(rapid.Float64Range(-100, 100).Draw(t, "dx"), rapid.Float64Range(-100, 100).Draw(t, "dy"))
		f.A, f.B, f.Ghost1, c, foot = f.A.Add(d), f.B.Add(d), f.Ghost1.Add(d), c.Add(d), foot.Add(d)
		tan, _ := f.B.Sub(f.A).Unit()
		n := tan.Right()
		e := f.cornerA(tan)
		if !e.occludes(n, c) {
			t.Skip("nothing hides")
		}
		m := Manifold{Normal: n, N: 1}
		m.Points[0].Anchor = foot
		e.dropOccluded(&m, n, c)
		if m.N != 1 {
			t.Fatalf("hidden: foot %v, centroid %v, tip %v", foot, c, f.Ghost1)
		}
		// Farther in it is hidden.
		m.Points[0].Anchor = foot.Lerp(f.A, 0.01)
		if e.dropOccluded(&m, n, c); m.N != 0 {
			t.Fatalf("in sight behind the tip: centroid %v, tip %v", c, f.Ghost1)
		}
	})
}
