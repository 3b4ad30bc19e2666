package narrow_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
)

// The manifold of two shapes that move in small and large steps does not depend on the result kept from
// earlier steps, except for its impulses.
func TestShapesKeepNothingWrong(t *testing.T) {
	skipped := 0
	rapid.Check(t, func(t *rapid.T) {
		hull := func(label string) collide.Hull {
			at := geom.V(rapid.Float64Range(-1, 1).Draw(t, label+" x"), 0)
			switch rapid.IntRange(0, 2).Draw(t, label) {
			case 0:
				return collide.NewHull(geom.Circle{Center: at, Radius: 0.5})
			case 1:
				return collide.NewHull(geom.Capsule{A: at, B: geom.V(0, 1), Radius: 0.2})
			}
			return collide.NewHull(geom.NewBox(rapid.Float64Range(0.1, 1).Draw(t, label+" width"), 0.5))
		}
		a, b := hull("a"), hull("b")
		frames := [2]geom.Transform{geom.At(geom.Vec{}), geom.At(geom.V(rapid.Float64Range(-3, 3).Draw(t, "x"), rapid.Float64Range(-3, 3).Draw(t, "y")))}
		var last narrow.Last
		var kept []contact.Manifold
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			size := rapid.SampledFrom([]float64{0, 1e-3, 0.05, 1}).Draw(t, "size")
			for i := range frames {
				f := &frames[i]
				f.P = f.P.Add(geom.V(rapid.Float64Range(-size, size).Draw(t, "dx"), rapid.Float64Range(-size, size).Draw(t, "dy")))
				f.Q = geom.NewRot(rapid.Float64Range(-size, size).Draw(t, "turn")).Mul(f.Q).Norm()
			}
			p := narrow.Pair{A: &a, B: &b, FrameA: frames[0], FrameB: frames[1], Apart: frames[0].P.Sub(frames[1].P), ExtentB: b.Extent(b.Centroid)}
			before := last
			narrow.Shapes(&kept, &last, &p)
			if last == before && len(kept) == 0 {
				skipped++
			}
			var fresh []contact.Manifold
			narrow.Shapes(&fresh, &narrow.Last{}, &p)
			if !slices.Equal(kept, fresh) {
				t.Fatalf("kept %+v\nfresh %+v", kept, fresh)
			}
		}
	})
	if skipped == 0 {
		t.Error("no pair was passed over")
	}
}

// TestKeptPoints: two points that are kept, between bodies that move, are where those of the present
// pose are, up to the motion that is allowed, and their least separation is that of the present
// pose.
func TestKeptPoints(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		a, b := collide.NewHull(geom.NewBox(f(1, 3, "width a"), 0.5)), collide.NewHull(geom.NewBox(f(0.2, 0.8, "width b"), 0.5))
		turn := geom.NewRot(f(-3, 3, "turn"))
		frames := [2]geom.Transform{{Q: turn}, {P: turn.Apply(geom.V(f(-0.1, 0.1, "x"), f(0.99, 1.005, "y"))), Q: turn}}
		var last narrow.Last
		var manifolds []contact.Manifold
		for range 8 {
			for i := range frames {
				m := &frames[i]
				m.P = m.P.Add(geom.V(f(-0.002, 0.002, "dx"), f(-0.002, 0.002, "dy")))
				m.Q = geom.NewRot(f(-0.002, 0.002, "turn")).Mul(m.Q).Norm()
			}
			p := narrow.Pair{
				A: &a, B: &b, FrameA: frames[0], FrameB: frames[1], Apart: frames[0].P.Sub(frames[1].P),
				ExtentB: b.Extent(b.Centroid), Moving: true,
			}
			before := last
			deepest := narrow.Shapes(&manifolds, &last, &p)
			if last != before || len(manifolds) == 0 {
				continue
			}
			kept++
			var fresh []contact.Manifold
			if want := narrow.Shapes(&fresh, &narrow.Last{}, &p); math.Abs(deepest-want) > 5e-4 {
				t.Fatalf("the least separation is %v, want %v", deepest, want)
			}
			if len(fresh) == 0 || fresh[0].N < 2 {
				continue
			}
			for k := range manifolds[0].N {
				at, near := manifolds[0].Points[k].AnchorA, math.Inf(1)
				for j := range fresh[0].N {
					near = min(near, at.Dist(fresh[0].Points[j].AnchorA))
				}
				if near > 0.05 {
					t.Fatalf("a point is off by %v", near)
				}
			}
		}
	})
	if kept == 0 {
		t.Error("no points were kept")
	}
}
