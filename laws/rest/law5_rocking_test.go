package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestRockingDiesDown is law 5 of contact: a plank that rocks on a round body comes to
// rest. Its righting torque came a little late, so it swung ever higher, from 0.01 to
// 0.28 in half a minute, and one in eight heaps of mixed bodies did not come to rest.
func TestRockingDiesDown(t *testing.T) {
	for _, radius := range []float64{0.25, 0.5, 2} {
		for _, half := range []geom.Vec{{X: 0.3, Y: 0.02}, {X: 1, Y: 0.06}, {X: 2, Y: 0.1}} {
			for _, flip := range []bool{false, true} { // which of the two bodies is A
				w := worldtest.New()
				rock := func() {
					id := w.AddBody(quarry.BodyDef{})
					w.AddShape(id, geom.Circle{Radius: radius}, quarry.ShapeDef{})
				}
				if !flip {
					rock()
				}
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, radius+half.Y), Angle: 0.05})
				w.AddShape(id, geom.NewBox(half.X, half.Y), quarry.ShapeDef{})
				b, _ := w.Body(id)
				if flip {
					rock()
				}
				var swing [4]float64 // of each five seconds
				for i := range 1200 {
					w.Step(worldtest.DT)
					swing[i/300] = max(swing[i/300], math.Abs(b.Angle()))
				}
				for k := range 3 {
					if swing[k+1] > swing[k]+1e-3 {
						t.Errorf("%v on a circle of %v: swings of %.4f", half, radius, swing)
						break
					}
				}
			}
		}
	}
}
