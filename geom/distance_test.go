package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestDistanceBySampling checks that the points are of the two sets, and compares
// with the support along the axis found, which no distance can undercut.
// (A tie of squared distances leaves the points 1e-8 off, hence the 1e-6.)
func TestDistanceBySampling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, at Vec) []Vec {
			n := rapid.IntRange(1, 8).Draw(t, label)
			pts := make([]Vec, n)
			for i := range pts {
				pts[i] = drawVec(t, 2, label).Add(at)
			}
			return ConvexHull(nil, pts)
		}
		a, b := draw("a", Vec{}), draw("b", drawVec(t, 5, "off"))
		d, pa, pb := Distance(a, b)
		if math.Abs(pa.Dist(pb)-d) > 1e-12 {
			t.Fatalf("points are %v apart, said %v", pa.Dist(pb), d)
		}
		for _, c := range []struct {
			set []Vec
			p   Vec
		}{{a, pa}, {b, pb}} {
			if _, q := closestOnOutline(c.p, c.set); q > 1e-24 && !insidePolygon(c.p, c.set) {
				t.Fatalf("%v is not of %v", c.p, c.set)
			}
		}
		if d > 1e-5 { // the axis between them must separate the sets by all of d
			n := pb.Sub(pa).Mul(1 / d)
			for _, v := range a {
				if n.Dot(v.Sub(pa)) > 1e-6 {
					t.Fatalf("%v of a is beyond the axis", v)
				}
			}
			for _, v := range b {
				if n.Dot(v.Sub(pb)) < -1e-6 {
					t.Fatalf("%v of b is beyond the axis", v)
				}
			}
		}
		if e, _, _ := Distance(b, a); math.Abs(e-d) > 1e-12 {
			t.Fatalf("not symmetric: %v, %v", d, e)
		}
	})
}

func TestDistanceDegenerate(t *testing.T) {
	p := Vec{1, 1}
	for _, c := range []struct {
		a, b []Vec
		want float64
	}{
		{[]Vec{p}, []Vec{p}, 0},
		{[]Vec{p, p, p}, []Vec{{4, 5}}, 5},
		{[]Vec{{0, 0}, {2, 2}}, []Vec{{0, 2}, {2, 0}}, 0},
		{[]Vec{{0, 0}, {2, 0}}, []Vec{{1, 0}, {3, 0}}, 0},
		{[]Vec{{0, 0}, {2, 0}}, []Vec{{3, 0}, {4, 0}}, 1},
		{[]Vec{{-9, -9}, {9, -9}, {0, 9}}, []Vec{{0, 0}, {0.1, 0}, {0, 0.1}}, 0},
		{nil, []Vec{p}, math.MaxFloat64},
	} {
		if d, _, _ := Distance(c.a, c.b); d != c.want {
			t.Errorf("%v %v: %v, want %v", c.a, c.b, d, c.want)
		}
	}
}

// TestDistanceAgainstOracle: also of sets that touch, overlap, lie in line, or
// are far out.
func TestDistanceAgainstOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lattice := rapid.Bool().Draw(t, "lattice")
		far := rapid.SampledFrom([]Vec{{}, {}, {1000, -3000}}).Draw(t, "far")
		draw := func(label string, off Vec) []Vec {
			pts := make([]Vec, rapid.IntRange(1, 8).Draw(t, label))
			for i := range pts {
				if lattice {
					pts[i] = V(float64(rapid.IntRange(-3, 3).Draw(t, "x")), float64(rapid.IntRange(-3, 3).Draw(t, "y")))
				} else {
					pts[i] = drawVec(t, 2, label)
				}
				pts[i] = pts[i].Add(off)
			}
			return ConvexHull(nil, pts)
		}
		off := drawVec(t, 5, "off")
		if lattice {
			off = V(math.Floor(off.X), math.Floor(off.Y))
		}
		a, b := draw("a", far), draw("b", far.Add(off))
		d, pa, pb := Distance(a, b)
		want, _, _ := slowDistance(a, b)
		size := 0.0
		for _, p := range append(append([]Vec{}, a...), b...) {
			size = max(size, math.Abs(p.X), math.Abs(p.Y))
		}
		// The direction between sets much nearer than their size is rounded: see Distance.
		if math.Abs(d-want) > 1e-11+1e-15*size*size/max(want, 1e-8*size) {
			t.Fatalf("%v and %v: %v, want %v", a, b, d, want)
		}
		if math.Abs(pa.Dist(pb)-d) > 1e-11 {
			t.Fatalf("%v and %v: the points %v and %v are %v apart, not %v", a, b, pa, pb, pa.Dist(pb), d)
		}
		for _, c := range []struct {
			set []Vec
			p   Vec
		}{{a, pa}, {b, pb}} {
			if _, q := closestOnOutline(c.p, c.set); q > 1e-20 && !insidePolygon(c.p, c.set) {
				t.Fatalf("%v is not of %v", c.p, c.set)
			}
		}
	})
}

func BenchmarkDistance(b *testing.B) {
	box := []Vec{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}
	for _, c := range []struct {
		name string
		to   Vec
	}{{"apart", V(3, 0.5)}, {"corners", V(3, 3.5)}, {"overlap", V(0.5, 0.3)}} {
		other := make([]Vec, 4)
		for i, v := range box {
			other[i] = NewRot(0.3).Apply(v).Add(c.to)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Distance(box, other)
			}
		})
		b.Run(c.name+"-slow", func(b *testing.B) {
			for b.Loop() {
				slowDistance(box, other)
			}
		})
	}
}
