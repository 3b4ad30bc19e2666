package quarry_test

import (
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestWildNumbers: whatever finite number a world is given, it refuses by a panic, and
// is as it was, or it takes: then all stays finite. An impulse divided by the square
// of next to nothing once turned a body, and what it touched, into NaN for good.
func TestWildNumbers(t *testing.T) {
	for name, give := range map[string]func(w *quarry.World, b, lift quarry.Body, x float64){
		"step":          func(w *quarry.World, _, _ quarry.Body, x float64) { w.Step(x) },
		"gravity":       func(w *quarry.World, _, _ quarry.Body, x float64) { w.SetGravity(geom.V(0, -x)) },
		"velocity":      func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetVelocity(geom.V(x, -x)) },
		"spin":          func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetAngularVelocity(x) },
		"lift":          func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetVelocity(geom.V(-x, 0)) },
		"lift's spin":   func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetAngularVelocity(x) },
		"impulse":       func(_ *quarry.World, b, _ quarry.Body, x float64) { b.ApplyImpulse(geom.V(x, -x), geom.V(0, 1)) },
		"impulse's arm": func(_ *quarry.World, b, _ quarry.Body, x float64) { b.ApplyImpulse(geom.V(x, -x), geom.V(x, x)) },
		"force": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyForce(geom.V(x, -x), geom.V(0, 1))
			b.ApplyForce(geom.V(x, -x), geom.V(-x, x))
		},
		"torque": func(_ *quarry.World, b, _ quarry.Body, x float64) { b.ApplyTorque(x); b.ApplyTorque(x) },
		"body": func(w *quarry.World, _, _ quarry.Body, x float64) {
			id := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(0, 2), Velocity: geom.V(x, -x), AngularVelocity: x,
				LinearDamping: math.Abs(x), AngularDamping: math.Abs(x),
			})
			w.AddShape(id, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
		},
		"density": func(w *quarry.World, b, _ quarry.Body, x float64) {
			w.AddShape(b.ID(), geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: x})
		},
		"radius": func(w *quarry.World, b, _ quarry.Body, x float64) {
			w.AddShape(b.ID(), geom.Circle{Center: geom.V(0.2, 0), Radius: x}, quarry.ShapeDef{})
		},
		"alone": func(w *quarry.World, b, _ quarry.Body, x float64) {
			for s := range b.Shapes() {
				w.RemoveShape(s.ID())
			}
			w.AddShape(b.ID(), geom.Circle{Radius: x}, quarry.ShapeDef{})
		},
	} {
		for e := -1074; e < 1024; e += 7 {
			w := worldtest.New()
			worldtest.Floor(t, w, gridseg.Rect{MinX: -5, MinY: -1, MaxX: 5, MaxY: -1})
			b := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
			worldtest.Add(w, geom.V(0.1, 1.5), geom.NewBox(0.5, 0.5))
			id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(2, 0.5)})
			w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
			lift, _ := w.Body(id)
			w.Step(worldtest.DT)
			x, before := math.Ldexp(1, e), w.Hash()
			func() {
				defer func() {
					r := recover()
					if text, _ := r.(string); r != nil && !strings.HasPrefix(text, "quarry: ") {
						t.Fatalf("%s %g: panicked with %v", name, x, r)
					}
					if r != nil && name != "body" && name != "alone" && w.Hash() != before {
						t.Fatalf("%s %g: refused, but the world was changed", name, x)
					}
				}()
				give(w, b, lift, x)
			}()
			for range 8 {
				w.Step(worldtest.DT)
			}
			for b := range w.Bodies() {
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() || !(math.Abs(b.AngularVelocity()) < math.MaxFloat64) || math.IsNaN(b.Angle()) {
					t.Fatalf("%s %g: at %v, velocity %v, spin %v, angle %v", name, x, b.Position(), b.Velocity(), b.AngularVelocity(), b.Angle())
				}
			}
		}
	}
}
