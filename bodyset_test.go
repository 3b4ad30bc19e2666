package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// TestPushes: impulses act at once, forces and torques over the next step only; off the
// centre of mass they also turn the body.
func TestPushes(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b := worldtest.Add(w, geom.V(3, 2), geom.NewBox(0.5, 0.5))
	worldtest.Near(t, "mass", b.Mass(), 1, 1e-12)
	worldtest.Near(t, "inertia", b.Inertia(), 1.0/6, 1e-12)

	b.ApplyImpulse(geom.V(2, 0), b.CenterOfMass())
	worldtest.Near(t, "velocity", b.Velocity().X, 2, 1e-12)
	worldtest.Near(t, "spin", b.AngularVelocity(), 0, 1e-12)
	b.ApplyImpulse(geom.V(-2, 0), b.CenterOfMass().Add(geom.V(0, 0.5)))
	worldtest.Near(t, "velocity", b.Velocity().X, 0, 1e-12)
	worldtest.Near(t, "spin", b.AngularVelocity(), 6, 1e-12)
	b.SetAngularVelocity(0)

	b.ApplyForce(geom.V(0, 6), b.CenterOfMass())
	b.ApplyTorque(3)
	worldtest.Near(t, "velocity before the step", b.Velocity().Y, 0, 0)
	w.Step(worldtest.DT)
	worldtest.Near(t, "velocity", b.Velocity().Y, 6*worldtest.DT, 1e-6)
	worldtest.Near(t, "spin", b.AngularVelocity(), 18*worldtest.DT, 1e-6)
	w.Step(worldtest.DT)
	worldtest.Near(t, "velocity a step later", b.Velocity().Y, 6*worldtest.DT, 1e-6)
	worldtest.Near(t, "spin a step later", b.AngularVelocity(), 18*worldtest.DT, 1e-6)
}

// TestPushesOfTheImmovable: impulses and forces have no effect on static and kinematic
// bodies.
func TestPushesOfTheImmovable(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	for _, kind := range []quarry.BodyType{quarry.Static, quarry.Kinematic} {
		id := w.AddBody(quarry.BodyDef{Type: kind})
		w.AddShape(id, geom.NewBox(1, 1), quarry.ShapeDef{})
		b, _ := w.Body(id)
		b.ApplyImpulse(geom.V(5, 5), geom.V(1, 0))
		b.ApplyForce(geom.V(5, 5), geom.V(1, 0))
		b.ApplyTorque(5)
		w.Step(worldtest.DT)
		if v := b.Velocity(); v != (geom.Vec{}) || b.AngularVelocity() != 0 || b.Position() != (geom.Vec{}) {
			t.Errorf("%v: moves at %v, turns at %v", kind, v, b.AngularVelocity())
		}
	}
}

// TestWakeAndRemoveShape: Wake wakes all bodies of a heap that touch each other;
// RemoveShape wakes the bodies that lay on the shape.
func TestWakeAndRemoveShape(t *testing.T) {
	w := worldtest.New()
	worldtest.Floor(t, w, gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1})
	low := worldtest.Add(w, geom.V(0, 0.5), geom.NewBox(0.5, 0.5))
	high := worldtest.Add(w, geom.V(0, 1.5), geom.NewBox(0.5, 0.5))
	worldtest.Steps(w, 120)
	if low.Awake() || high.Awake() {
		t.Fatal("awake after two seconds")
	}
	high.Wake()
	if !low.Awake() || !high.Awake() {
		t.Error("Wake left one of two that touch asleep")
	}
	worldtest.Steps(w, 120)
	if low.Awake() || high.Awake() {
		t.Fatal("awake two seconds later")
	}
	for s := range low.Shapes() {
		if !w.RemoveShape(s.ID()) || w.RemoveShape(s.ID()) {
			t.Error("RemoveShape is true once, and then false")
		}
	}
	if !high.Awake() {
		t.Error("what lay on the shape is still asleep")
	}
	worldtest.Near(t, "mass without shapes", low.Mass(), 1, 0)
	worldtest.Steps(w, 60)
	worldtest.Near(t, "height of the upper box", high.Position().Y, 0.5, 0.01)
}
