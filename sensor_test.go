package quarry_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestSensorsAgainstGaps: what sensors tell, of bodies of all types, is what overlaps
// by the distances of the shapes, where that is not too near to call. A kinematic
// body was once seen by none but sensors of dynamic bodies.
func TestSensorsAgainstGaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := quarry.NewWorld(quarry.Config{})
		type thing struct {
			body   quarry.Body
			shape  quarry.ShapeID
			core   geom.Core
			sensor bool
		}
		var all []thing
		for range 8 {
			id := w.AddBody(quarry.BodyDef{
				Type:     quarry.BodyType(rapid.IntRange(0, 2).Draw(t, "type")),
				Position: geom.V(rapid.Float64Range(-4, 4).Draw(t, "x"), rapid.Float64Range(-4, 4).Draw(t, "y")),
				Velocity: geom.V(rapid.Float64Range(-5, 5).Draw(t, "vx"), rapid.Float64Range(-5, 5).Draw(t, "vy")),
			})
			g := rapid.SampledFrom([]geom.Shape{
				geom.Circle{Radius: 0.7}, geom.NewBox(1, 0.5), geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 0.2},
			}).Draw(t, "shape")
			x := thing{core: geom.NewCore(g), sensor: rapid.Bool().Draw(t, "sensor")}
			x.body, _ = w.Body(id)
			x.shape = w.AddShape(id, g, quarry.ShapeDef{Sensor: x.sensor})
			all = append(all, x)
		}
		on := map[[2]quarry.ShapeID]bool{}
		for k := range 60 {
			if k%20 == 19 {
				x := rapid.SampledFrom(all).Draw(t, "put")
				x.body.SetTransform(geom.V(rapid.Float64Range(-4, 4).Draw(t, "to x"), 0), 1)
			}
			gaps := map[[2]quarry.ShapeID]float64{}
			for i, x := range all {
				for _, y := range all[i+1:] {
					if x.sensor == y.sensor || x.body.Type() == quarry.Static && y.body.Type() == quarry.Static {
						continue
					}
					gap, _, _ := geom.Gap(&x.core, &y.core, x.body.Transform().InvMul(y.body.Transform()))
					gaps[[2]quarry.ShapeID{x.shape, y.shape}] = gap
				}
			}
			w.Step(dt)
			for _, e := range w.SensorEnds() {
				delete(on, [2]quarry.ShapeID{min(e.ShapeA, e.ShapeB), max(e.ShapeA, e.ShapeB)})
			}
			for _, e := range w.SensorBegins() {
				on[[2]quarry.ShapeID{min(e.ShapeA, e.ShapeB), max(e.ShapeA, e.ShapeB)}] = true
			}
			for pair := range on {
				if _, known := gaps[pair]; !known {
					t.Fatalf("step %d: %v overlap", k, pair)
				}
			}
			for pair, gap := range gaps {
				if (gap < -geom.LinearSlop && !on[pair]) || (gap > geom.LinearSlop && on[pair]) {
					t.Fatalf("step %d: %v are %g apart, told to overlap: %v", k, pair, gap, on[pair])
				}
			}
		}
	})
}
