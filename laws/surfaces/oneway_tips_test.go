package surfaces_test

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
	i := 0
	for _, hy := range []float64{0.02, 0.2} {
		for _, angle := range []float64{math.Pi / 2, 1.2, 0.8} {
			for k := range 30 {
				for _, on := range worldtest.InTurn(i) {
					w := on.NewSite()
					platforms(t, w, "------------------------", "", "", "", "")
					b := w.Add(geom.V(12.03, 9+0.23*float64(k)), geom.NewBox(3, hy))
					w.SetTransform(b, w.Position(b), angle)
					w.SetVelocity(b, geom.V(0, -quarry.MaxSpeed))
					for range 120 {
						w.Step(worldtest.DT)
						if p := w.Position(b); p.Y < 4.5 && p.X > 0 && p.X < 24 {
							t.Errorf("%s: plank of %v at %v, number %d: went through", on.Name, hy, angle, k)
							break
						}
					}
				}
				i++
			}
		}
	}
}
