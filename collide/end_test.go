package collide

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

// TestEndIsNotADoor: a shape over an open end, its centroid in front, is pushed off the
// face or off its end, and not out of the back.
func TestEndIsNotADoor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		face := Face{A: geom.V(f(1, 4, "length"), 0)}
		h := NewHull(geom.NewRoundedBox(f(0.02, 1.5, "w"), f(0.02, 0.5, "h"),
			rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "r")))
		at := geom.Transform{P: geom.V(f(-1, 1, "x"), f(0, 0.3, "y")), Q: geom.NewRot(f(-1.6, 1.6, "angle"))}
		var m Manifold
		FaceHull(&m, &face, &h, at, margin)
		if m.N > 0 && m.Normal.Y < -endSine-1e-9 {
			t.Fatalf("pushed along %v", m.Normal)
		}
		// Without a contact, the shape must be clear of the face.
		n, d := face, 0.0
		n.Ghost1, n.Ghost2, n.HasGhost1, n.HasGhost2 = geom.V(9, 0), geom.V(-9, 0), true, true
		var flat Manifold
		FaceHull(&flat, &n, &h, at, margin)
		for k := range flat.N {
			d = min(d, flat.Points[k].Separation)
		}
		if m.N == 0 && d < 0 {
			t.Fatalf("nothing touches: %v deep in the face that goes on", -d)
		}
	})
}
