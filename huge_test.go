package quarry_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestHugeAndFastStaysFinite: position, velocity and spin of a body on the ground stay finite
// at any size, spin and velocity. (A box of half-size 1e8 with a spin of 1e15 became NaN for
// good: the speed of its corners, squared, is beyond float32.)
func TestHugeAndFastStaysFinite(t *testing.T) {
	for _, half := range []float64{1, 1e4, 1e8} {
		for _, spin := range []float64{1e15, -1e300} {
			for _, v := range []geom.Vec{{}, {X: 1e15, Y: -1e15}} {
				for _, step := range []float64{worldtest.DT, 1, 1e-12} {
					w := worldtest.New()
					worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -2, MaxX: 20, MaxY: -1})
					id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, half), AngularVelocity: spin, Velocity: v})
					w.AddShape(id, geom.NewBox(half, half), quarry.ShapeDef{})
					ball := worldtest.Add(w, geom.V(0.3, 2*half+0.5), geom.Circle{Radius: 0.5})
					b, _ := w.Body(id)
					for i := range 30 {
						w.Step(step)
						for _, b := range []quarry.Body{b, ball} {
							if !b.Position().IsFinite() || !b.Velocity().IsFinite() || math.IsNaN(b.AngularVelocity()) || math.IsNaN(b.Rotation().C) {
								t.Fatalf("half-size %v, spin %v, velocity %v, steps of %v: in step %d at %v, velocity %v, spin %v, %v",
									half, spin, v, step, i, b.Position(), b.Velocity(), b.AngularVelocity(), b.Rotation())
							}
						}
					}
				}
			}
		}
	}
}
