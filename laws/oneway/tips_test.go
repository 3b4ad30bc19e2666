package oneway_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestOneWayTipFirst: a long plank that comes down on one-way tiles tip first, at up to
// MaxSpeed, stays on top. It went through.
func TestOneWayTipFirst(t *testing.T) {
	for _, hy := range []float64{0.02, 0.2} {
		for _, angle := range []float64{math.Pi / 2, 1.2, 0.8} {
			for k := range 30 {
				w := worldtest.New()
				platforms(t, w, "------------------------", "", "", "", "")
				b := worldtest.Add(w, geom.V(12.03, 9+0.23*float64(k)), geom.NewBox(3, hy))
				b.SetTransform(b.Position(), angle)
				b.SetVelocity(geom.V(0, -quarry.MaxSpeed))
				for range 120 {
					w.Step(worldtest.DT)
					if p := b.Position(); p.Y < 4.5 && p.X > 0 && p.X < 24 {
						t.Errorf("plank of %v at %v, number %d: went through", hy, angle, k)
						break
					}
				}
			}
		}
	}
}
