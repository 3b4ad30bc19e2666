package geom

import (
	"math"
	"testing"
)

// TestRayCases: the rays that a formula divides by zero for, on every shape.
func TestRayCases(t *testing.T) {
	box, round := NewBox(1, 1), NewRoundedBox(0.5, 0.5, 0.5)
	capsule, disc := Capsule{V(-0.5, 0), V(0.5, 0), 1}, Circle{Radius: 1}
	segment := Segment{V(0, -1), V(0, 1)}
	for _, c := range []struct {
		name string
		s    Shape
		o, d Vec
		ok   bool
		want RayHit
	}{
		{"disc, through the middle", disc, V(-3, 0), V(4, 0), true, RayHit{0.5, V(-1, 0), V(-1, 0)}},
		{"disc, ends on it", disc, V(-3, 0), V(2, 0), true, RayHit{1, V(-1, 0), V(-1, 0)}},
		{"disc, ends before", disc, V(-3, 0), V(1.999, 0), false, RayHit{}},
		{"disc, misses", disc, V(-3, 1.001), V(6, 0), false, RayHit{}},
		{"disc, touches", disc, V(-3, 1), V(6, 0), true, RayHit{0.5, V(0, 1), V(0, 1)}},
		{"disc, from within", disc, V(0.5, 0), V(6, 0), false, RayHit{}},
		{"disc, from its edge inwards", disc, V(-1, 0), V(6, 0), false, RayHit{}},
		{"disc, away", disc, V(-3, 0), V(-6, 0), false, RayHit{}},
		{"disc, no length", disc, V(-3, 0), V(0, 0), false, RayHit{}},
		{"disc, from very far", disc, V(-1e6, 0), V(2e6, 0), true, RayHit{0.4999995, V(-1, 0), V(-1, 0)}},

		{"box, on a face", box, V(-3, 0.5), V(4, 0), true, RayHit{0.5, V(-1, 0.5), V(-1, 0)}},
		{"box, on a corner", box, V(-2, 2), V(2, -2), true, RayHit{0.5, V(-1, 1), V(-1, 0)}},
		{"box, along beside a face", box, V(-3, 1.0001), V(6, 0), false, RayHit{}},
		{"box, from within", box, V(0, 0), V(6, 0), false, RayHit{}},
		{"box, no length", box, V(-3, 0), V(0, 0), false, RayHit{}},
		{"box, ends on it", box, V(-3, 0.5), V(2, 0), true, RayHit{1, V(-1, 0.5), V(-1, 0)}},

		{"rounded, on a face", round, V(-3, 0.2), V(4, 0), true, RayHit{0.5, V(-1, 0.2), V(-1, 0)}},
		{"rounded, on a corner", round, V(-2, 2), V(4, -4), true, RayHit{
			(1.5 - 0.5*math.Sqrt2/2) / 4,
			V(-0.5-math.Sqrt2/4, 0.5+math.Sqrt2/4), V(-math.Sqrt2/2, math.Sqrt2/2),
		}},
		{"rounded, past a corner that a sharp one has", round, V(-2, 0.8), V(1, 1), false, RayHit{}},

		{"capsule, on its side", capsule, V(0.2, 3), V(0, -4), true, RayHit{0.5, V(0.2, 1), V(0, 1)}},
		{"capsule, on its end", capsule, V(3, 0), V(-3, 0), true, RayHit{0.5, V(1.5, 0), V(1, 0)}},
		{"capsule, where side meets end", capsule, V(0.5, 3), V(0, -4), true, RayHit{0.5, V(0.5, 1), V(0, 1)}},
		{"capsule, from within", capsule, V(0, 0), V(0, 9), false, RayHit{}},

		{"segment, across", segment, V(-1, 0), V(2, 0), true, RayHit{0.5, V(0, 0), V(-1, 0)}},
		{"segment, across from the other side", segment, V(1, 0), V(-2, 0), true, RayHit{0.5, V(0, 0), V(1, 0)}},
		{"segment, on its end", segment, V(-1, 1), V(2, 0), true, RayHit{0.5, V(0, 1), V(-1, 0)}},
		{"segment, along it", segment, V(0, -3), V(0, 6), false, RayHit{}},
		{"segment, no length", segment, V(-1, 0), V(0, 0), false, RayHit{}},
	} {
		got, ok := c.s.RayCast(c.o, c.d)
		if c.name == "box, on a corner" && got.Normal == V(0, 1) {
			got.Normal = V(-1, 0) // either face
		}
		if ok != c.ok || math.Abs(got.Fraction-c.want.Fraction) > 1e-9 || got.Point.Dist(c.want.Point) > 1e-7 ||
			got.Normal.Dist(c.want.Normal) > 1e-7 {
			t.Errorf("%s: %+v %v, want %+v %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// TestContainsCases: the sets are closed, but for the rounding of a root.
func TestContainsCases(t *testing.T) {
	for _, c := range []struct {
		s       Shape
		in, out []Vec
	}{
		{Circle{V(1, 0), 1}, []Vec{V(1, 0), V(0, 0), V(2, 0)}, []Vec{V(-1e-9, 0), V(1, 1.0001)}},
		{NewBox(1, 2), []Vec{{}, V(1, 2), V(-1, 2), V(1, 0)}, []Vec{V(1.0000001, 0), V(1, 2.0000001)}},
		{NewRoundedBox(1, 1, 0.5), []Vec{{}, V(1.5, 0), V(1.35, 1.35), V(1, 1.5)}, []Vec{V(1.36, 1.36), V(1.5000001,
			0)}},
		{Capsule{V(-1, 0), V(1, 0), 0.5}, []Vec{{}, V(1.5, 0), V(0, 0.5), V(1.29, 0.4)}, []Vec{
			V(1.3001, 0.4001),
			V(0, 0.50001),
		}},
		{Segment{V(-1, 0), V(1, 0)}, nil, []Vec{{}, V(1, 0)}},
	} {
		for _, p := range c.in {
			if !c.s.Contains(p) {
				t.Errorf("%T %+v does not contain %v", c.s, c.s, p)
			}
		}
		for _, p := range append(c.out, V(math.NaN(), 0), V(math.Inf(1), 0)) {
			if c.s.Contains(p) {
				t.Errorf("%T %+v contains %v", c.s, c.s, p)
			}
		}
	}
}

// TestGapCases: Gap returns the distance of the surfaces and its place, also for shapes
// that touch, contain each other, or are empty.
func TestGapCases(t *testing.T) {
	disc, box, round := NewCore(Circle{Radius: 0.5}), NewCore(NewBox(1, 1)), NewCore(NewRoundedBox(0.5, 0.5, 0.5))
	for _, c := range []struct {
		name   string
		a, b   Core
		at     Transform
		gap    float64
		pa, pb Vec
	}{
		{"discs", disc, disc, At(V(2, 0)), 1, V(0.5, 0), V(1.5, 0)},
		{"discs in touch", disc, disc, At(V(1, 0)), 0, V(0.5, 0), V(0.5, 0)},
		{"discs overlapping", disc, disc, At(V(0.75, 0)), -0.25, V(0.5, 0), V(0.25, 0)},
		{"one disc on the other", disc, disc, At(Vec{}), -1, Vec{}, Vec{}},
		{"box and disc", box, disc, At(V(0.3, 2)), 0.5, V(0.3, 1), V(0.3, 1.5)},
		{"corner and disc", box, disc, At(V(4, 5)), 4.5, V(1, 1), V(3.7, 4.6)},
		{"box and corner", round, box, Transform{V(2+math.Sqrt2, 0), NewRot(math.Pi / 4)}, 1, V(1, 0), V(2, 0)},
		{"a point", PointCore(V(3, 0)), box, At(Vec{}), 2, V(3, 0), V(1, 0)},
		{"nothing", Core{}, box, At(Vec{}), math.MaxFloat64, Vec{}, Vec{}},
	} {
		gap, pa, pb := Gap(&c.a, &c.b, c.at)
		if math.Abs(gap-c.gap) > 1e-12 || pa.Dist(c.pa) > 1e-9 || pb.Dist(c.pb) > 1e-9 {
			t.Errorf("%s: %v %v %v, want %v %v %v", c.name, gap, pa, pb, c.gap, c.pa, c.pb)
		}
	}
}
