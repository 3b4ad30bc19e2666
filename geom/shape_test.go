package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawVec(t *rapid.T, r float64, label string) Vec {
	return Vec{rapid.Float64Range(-r, r).Draw(t, label+".x"), rapid.Float64Range(-r, r).Draw(t, label+".y")}
}

// drawPolygon draws a polygon of a few cells that NewPolygon takes.
func drawPolygon(t *rapid.T, radius float64) Polygon {
	n := rapid.IntRange(3, 8).Draw(t, "n")
	pts := make([]Vec, n)
	for i := range pts {
		pts[i] = drawVec(t, 2, "p")
	}
	p, err := NewPolygon(pts, radius)
	if err != nil {
		t.Skip(err)
	}
	return p
}

// drawShape draws a shape with an inside.
func drawShape(t *rapid.T) Shape {
	r := rapid.Float64Range(0.05, 1).Draw(t, "r")
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return Circle{drawVec(t, 2, "c"), r}
	case 1:
		c := Capsule{drawVec(t, 2, "a"), drawVec(t, 2, "b"), r}
		if c.Valid() != nil {
			t.Skip("short")
		}
		return c
	case 2:
		return drawPolygon(t, 0)
	}
	return drawPolygon(t, r)
}

// TestMassBySampling sums a lattice of cells inside the shape: an oracle that uses only
// Contains.
func TestMassBySampling(t *testing.T) {
	tri, _ := NewPolygon([]Vec{{-1, -0.5}, {1.2, -0.3}, {0.1, 0.9}}, 0.4)
	sharp, _ := NewPolygon([]Vec{{3, 3}, {5, 3.2}, {5.5, 4.5}, {4, 5.5}, {3.1, 4.4}}, 0)
	for _, s := range []Shape{
		Circle{V(1, -2), 0.8},
		Capsule{V(-0.5, 0.2), V(1, 0.9), 0.4},
		tri, sharp,
		NewBox(1, 0.5),
		NewRoundedBox(0.5, 0.25, 0.25),
		NewOffsetBox(0.6, 0.3, V(10, -7), NewRot(0.7)),
	} {
		if err := s.Valid(); err != nil {
			t.Fatal(err)
		}
		const density, n = 2.5, 1500
		b := s.Bounds(At(Vec{}))
		d := b.Size().Mul(1.0 / n)
		var m, i float64
		var c Vec
		for y := range n {
			for x := range n {
				p := b.Min.Add(V((float64(x)+0.5)*d.X, (float64(y)+0.5)*d.Y))
				if s.Contains(p) {
					q := p.Sub(b.Min)
					m++
					c = c.Add(q)
					i += q.Len2()
				}
			}
		}
		c = c.Mul(1 / m)
		i = i/m - c.Len2()
		m *= density * d.X * d.Y
		got := s.Mass(density)
		if math.Abs(got.Mass-m) > 1e-3*m || got.Center.Dist(c.Add(b.Min)) > 1e-3 ||
			math.Abs(got.Inertia-m*i) > 2e-3*m*i {
			t.Errorf("%T: got %+v, sampled mass %v center %v inertia %v", s, got, m, c.Add(b.Min), m*i)
		}
	}
}

// TestMassAgrees compares shapes that are the same point set.
func TestMassAgrees(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) }
	// A very thin rounded box is a capsule, but for its own 2h.
	h := 0.005
	box, c := NewRoundedBox(1, h, 0.5).Mass(1), Capsule{V(-1, 0), V(1, 0), 0.5}.Mass(1)
	if !near(box.Mass, c.Mass+2*h*(2+1)) {
		t.Errorf("rounded box %v, capsule %v", box.Mass, c.Mass)
	}
	if want := 4.0*2*2/3 + 4.0/3; !near(NewBox(1, 1).Mass(1).Inertia, 4*8.0/12) {
		t.Errorf("box inertia %v, want %v", NewBox(1, 1).Mass(1).Inertia, want)
	}
	if m := (Segment{V(0, 0), V(2, 0)}).Mass(3); m != (Mass{Center: V(1, 0)}) {
		t.Errorf("segment %+v", m)
	}
	// Far from the origin nothing is lost but the rounding of coordinates.
	far := NewOffsetBox(1, 0.5, V(1e7, -1e7), Identity).Mass(1)
	if math.Abs(far.Inertia-NewBox(1, 0.5).Mass(1).Inertia) > 1e-8 {
		t.Errorf("far inertia %v", far.Inertia)
	}
}

func TestBoundsHoldTheShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t)
		f := Transform{drawVec(t, 5, "at"), NewRot(rapid.Float64Range(-4, 4).Draw(t, "angle"))}
		b := s.Bounds(f)
		for range 50 {
			p := drawVec(t, 4, "p")
			if s.Contains(p) && !b.Expand(1e-12).ContainsPoint(f.Apply(p)) {
				t.Fatalf("%v in %v is outside its bounds", p, s)
			}
		}
	})
}

