package narrow_test

import (
	"math"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
)

// drawHull draws a hull of up to four vertices, and the centre of mass of its body.
func drawHull(t *rapid.T, label string) (h collide.Hull, center geom.Vec) {
	at := geom.V(rapid.Float64Range(-1, 1).Draw(t, label+" x"), 0)
	center = geom.V(rapid.Float64Range(-1, 1).Draw(t, label+" center"), 0.3)
	switch rapid.IntRange(0, 2).Draw(t, label) {
	case 0:
		return collide.NewHull(geom.Circle{Center: at, Radius: 0.5}), center
	case 1:
		return collide.NewHull(geom.Capsule{A: at, B: geom.V(0, 1), Radius: 0.2}), center
	}
	return collide.NewHull(geom.NewBox(rapid.Float64Range(0.1, 1).Draw(t, label+" width"), 0.5)), center
}

// The manifold of two shapes that move in small and large steps, near the origin and far from each
// other's centres of mass, does not depend on the result kept from earlier steps, except for its
// impulses.
func TestShapesKeepNothingWrong(t *testing.T) {
	skipped := 0
	rapid.Check(t, func(t *rapid.T) {
		a, centerA := drawHull(t, "a")
		b, centerB := drawHull(t, "b")
		far := geom.V(rapid.SampledFrom([]float64{0, 0, 1e3, 1e7}).Draw(t, "far"), 0)
		for i := range a.V { // as of a static body at the origin
			a.V[i] = a.V[i].Add(far)
		}
		a.Centroid = a.Centroid.Add(far)
		frames := [2]geom.Transform{geom.At(geom.Vec{}), geom.At(far.Add(geom.V(rapid.Float64Range(-3, 3).Draw(t, "x"),
			rapid.Float64Range(-3, 3).Draw(t, "y"))))}
		var last narrow.Last
		var kept contact.Manifold
		had := false
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			size := rapid.SampledFrom([]float64{0, 1e-3, 0.05, 1}).Draw(t, "size")
			for i := range frames {
				f := &frames[i]
				turn := size
				if i == 0 && far.X != 0 {
					turn /= far.X
				}
				f.P = f.P.Add(geom.V(rapid.Float64Range(-size, size).Draw(t, "dx"), rapid.Float64Range(-size,
					size).Draw(t, "dy")))
				f.Q = geom.NewRot(rapid.Float64Range(-turn, turn).Draw(t, "turn")).Mul(f.Q).Norm()
			}
			apart := frames[1].Apply(centerB).Sub(frames[0].Apply(centerA))
			var pose narrow.Pose
			pose.Set(frames[0].Q, frames[1].Q, apart)
			p := narrow.Pair{
				A: &a, B: &b, FrameA: frames[0], FrameB: frames[1], LocalCenterA: centerA, LocalCenterB: centerB,
				Apart: apart.Neg(), ExtentB: b.Extent(b.Centroid),
			}
			var fresh contact.Manifold
			touching, _ := narrow.Shapes(&fresh, false, &narrow.Last{}, &pose, &p)
			if last.Holds(&pose) {
				skipped++
				if touching {
					t.Fatalf("passed over, and touches: %+v", fresh)
				}
				continue
			}
			if had, _ = narrow.Shapes(&kept, had, &last, &pose, &p); had != touching || had && !same(&kept, &fresh) {
				t.Fatalf("kept %v %+v\nfresh %v %+v", had, kept, touching, fresh)
			}
		}
	})
	if skipped == 0 {
		t.Error("no pair was passed over")
	}
}

// TestKeptPoints: two points that are kept while the bodies move differ from the points computed at the
// present pose by at most the motion that is allowed, and have the same smallest separation.
func TestKeptPoints(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		a, b := collide.NewHull(geom.NewBox(f(1, 3, "width a"), 0.5)), collide.NewHull(geom.NewBox(f(0.2, 0.8,
			"width b"), 0.5))
		turn := geom.NewRot(f(-3, 3, "turn"))
		frames := [2]geom.Transform{{Q: turn}, {P: turn.Apply(geom.V(f(-0.1, 0.1, "x"), f(0.99, 1.005, "y"))), Q: turn}}
		var last narrow.Last
		var base narrow.Base
		var m contact.Manifold
		had := false
		for range 8 {
			for i := range frames {
				m := &frames[i]
				m.P = m.P.Add(geom.V(f(-0.002, 0.002, "dx"), f(-0.002, 0.002, "dy")))
				m.Q = geom.NewRot(f(-0.002, 0.002, "turn")).Mul(m.Q).Norm()
			}
			apart := frames[1].P.Sub(frames[0].P)
			var pose narrow.Pose
			pose.Set(frames[0].Q, frames[1].Q, apart)
			p := narrow.Pair{
				A: &a, B: &b, FrameA: frames[0], FrameB: frames[1], Apart: apart.Neg(),
				ExtentB: b.Extent(b.Centroid),
			}
			if !had || !last.Holds(&pose) || base.Turned(frames[0].Q) {
				if had, _ = narrow.Shapes(&m, had, &last, &pose, &p); had && m.N == 2 {
					base.Keep(&last, &m, &pose, frames[0].Q, frames[1].Q, p.ReachB())
				}
				continue
			}
			kept++
			deepest := base.Follow(&m, frames[0].Q, frames[1].Q, apart.Neg())
			var fresh contact.Manifold
			if _, want := narrow.Shapes(&fresh, false, &narrow.Last{}, &pose, &p); math.Abs(deepest-want) > 5e-4 {
				t.Fatalf("the least separation is %v, want %v", deepest, want)
			}
			if fresh.N < 2 {
				continue
			}
			for k := range m.N {
				at := m.Points[k].AnchorA
				if near := min(at.Dist(fresh.Points[0].AnchorA), at.Dist(fresh.Points[1].AnchorA)); near > 0.05 {
					t.Fatalf("a point is off by %v", near)
				}
			}
		}
	})
	if kept == 0 {
		t.Error("no points were kept")
	}
}

// same reports whether two manifolds are equal but for impulses.
func same(a, b *contact.Manifold) bool {
	equal := a.Normal == b.Normal && a.N == b.N
	for k := range min(a.N, b.N) {
		p, q := a.Points[k], b.Points[k]
		p.Take(&q)
		equal = equal && p == q && a.IDs[k] == b.IDs[k]
	}
	return equal
}

// TestLastLayout: Last is half a cache line, so that a contact of the world is one.
func TestLastLayout(t *testing.T) {
	if size := unsafe.Sizeof(narrow.Last{}); size != 32 {
		t.Errorf("%d bytes", size)
	}
}
