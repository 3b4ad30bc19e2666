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
				for _, on := range worldtest.Carriers() {
					swing := rock(on, radius, half, flip)
					for k := range 3 {
						if swing[k+1] > swing[k]+1e-3 {
							t.Errorf("%s: %v on a circle of %v: swings of %.4f", on.Name, half, radius, swing)
							break
						}
					}
				}
			}
		}
	}
}

// rock rocks a plank on a circle for 20 seconds, and returns its largest angle in each five of them.
func rock(on worldtest.Carrier, radius float64, half geom.Vec, flip bool) (swing [4]float64) {
	w := on.NewSite()
	stone := func() {
		w.AddShape(w.Beside(w.Carrier.Type(), geom.Vec{}).ID(), geom.Circle{Radius: radius}, quarry.ShapeDef{})
	}
	if !flip {
		stone()
	}
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, radius+half.Y), Angle: 0.05},
		geom.NewBox(half.X, half.Y), quarry.ShapeDef{})
	if flip {
		stone()
	}
	for i := range 1200 {
		w.Step(worldtest.DT)
		swing[i/300] = max(swing[i/300], math.Abs(w.Pose(b).Q.Angle()))
	}
	return swing
}
