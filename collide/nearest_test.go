package collide

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestHullNearest: the point is on the outline, as far from p as the separation says, and no point of a fine sample of
// the outline is nearer.
func TestHullNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		coord := rapid.Float64Range(-3, 3)
		radius := rapid.SampledFrom([]float64{0, 0.2, 1}).Draw(t, "radius")
		var h Hull
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			h = NewHull(geom.Circle{Center: geom.V(coord.Draw(t, "x"), coord.Draw(t, "y")), Radius: radius + 0.1})
		case 1:
			a := geom.V(coord.Draw(t, "ax"), coord.Draw(t, "ay"))
			h = NewHull(geom.Capsule{A: a, B: a.Add(geom.V(1, 0.5)), Radius: radius + 0.1})
		default:
			h = NewHull(geom.NewRoundedBox(rapid.Float64Range(0.1, 2).Draw(t, "hx"), rapid.Float64Range(0.1, 2).Draw(t,
				"hy"), radius))
		}
		p := geom.V(coord.Draw(t, "px"), coord.Draw(t, "py"))
		at, n, separation := h.Nearest(p)
		if d := p.Dist(at); math.Abs(d-math.Abs(separation)) > 1e-9 || math.Abs(n.Len()-1) > 1e-12 ||
			at.MulAdd(separation, n).Dist(p) > 1e-9 {
			t.Fatalf("nearest to %v: %v, normal %v, separation %v, distance %v", p, at, n, separation, d)
		}
		const parts = 200
		for i := range h.N {
			a, b := h.V[i], h.V[(i+1)%h.N]
			for k := range parts {
				q := a.Lerp(b, float64(k)/parts).MulAdd(h.Radius, h.Nrm[i]) // along the edges
				if h.N == 1 {
					q = a
				}
				// and round the vertices
				for _, o := range []geom.Vec{q, a.MulAdd(h.Radius,
					geom.NewRot(2*math.Pi*float64(k)/parts).Apply(geom.V(1, 0)))} {
					if s := inside(&h, o); s < -1e-9 {
						continue // not on the outline
					}
					if p.Dist(o) < math.Abs(separation)-1e-9 {
						t.Fatalf("%v is nearer to %v than %v: %v, not %v", o, p, at, p.Dist(o), separation)
					}
				}
			}
		}
	})
}

// inside returns the distance of o from the hull, negative inside, by the largest distance from its edges or the
// smallest from its core.
func inside(h *Hull, o geom.Vec) float64 {
	out := -math.MaxFloat64
	for i := range h.N {
		if h.N > 2 {
			out = max(out, h.Nrm[i].Dot(o.Sub(h.V[i])))
		}
	}
	if h.N > 2 && out <= 0 {
		return out - h.Radius
	}
	least := math.MaxFloat64
	for i := range h.N {
		a, b := h.V[i], h.V[(i+1)%h.N]
		e := b.Sub(a)
		x := 0.0
		if l := e.Len2(); l > 0 {
			x = max(0, min(1, o.Sub(a).Dot(e)/l))
		}
		least = min(least, a.MulAdd(x, e).Dist(o))
	}
	return least - h.Radius
}
