package quarry_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestPlaneOfFlatFaces: the contact plane of two faces that lie flat on each other has its point in the middle of what
// they share, at any angle. Regression: rounding chose either end, and a character that pushed a crate
// tipped it at some angles of the level.
func TestPlaneOfFlatFaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		angle := f(-3.1, 3.1, "angle")
		q := geom.NewRot(angle)
		w := quarry.NewWorld(quarry.Config{})
		w.AddShape(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Angle: angle}), geom.NewBox(1, 1), quarry.ShapeDef{})
		half, y, gap := f(0.2, 2, "half"), f(-0.8, 0.8, "y"), f(-0.005, 0.005, "gap")
		capsule := geom.Capsule{A: geom.V(0, -half), B: geom.V(0, half), Radius: 0.25}
		planes := w.AppendPlanes(nil, capsule, geom.Transform{P: q.Apply(geom.V(-1.25-gap, y)), Q: q}, 0.01,
			quarry.QueryFilter{})
		if len(planes) != 1 {
			t.Fatalf("%d planes", len(planes))
		}
		want := q.Apply(geom.V(-1, (max(-1, y-half)+min(1, y+half))/2))
		if d := planes[0].Point.Dist(want); d > 0.005 { // a capsule may end a little beyond the corner of the box
			t.Fatalf("the point is %v from the middle, %v", d, q.Inv(planes[0].Point))
		}
	})
}
