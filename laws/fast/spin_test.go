package fast_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestTurnsBySpinTimesTime: a dynamic or kinematic body turns by its angular velocity
// times the time, at any spin that a sub-step allows. A sub-step turned it by the arc
// tangent of that angle: at 50, 150 and 300 rad/s it turned 1.4, 11 and 28% less.
func TestTurnsBySpinTimesTime(t *testing.T) {
	for _, kind := range []quarry.BodyType{quarry.Dynamic, quarry.Kinematic} {
		for _, spin := range []float64{1e-3, 0.5, 5, -50, 150, -300, 370, 376.9} {
			w := quarry.NewWorld(quarry.Config{NoSleep: true})
			id := w.AddBody(quarry.BodyDef{Type: kind, AngularVelocity: spin})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			b, _ := w.Body(id)
			for i := range 120 {
				was := b.Rotation()
				w.Step(worldtest.DT)
				if b.AngularVelocity() != spin {
					t.Fatalf("%v at %v: turns at %v in step %d", kind, spin, b.AngularVelocity(), i)
				}
				// The turn is known but for whole turns.
				want := spin * worldtest.DT
				off := math.Remainder(was.InvMul(b.Rotation()).Angle()-want, 2*math.Pi)
				if math.Abs(off) > 1e-5*math.Abs(want)+1e-9 {
					t.Fatalf("%v at %v: step %d turns it by %v too much, of %v", kind, spin, i, off, want)
				}
			}
		}
	}
}
