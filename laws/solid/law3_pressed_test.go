package solid_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// squeezable returns shapes to press.
func squeezable() map[string]geom.Shape {
	return map[string]geom.Shape{
		"box": geom.NewBox(0.4, 0.3), "circle": geom.Circle{Radius: 0.3}, "plank": geom.NewBox(0.8, 0.05),
		"capsule": geom.Capsule{A: geom.V(-0.4, 0), B: geom.V(0.4, 0), Radius: 0.2},
	}
}

// squeezer adds a kinematic press of a kind, with pose and velocity of d.
func squeezer(t testing.TB, w *quarry.World, kind string, d quarry.BodyDef) quarry.Body {
	d.Type = quarry.Kinematic
	id := w.AddBody(d)
	switch kind {
	case "box":
		w.AddShape(id, geom.NewBox(2, 0.5), quarry.ShapeDef{})
	case "segment":
		w.AddShape(id, geom.Segment{A: geom.V(-2, 0), B: geom.V(2, 0)}, quarry.ShapeDef{})
	case "thin box":
		w.AddShape(id, geom.NewBox(2, 0.02), quarry.ShapeDef{})
	case "chain":
		worldtest.AddChain(t, w, id, quarry.ChainDef{Points: []geom.Vec{geom.V(-2, 0), geom.V(2, 0)}})
	}
	b, _ := w.Body(id)
	return b
}

// TestPressedOntoChain is law 3 of contact: a kinematic body does not press a body
// through a chain or the ground; the body stays in front of it and is reported as
// crushed. (The kinematic contact was solved last, so it carried the body through any
// obstacle.)
func TestPressedOntoChain(t *testing.T) {
	for name, s := range squeezable() {
		for _, speed := range []float64{0.5, 2, 8, 30} {
			for _, kind := range []string{"box", "chain", "segment", "thin box"} {
				for _, under := range []string{"chain", "tiles"} {
					w := worldtest.New()
					if under == "chain" {
						worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(9, 0), geom.V(-9, 0), 9)})
					} else {
						worldtest.Floor(t, w, gridseg.Rect{MinX: -9, MinY: -9, MaxX: 8, MaxY: -1})
					}
					b := worldtest.Add(w, geom.V(0.1, 0.5), s)
					press := squeezer(t, w, kind, quarry.BodyDef{Position: geom.V(0, 3), Velocity: geom.V(0, -speed)})
					told := 0
					for range int(4/speed*60) + 30 {
						if press.Position().Y < -1 {
							press.SetVelocity(geom.Vec{})
						}
						w.Step(worldtest.DT)
						told += len(w.Crushed())
						if b.Position().Y < 0 {
							t.Fatalf("%s by a %s at %v onto %s: through, at %v", name, kind, speed, under, b.Position())
						}
					}
					if speed == 0.5 && kind == "box" && under == "chain" && told != 1 {
						t.Errorf("%s by a %s at %v onto a chain: told of %d times", name, kind, speed, told)
					}
				}
			}
		}
	}
}

// TestPressedByTurning is law 3 of contact: a turning wall presses no body through a thin
// wall, from either side.
func TestPressedByTurning(t *testing.T) {
	for name, s := range squeezable() {
		for _, spin := range []float64{-4, -1, -0.3, 0.3, 1, 4} {
			for _, kind := range []string{"segment", "thin box"} {
				for _, high := range []float64{0.2, 0.6, 1.2} {
					w := worldtest.New()
					worldtest.AddChain(t, w, 0, quarry.ChainDef{Points: worldtest.Line(geom.V(9, 0), geom.V(-9, 0), 9)})
					b := worldtest.Add(w, geom.V(1, 0.35), s)
					squeezer(t, w, kind, quarry.BodyDef{Position: geom.V(0, high), Angle: 1.3, AngularVelocity: spin})
					for range int(min(1200, 600/max(spin, -spin))) {
						w.Step(worldtest.DT)
						if p := b.Position(); p.Y < 0 && p.X > -9 && p.X < 9 {
							t.Errorf("%s by a %s turning at %v, %v above: through, at %v in step %d", name, kind, spin, high, p, w.StepCount())
							break
						}
					}
				}
			}
		}
	}
}
