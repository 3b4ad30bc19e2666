package quarry

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/geom"
)

// TestBoxesHoldShapes: after each step the box of each shape in the broad phase holds the shape, also if
// the step did not look at it, because no point of the body had moved as far as the box has room.
func TestBoxesHoldShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		w := NewWorld(Config{Gravity: geom.V(0, -10)})
		far := rapid.SampledFrom([]float64{0, 0, 1e6, 1e12}).Draw(t, "far")
		floor := w.AddBody(BodyDef{Position: geom.V(far, 0)})
		w.AddShape(floor, geom.NewBox(20, 1), ShapeDef{})
		var all []Body
		add := func(b Body) {
			p := geom.V(f(-2, 2, "off x"), f(-2, 2, "off y"))
			w.AddShape(b.ID(), geom.NewOffsetBox(f(0.05, 2, "w"), f(0.05, 2, "h"), p, geom.NewRot(f(0, 3, "turned"))),
				ShapeDef{Sensor: rapid.IntRange(0, 3).Draw(t, "sensor") == 0})
		}
		for range rapid.IntRange(1, 5).Draw(t, "bodies") {
			b, _ := w.Body(w.AddBody(BodyDef{
				Type: Dynamic, Position: geom.V(far+f(-5, 5, "x"), f(1, 8, "y")), AngularVelocity: f(-3, 3, "spin"),
				Velocity: geom.V(f(-1, 1, "vx"), f(-1, 1, "vy")).Mul(rapid.SampledFrom([]float64{0, 0.1, 1, 30}).Draw(t,
					"fast")),
			}))
			add(b)
			all = append(all, b)
		}
		for range 60 {
			b := rapid.SampledFrom(all).Draw(t, "which")
			switch rapid.IntRange(0, 15).Draw(t, "change") {
			case 0:
				add(b)
			case 1:
				b.SetTransform(b.Position().Add(geom.V(f(-0.2, 0.2, "by"), 0)), f(0, 6, "angle"))
			case 2:
				b.SetVelocity(geom.V(f(-0.5, 0.5, "to vx"), f(-0.5, 0.5, "to vy")))
			}
			w.Step(1.0 / 60)
			for i := range w.state.Shapes.All() {
				s := w.state.Shapes.At(i)
				tight := s.Hull.Bounds(w.state.Bodies.At(s.Body).Transform())
				if room := w.state.Broad.At(s.Proxy).Box.Room(tight); room < 0 || math.IsNaN(room) {
					t.Fatalf("shape %d is %g outside of its box", i, -room)
				}
			}
		}
	})
}
