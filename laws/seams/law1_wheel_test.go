package seams_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWheelDoesNotSink is law 1 of contact for a rolling circle: it stays at its height.
// Its anchor turned with it and so seemed to rise off the ground; the circle then fell
// freely for three sub-steps of four. A marble of radius 0.25 sank by 0.05 at 40 units/s.
func TestWheelDoesNotSink(t *testing.T) {
	for _, c := range []struct{ radius, speed float64 }{{0.1, 10}, {0.25, 40}, {0.5, 100}, {2, 100}} {
		w := worldtest.New()
		worldtest.Floor(t, w, gridseg.Rect{MinX: -2, MinY: -1, MaxX: 260, MaxY: -1})
		b := worldtest.Add(w, geom.V(0, c.radius), geom.Circle{Radius: c.radius})
		b.SetVelocity(geom.V(c.speed, 0))
		b.SetAngularVelocity(-c.speed / c.radius)
		for range 120 {
			w.Step(worldtest.DT)
			worldtest.Near(t, fmt.Sprintf("height of %+v", c), b.Position().Y, c.radius, 1e-3)
			worldtest.Near(t, fmt.Sprintf("normal speed of %+v", c), b.Velocity().Y, 0, 1e-3)
		}
		worldtest.Near(t, fmt.Sprintf("speed of %+v", c), b.Velocity().X, c.speed, 1e-3*c.speed)
	}
}
