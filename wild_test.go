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

// TestHugeAndFastStaysFinite: position, velocity and spin of a body on the ground stay
// finite at any size, spin and velocity. A box of half-size 1e8 with a spin of 1e15
// became NaN for good: the square of its corners' speed is beyond float32.
func TestHugeAndFastStaysFinite(t *testing.T) {
	for _, half := range []float64{1, 1e4, 1e8} {
		for _, spin := range []float64{1e15, -1e300} {
			for _, v := range []geom.Vec{{}, {X: 1e15, Y: -1e15}} {
				for _, step := range []float64{worldtest.DT, 1, 1e-12} {
					w := worldtest.New()
					worldtest.Floor(t, w, gridseg.Rect{MinX: -20, MinY: -2, MaxX: 20, MaxY: -1})
					id := w.AddBody(quarry.BodyDef{
						Type: quarry.Dynamic, Position: geom.V(0, half),
						AngularVelocity: spin, Velocity: v,
					})
					w.AddShape(id, geom.NewBox(half, half), quarry.ShapeDef{})
					ball := worldtest.Add(w, geom.V(0.3, 2*half+0.5), geom.Circle{Radius: 0.5})
					b, _ := w.Body(id)
					for i := range 30 {
						w.Step(step)
						for _, b := range []quarry.Body{b, ball} {
							if !b.Position().IsFinite() || !b.Velocity().IsFinite() ||
								math.IsNaN(b.AngularVelocity()) || math.IsNaN(b.Rotation().C) {
								t.Fatalf("half-size %v, spin %v, velocity %v, steps of %v: in step %d at %v, "+
									"velocity %v, spin %v, %v",
									half, spin, v, step, i, b.Position(), b.Velocity(), b.AngularVelocity(),
									b.Rotation())
							}
						}
					}
				}
			}
		}
	}
}

// TestWildNumbers: a world refuses a finite number with a panic, and is unchanged, or
// accepts it, and its state stays finite. An impulse divided by the square of a tiny
// number once turned a body, and the bodies that it touched, into NaN for good.
func TestWildNumbers(t *testing.T) {
	for name, give := range map[string]func(w *quarry.World, b, lift quarry.Body, x float64){
		"step":        func(w *quarry.World, _, _ quarry.Body, x float64) { w.Step(x) },
		"gravity":     func(w *quarry.World, _, _ quarry.Body, x float64) { w.SetGravity(geom.V(0, -x)) },
		"velocity":    func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetVelocity(geom.V(x, -x)) },
		"spin":        func(_ *quarry.World, b, _ quarry.Body, x float64) { b.SetAngularVelocity(x) },
		"lift":        func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetVelocity(geom.V(-x, 0)) },
		"lift's spin": func(_ *quarry.World, _, lift quarry.Body, x float64) { lift.SetAngularVelocity(x) },
		"impulse": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyImpulse(geom.V(x, -x), geom.V(0, 1))
		},
		"impulse's arm": func(_ *quarry.World, b, _ quarry.Body, x float64) {
			b.ApplyImpulse(geom.V(x, -x), geom.V(x, x))
		},
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
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() ||
					!(math.Abs(b.AngularVelocity()) < math.MaxFloat64) || math.IsNaN(b.Angle()) {
					t.Fatalf("%s %g: at %v, velocity %v, spin %v, angle %v", name, x, b.Position(), b.Velocity(),
						b.AngularVelocity(), b.Angle())
				}
			}
		}
	}
}

// TestJointOfHugeBodyStaysFinite: a joint of a body with a mass of 1e15 or so stays finite. The determinant of
// its rows has no inverse in float32: body and joint once became NaN.
func TestJointOfHugeBodyStaysFinite(t *testing.T) {
	for _, radius := range []float64{1e6, 1e7, 1e8} {
		for _, rigid := range []quarry.JointSpring{{}, {Hertz: 0.75, DampingRatio: 1.6}} {
			w := worldtest.New()
			b := worldtest.Add(w, geom.Vec{}, geom.Circle{Center: geom.V(1.7, 5.4), Radius: radius})
			base := quarry.JointBase{B: b.ID(), Constraint: rigid}
			w.AddJoint(quarry.PrismaticJoint{JointBase: base})
			w.AddJoint(quarry.RevoluteJoint{JointBase: base})
			for step := range 30 {
				w.Step(worldtest.DT)
				if !b.Position().IsFinite() || !b.Velocity().IsFinite() || math.IsNaN(b.Rotation().C) {
					t.Fatalf("radius %v, %+v, step %d: at %v, velocity %v, %v", radius, rigid, step, b.Position(),
						b.Velocity(), b.Rotation())
				}
			}
		}
	}
}
