package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestStoppedFallsNoFaster is law 5 of contact: a falling body that is stopped within a
// step, a slop above the ground, has the speed of its fall so far. It had the speed of a
// fall to the end of the step, and bounced by that.
func TestStoppedFallsNoFaster(t *testing.T) {
	for i := range 40 {
		for _, on := range worldtest.Carriers() {
			w := on.NewSite()
			w.Floor(t, gridseg.Rect{MinX: -9, MinY: -1, MaxX: 8, MaxY: -1})
			b := w.Add(geom.V(0, 5+0.05*float64(i)), geom.Circle{Radius: 0.1})
			for w.Position(b).Y > 0.12 {
				before := w.Energy(b)
				w.Step(worldtest.DT)
				if e := w.Energy(b); e > before {
					t.Fatalf("%s: from %v: %v of energy at %v, %v before", on.Name, 5+0.05*float64(i), e, w.Position(b),
						before)
				}
			}
		}
	}
}
