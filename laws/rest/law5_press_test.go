package rest_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestPressedPileIsNotShot is law 5 of contact: bodies stuck in a press, one on another
// and with no way out, cannot be freed by any impulse, and are not shot out. Some left at
// MaxSpeed.
func TestPressedPileIsNotShot(t *testing.T) {
	for _, size := range []geom.Vec{{X: 0.5, Y: 0.5}, {X: 1.5, Y: 0.2}} {
		for _, speed := range []float64{0.5, 1, 3, 8} {
			for _, tiles := range []bool{false, true} {
				for _, on := range worldtest.Carriers() {
					if fastest := pressPile(t, on, size, speed, tiles); fastest > 20 {
						t.Errorf("%s, tiles %v: %v pressed at %v: as fast as %v", on.Name, tiles, size, speed, fastest)
					}
				}
			}
		}
	}
}

// pressPile presses three boxes against a floor, and returns the largest speed.
func pressPile(t *testing.T, on worldtest.Carrier, size geom.Vec, speed float64, tiles bool) (fastest float64) {
	w := on.NewSite()
	if tiles {
		w.Floor(t, gridseg.Rect{MinX: -10, MinY: -2, MaxX: 9, MaxY: -1})
	} else {
		w.AddShape(w.Carrier.ID(), geom.NewOffsetBox(10, 1, geom.V(0, -1), geom.Identity), quarry.ShapeDef{})
	}
	press := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 6.5), Velocity: geom.V(0, -speed)},
		geom.NewBox(4, 0.5), quarry.ShapeDef{})
	var all []quarry.Body
	for i := range 3 {
		all = append(all, w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(0, 0.6+1.05*float64(i)),
			Weightless: true,
		}, geom.NewBox(size.X, size.Y), quarry.ShapeDef{}))
	}
	for range 40 + int(6/(speed*worldtest.DT)) {
		if w.Position(press).Y <= 0.55+speed*worldtest.DT {
			w.SetVelocity(press, geom.Vec{})
		}
		w.Step(worldtest.DT)
		for _, b := range all {
			fastest = max(fastest, w.Velocity(b).Len())
		}
	}
	return fastest
}
