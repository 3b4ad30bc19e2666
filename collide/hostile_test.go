package collide

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

// TestNeverNaN throws places far out, degenerate faces and exact coincidences
// at both functions.
func TestNeverNaN(t *testing.T) {
	odd := rapid.OneOf(
		rapid.SampledFrom([]float64{
			0, math.Copysign(0, -1), 1, -1, 0.5, 1e-9, -1e-9, 1e-160, 5e-324, 1e7, -1e7,
			1 << 30,
		}),
		rapid.Float64Range(-2, 2),
	)
	rapid.Check(t, func(t *rapid.T) {
		vec := func(label string) geom.Vec { return geom.V(odd.Draw(t, label+".x"), odd.Draw(t, label+".y")) }
		a, b := drawHull(t, "a"), drawHull(t, "b")
		f := geom.Transform{P: vec("at"), Q: geom.NewRot(odd.Draw(t, "angle"))}
		var m Manifold
		Hulls(&m, &a, &b, f, margin)
		if m.N > 0 {
			check(t, &m)
		}
		face := Face{
			A: vec("A"), B: vec("B"), Ghost1: vec("g1"), Ghost2: vec("g2"),
			HasGhost1: rapid.Bool().Draw(t, "has1"), HasGhost2: rapid.Bool().Draw(t, "has2"),
		}
		FaceHull(&m, &face, &a, f, margin)
		if m.N > 0 {
			check(t, &m)
		}
	})
}

// TestFarFromOrigin: on ground ten million cells out the contact is the one at
// the origin, to the rounding of coordinates there.
func TestFarFromOrigin(t *testing.T) {
	for name, h := range sliders() {
		for _, far := range []geom.Vec{{X: 1e7, Y: -1e7}, {X: -9999999.5, Y: 12345678}} {
			f := Face{
				A: geom.V(1, 0), B: geom.V(0, 0), Ghost1: geom.V(2, 0), Ghost2: geom.V(-1, -1), HasGhost1: true,
				HasGhost2: true,
			}
			at := geom.Transform{P: geom.V(0.75, -0.005), Q: geom.NewRot(0.001)}
			var m, w Manifold
			FaceHull(&m, &f, &h, at, margin)
			f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Add(far), f.B.Add(far), f.Ghost1.Add(far), f.Ghost2.Add(far)
			at.P = at.P.Add(far)
			FaceHull(&w, &f, &h, at, margin)
			if m.N == 0 || m.N != w.N || m.Normal.Dist(w.Normal) > 1e-7 {
				t.Fatalf("%s: %+v\n%+v", name, m, w)
			}
			for i, p := range m.Points[:m.N] {
				q := w.Points[i]
				if p.ID != q.ID || math.Abs(p.Separation-q.Separation) > 1e-8 ||
					p.Anchor.Add(far).Dist(q.Anchor) > 1e-8 {
					t.Errorf("%s: %+v, %+v", name, p, q)
				}
			}
		}
	}
}

// TestFaceIDsHoldWhileSliding: over one face, rocking, the names stay.
func TestFaceIDsHoldWhileSliding(t *testing.T) {
	f := Face{
		A: geom.V(6, 0), B: geom.V(-6, 0), Ghost1: geom.V(7, 0), Ghost2: geom.V(-7, -1), HasGhost1: true,
		HasGhost2: true,
	}
	for name, h := range sliders() {
		var want [2]FeatureID
		for i := range 400 {
			at := geom.Transform{
				P: geom.V(-2+float64(i)*0.01, -0.005),
				Q: geom.NewRot(0.003 * math.Sin(float64(i)*0.3)),
			}
			var m Manifold
			FaceHull(&m, &f, &h, at, margin)
			got := [2]FeatureID{m.Points[0].ID, m.Points[1].ID}
			if i == 0 {
				want = got
			}
			if m.N == 0 || got != want {
				t.Fatalf("%s step %d: %d points, names %x became %x", name, i, m.N, want, got)
			}
		}
	}
}
