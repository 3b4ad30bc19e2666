package geom

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestConvexHullProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		pts := make([]Vec, n)
		for i := range pts { // a small lattice makes doubles and lines likely
			pts[i] = V(float64(rapid.IntRange(-3, 3).Draw(t, "x")), float64(rapid.IntRange(-3, 3).Draw(t, "y")))
		}
		hull := ConvexHull(nil, pts)
		for _, v := range hull {
			if !slices.Contains(pts, v) {
				t.Fatalf("%v is no point", v)
			}
		}
		if len(hull) >= 3 {
			for i, a := range hull {
				b, c := hull[(i+1)%len(hull)], hull[(i+2)%len(hull)]
				if b.Sub(a).Cross(c.Sub(b)) <= 0 {
					t.Fatalf("not strictly convex: %v", hull)
				}
				for _, p := range pts {
					if b.Sub(a).Cross(p.Sub(a)) < 0 {
						t.Fatalf("%v outside %v", p, hull)
					}
				}
			}
		}
		slices.Reverse(pts)
		if again := ConvexHull(nil, pts); !slices.Equal(hull, again) {
			t.Fatalf("order matters: %v, %v", hull, again)
		}
		if len(hull) == 2 {
			for _, p := range pts {
				if closestOnSegment(p, hull[0], hull[1]) != p {
					t.Fatalf("%v not on the line %v", p, hull)
				}
			}
		}
	})
}

func TestConvexHullAppends(t *testing.T) {
	dst := make([]Vec, 1, 32)
	dst[0] = V(9, 9)
	pts := []Vec{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}, {0.5, 0}}
	got := ConvexHull(dst, pts)
	if want := []Vec{{9, 9}, {0, 0}, {1, 0}, {1, 1}, {0, 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if n := testing.AllocsPerRun(100, func() { ConvexHull(dst, pts) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestNewPolygonRefuses(t *testing.T) {
	circle := make([]Vec, 9)
	for i := range circle {
		s, c := SinCos(float64(i) * 2 * math.Pi / 9)
		circle[i] = V(c, s)
	}
	for name, pts := range map[string][]Vec{
		"none":       nil,
		"two":        {{0, 0}, {1, 0}},
		"line":       {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
		"same":       {{1, 1}, {1, 1}, {1, 1}},
		"nan":        {{0, 0}, {1, 0}, {math.NaN(), 1}},
		"inf":        {{0, 0}, {1, 0}, {0, math.Inf(1)}},
		"huge":       {{0, 0}, {1e200, 0}, {0, 1}},
		"nine":       circle,
		"coincident": {{0, 0}, {1, 0}, {1, 0.001}, {0, 1}},
		"thin":       {{0, 0}, {1, 0}, {0.5, 0.001}},
		"sliver":     {{0, 0}, {1, 0}, {0.5, 1e-8}},
	} {
		if p, err := NewPolygon(pts, 0); err == nil {
			t.Errorf("%s: took %+v", name, p)
		}
	}
	if _, err := NewPolygon([]Vec{{0, 0}, {1, 0}, {0, 1}}, -1); err == nil {
		t.Error("took a negative radius")
	}
	p, err := NewPolygon([]Vec{{0, 0}, {0.5, 1e-9}, {1, 0}, {1, 1}, {0, 1}, {0.3, 0.3}}, 0)
	if err != nil || p.N != 4 || p.Centroid.Dist(V(0.5, 0.5)) > 1e-6 {
		t.Errorf("unit box: %+v %v", p, err)
	}
}
