package scene

import (
	"os"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestAlone throws bodies of a twentieth of a cell to two, which do not meet each
// other, at corners of all kinds: they are never pushed into the ground. Where there is
// nothing that they could be caught in, they never have to be got out, either.
func TestAlone(t *testing.T) {
	seeds := 4
	if os.Getenv("QUARRY_SOAK") == "1" {
		seeds = 200
	}
	for _, c := range []struct {
		scene       Scene
		left, right float64
		above       func(x float64) float64 // where they begin
		caught      bool                    // some fall into gaps too narrow for them
	}{
		{stairs, 2, 60, func(x float64) float64 { return max(9, flightTop+5-0.5*x) }, false},
		{junctions, 0, 49, func(float64) float64 { return tipHigh + 2 }, true},
		{wedges, 1.5, 38.5, func(float64) float64 { return 12 }, true},
	} {
		t.Run(c.scene.Name, func(t *testing.T) {
			var p pushes
			for seed := range seeds {
				in := c.scene.New()
				w := in.World
				for _, b := range movers(in) {
					w.RemoveBody(b.ID())
				}
				m := w.AddMaterial(quarry.Material{Friction: []float64{0, 0.1, 0.6}[seed%3]})
				r := random(seed + 1)
				for i := range 60 {
					size := 0.05
					for range int(r.between(0, 8)) {
						size *= 1.7 // to 2 at most
					}
					x := r.between(c.left, c.right)
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(x, c.above(x)+r.between(0, 5)), Angle: r.between(-3, 3),
						Velocity: geom.V(r.between(-15, 15), r.between(-15, 5)), AngularVelocity: r.between(-5, 5),
					})
					w.AddShape(id, Body(Kinds()[i%len(Kinds())], size), quarry.ShapeDef{
						Material: m, Category: 2,
						Mask: 1,
					})
				}
				for range 400 {
					p.step(t, in)
				}
			}
			t.Logf("%d points with load, %d wrong, %d out of solid", p.points, p.bad, p.outs)
			if p.outs != 0 && !c.caught {
				t.Errorf("%d pushes out of solid", p.outs)
			}
		})
	}
}
