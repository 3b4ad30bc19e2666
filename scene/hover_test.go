package scene

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestHover: a disc that falls fast into a gap narrower than itself, beside the end of a
// platform, comes to rest or falls through. (It spun in the air for ever: each step pushed it
// past the free spot, and the next one back.)
func TestHover(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 80
	}
	for _, oneWay := range []bool{false, true} {
		hung, through := 0, 0
		for i := range n {
			w := quarry.NewWorld(falling)
			g := ground(w)
			m := quarry.Material{Friction: .6}
			if oneWay {
				m.OneWay = quarry.OneWayUp
			}
			wood := w.AddMaterial(m)
			must(g.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 8, MaxY: -1}, gridseg.Tile{
				Shape: gridseg.Slab, Turn: 2,
				Material: uint16(wood),
			}))
			must(g.Fill(gridseg.Rect{MinX: 13, MinY: -10, MaxX: 13, MaxY: 8}, gridseg.Tile{Shape: gridseg.Full}))
			r := 2.01 + 0.01*float64(i%20)
			x := 10.05 + 0.05*float64(i/20)
			b, _ := w.Body(put(w, geom.V(x, 3), geom.Circle{Radius: r}, 0))
			b.SetVelocity(geom.V(0, -25))
			for range 1800 { // some roll to the end of the platform, slowly
				if b.Position().Y < -10 || !b.Awake() {
					break
				}
				w.Step(dt)
			}
			if b.Position().Y < -3 {
				through++
			}
			if b.Awake() && b.Position().Y > -10 {
				hung++
				t.Errorf("one-way %v: r %v x %v awake at %v v %v w %v", oneWay, r, x, b.Position(), b.Velocity(),
					b.AngularVelocity())
				for _, c := range w.AppendContacts(nil) {
					t.Logf("      n %v points %d sep %.4f at %v imp %v", c.Normal, c.N, c.Points[0].Separation,
						c.Points[0].Point, c.Points[0].NormalImpulse)
				}
			}
		}
		t.Logf("one-way %v: %d hung, %d through", oneWay, hung, through)
	}
}
