package quarry_test

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// TestContactsAfterNewMass: a shape whose body gets another centre of mass, and is moved by as much the
// other way, touches what it is moved against. The step took the distance of the centres of mass for
// the shapes' centre, and passed the contact over.
func TestContactsAfterNewMass(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	wall := w.AddBody(quarry.BodyDef{})
	w.AddShape(wall, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1.08, 0)})
	shape := w.AddShape(body, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	w.Step(1. / 60)
	if n := len(w.AppendContacts(nil)); n > 0 {
		t.Fatalf("%d contacts of bodies apart", n)
	}
	b, _ := w.Body(body)
	before := b.CenterOfMass()
	w.AddShape(body, geom.NewOffsetBox(0.1, 0.1, geom.V(0.9, 0), geom.Identity), quarry.ShapeDef{Density: 2.5})
	shift := b.CenterOfMass().Sub(before)
	if shift.X < 0.07 || shift.X > 0.1 {
		t.Fatalf("the centre of mass moved by %v", shift)
	}
	b.SetTransform(b.Position().Sub(shift), 0)
	w.Step(1. / 60)
	touch := w.AppendContacts(nil)
	if len(touch) != 1 || touch[0].ShapeB != shape {
		t.Errorf("contacts %+v, want one of the box that was moved to the wall", touch)
	}
}

// TestSoftWeldFarFromMass: the motion of a body whose centre of mass is far from its soft weld stays finite. Once the
// impulses of its spring grew from step to step, to NaN; found by random calls.
func TestSoftWeldFarFromMass(t *testing.T) {
	for far := 1e3; far <= 1e9; far *= 10 {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1, 1)})
		b, _ := w.Body(id)
		b.SetMass(geom.Mass{Mass: 7.5, Center: geom.V(far, 0.875), Inertia: 4.4375})
		w.AddJoint(quarry.WeldJoint{
			JointBase: quarry.JointBase{B: id, FrameB: quarry.JointFrame{
				Position: geom.V(1.6875, 3),
				Angle:    6.4375,
			}},
			Spring:        quarry.JointSpring{Hertz: 7.375, DampingRatio: 5},
			AngularSpring: quarry.JointSpring{Hertz: 2.0625, DampingRatio: 5.125},
		})
		for range 100 {
			if w.Step(1.0 / 60); !b.Position().IsFinite() {
				t.Fatalf("%g units away: %v", far, b.Position())
			}
		}
	}
}
