package surfaces_test

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
	worldtest.OnCarriers(t, wheelDoesNotSink)
}

func wheelDoesNotSink(t *testing.T, on worldtest.Carrier) {
	for _, c := range []struct{ radius, speed float64 }{{0.1, 10}, {0.25, 40}, {0.5, 100}, {2, 100}} {
		w := on.NewSite()
		w.Floor(t, gridseg.Rect{MinX: -2, MinY: -1, MaxX: 260, MaxY: -1})
		b := w.Add(geom.V(0, c.radius), geom.Circle{Radius: c.radius})
		w.SetVelocity(b, geom.V(c.speed, 0))
		b.SetAngularVelocity(-c.speed / c.radius)
		for range 120 {
			w.Step(worldtest.DT)
			worldtest.Near(t, fmt.Sprintf("height of %+v", c), w.Position(b).Y, c.radius, 1e-3)
			worldtest.Near(t, fmt.Sprintf("normal speed of %+v", c), w.Velocity(b).Y, 0, 1e-3)
		}
		worldtest.Near(t, fmt.Sprintf("speed of %+v", c), w.Velocity(b).X, c.speed, 1e-3*c.speed)
	}
}
