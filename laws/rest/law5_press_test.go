package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestPressedPileIsNotShot is law 5 of contact: bodies stuck in a press, one on another
// and with no way out, cannot be freed by any impulse, and are not shot out. Some left at
// MaxSpeed.
func TestPressedPileIsNotShot(t *testing.T) {
	for _, size := range []geom.Vec{{X: 0.5, Y: 0.5}, {X: 1.5, Y: 0.2}} {
		for _, speed := range []float64{0.5, 1, 3, 8} {
			w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
			w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)}), geom.NewBox(10, 1), quarry.ShapeDef{})
			press := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 6.5), Velocity: geom.V(0, -speed)})
			w.AddShape(press, geom.NewBox(4, 0.5), quarry.ShapeDef{})
			k, _ := w.Body(press)
			for i := range 3 {
				id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.6+1.05*float64(i)), Weightless: true})
				w.AddShape(id, geom.NewBox(size.X, size.Y), quarry.ShapeDef{})
			}
			fastest := 0.0
			for range 40 + int(6/(speed*worldtest.DT)) {
				if k.Position().Y <= 0.55+speed*worldtest.DT {
					k.SetVelocity(geom.Vec{})
				}
				w.Step(worldtest.DT)
				for b := range w.Bodies() {
					fastest = max(fastest, b.Velocity().Len())
				}
			}
			t.Logf("%v at %v: %.1f", size, speed, fastest)
			if fastest > 20 {
				t.Errorf("%v pressed at %v: as fast as %v", size, speed, fastest)
			}
		}
	}
}