// TestRayAgainstMarching marches along the ray and asks Contains.
func TestRayAgainstMarching(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawShape(t)
		o, d := drawVec(t, 5, "o"), drawVec(t, 9, "d")
		hit, ok := s.RayCast(o, d)
		if s.Contains(o) {
			if ok {
				t.Fatal("hit from inside")
			}
			return
		}
		const n = 300
		for i := 1; i <= n; i++ {
			f := float64(i) / n
			if s.Contains(o.MulAdd(f, d)) {
				if !ok || hit.Fraction > f+1e-12 {
					t.Fatalf("inside at %v, hit %+v %v", f, hit, ok)
				}
				break
			}
		}
		if !ok {
			return
		}
		if math.Abs(hit.Normal.Len()-1) > 1e-12 || hit.Normal.Dot(d) > 1e-9 {
			t.Fatalf("normal %v", hit.Normal)
		}
		inner := hit.Point.Lerp(s.Mass(1).Center, 1e-6)
		if s.Contains(hit.Point.MulAdd(1e-7, hit.Normal)) || !s.Contains(inner) {
			t.Fatalf("hit %+v is not on the surface", hit)
		}
	})
}

// TestCircleCastIsGrownRay: a cast of a circle is a ray against the shape with
// a larger radius.
func TestCircleCastIsGrownRay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPolygon(t, 0.25)
		o, d := drawVec(t, 5, "o"), drawVec(t, 9, "d")
		r := rapid.Float64Range(0, 1).Draw(t, "radius")
		grown := p
		grown.Radius += r
		want, wok := grown.RayCast(o, d)
		got, ok := CircleCast(&p, o, r, d) // a pointer is a Shape too
		if ok != wok || ok && (got.Fraction != want.Fraction || got.Point.Dist(want.Point.MulAdd(-r,
			want.Normal)) > 1e-12) {
			t.Fatalf("got %+v %v, want %+v %v", got, ok, want, wok)
		}
	})
}

func TestSegmentRay(t *testing.T) {
	s := Segment{V(0, 0), V(2, 0)}
	for _, c := range []struct {
		o, d Vec
		ok   bool
		want RayHit
	}{
		{V(1, 1), V(0, -2), true, RayHit{0.5, V(1, 0), V(0, 1)}},
		{V(1, -1), V(0, 2), true, RayHit{0.5, V(1, 0), V(0, -1)}},
		{V(1, 1), V(0, -0.5), false, RayHit{}},
		{V(-1, 0), V(5, 0), false, RayHit{}},
		{V(3, 1), V(0, -2), false, RayHit{}},
		{V(1, 1), V(0, 0), false, RayHit{}},
	} {
		if got, ok := s.RayCast(c.o, c.d); ok != c.ok || got != c.want {
			t.Errorf("%v %v: %+v %v", c.o, c.d, got, ok)
		}
	}
	if hit, ok := CircleCast(s, V(-2, 0), 0.5, V(4, 0)); !ok || hit.Fraction != 0.375 || hit.Normal != V(-1, 0) {
		t.Errorf("circle against the end: %+v %v", hit, ok)
	}
	if _, ok := CircleCast(s, V(1, 0.2), 0.5, V(0, -4)); ok {
		t.Error("hit although it overlaps at the start")
	}
}

func TestValidRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for i, s := range []Shape{
		Circle{},
		Circle{V(nan, 0), 1},
		Circle{Vec{}, -1},
		Circle{Vec{}, nan},
		Circle{Vec{}, inf},
		Circle{V(1e300, 0), 1},
		Capsule{V(0, 0), V(0.001, 0), 1},
		Capsule{V(0, 0), V(1, 0), 0},
		Capsule{V(0, inf), V(1, 0), 1},
		Segment{},
		Segment{V(0, 0), V(nan, 0)},
		Polygon{},
		Polygon{N: 4},
		Polygon{N: 9},
		Polygon{N: -1},
		NewBox(0, 1), NewBox(nan, 1), NewBox(-1, 1), NewBox(-1, -1),
		NewBox(1, 0.001), NewRoundedBox(1, 1, -1), NewRoundedBox(1, 1, nan), NewBox(inf, 1),
	} {
		if s.Valid() == nil {
			t.Errorf("%d: %T %+v is taken", i, s, s)
		}
		// Refused shapes must not panic either.
		s.Bounds(At(Vec{}))
		s.Mass(1)
		s.Contains(Vec{})
		s.RayCast(V(-3, 0), V(6, 0))
		CircleCast(s, V(-3, 0), 0.5, V(6, 0))
	}
}
