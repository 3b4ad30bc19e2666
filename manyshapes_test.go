package quarry

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestManyShapesOfABody: changes of all shapes of a body take time in proportion to their number: each measures no
// other shape. The mass has the same bits after a snapshot, and after calls that measure in between.
func TestManyShapesOfABody(t *testing.T) {
	const n = 1000
	for _, kind := range []BodyType{Static, Kinematic, Dynamic} {
		w, other := NewWorld(Config{Workers: 1}), NewWorld(Config{Workers: 1})
		def := BodyDef{Type: kind, Position: geom.V(0.1, 0.2), Angle: 0.7, Velocity: geom.V(1, 2), AngularVelocity: 3}
		if kind == Static {
			def.Velocity, def.AngularVelocity = geom.Vec{}, 0
		}
		a, b := w.AddBody(def), other.AddBody(def)
		ba, _ := w.Body(a)
		bb, _ := other.Body(b)
		var shapes, others []ShapeID
		each := func(name string, do func(w *World, k int, id ShapeID)) {
			t.Helper()
			before := w.state.Measures
			for k := range n {
				do(w, k, shapes[k])
			}
			if m := w.state.Measures - before; m > 2 {
				t.Errorf("%v: %s of %d shapes measures %d bodies", kind, name, n, m)
			}
			for k := range n {
				if do(other, k, others[k]); k%97 == 0 {
					other.Hash() // measures
					if data := other.AppendSnapshot(nil); k%291 == 0 {
						if err := other.Restore(data); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			if w.Hash() != other.Hash() || ba.Velocity() != bb.Velocity() || ba.CenterOfMass() != bb.CenterOfMass() ||
				ba.Mass() != bb.Mass() || ba.Inertia() != bb.Inertia() {
				t.Errorf("%v: after %s the worlds differ", kind, name)
			}
		}
		shapes, others = make([]ShapeID, n), make([]ShapeID, n)
		add := func(w *World, k int, _ ShapeID) {
			body, list := a, shapes
			if w == other {
				body, list = b, others
			}
			list[k] = w.AddShape(body, geom.Circle{Center: geom.V(float64(k%40), float64(k/40)), Radius: 0.1},
				ShapeDef{Density: 1 + float64(k%3)})
		}
		each("AddShape", add)
		each("SetDensity", func(w *World, k int, id ShapeID) {
			s, _ := w.Shape(id)
			s.SetDensity(float64(k % 5))
		})
		each("SetGeometry", func(w *World, k int, id ShapeID) {
			s, _ := w.Shape(id)
			s.SetGeometry(geom.Circle{Center: geom.V(float64(k%40), -float64(k/40)), Radius: 0.2})
		})
		each("SetSensor", func(w *World, k int, id ShapeID) {
			s, _ := w.Shape(id)
			s.SetSensor(k%2 == 0)
		})
		if kind == Dynamic {
			total, center := 0.0, geom.Vec{}
			for s := range ba.Shapes() {
				m := s.Geometry().Mass(w.state.Shapes.At(s.slot).Density)
				total, center = total+m.Mass, center.MulAdd(m.Mass, m.Center)
			}
			if math.Abs(ba.Mass()-total) > 1e-9*total ||
				ba.LocalPoint(ba.CenterOfMass()).Dist(center.Mul(1/total)) > 1e-9 {
				t.Errorf("mass %v, want %v", ba.Mass(), total)
			}
		}
		w.Step(1.0 / 60)
		other.Step(1.0 / 60)
		each("RemoveShape", func(w *World, k int, id ShapeID) {
			if k%10 > 0 {
				w.RemoveShape(id)
			}
		})
		if w.Step(1.0 / 60); kind == Dynamic && (ba.Mass() <= 0 || math.IsNaN(ba.Inertia())) {
			t.Errorf("mass %v, inertia %v", ba.Mass(), ba.Inertia())
		}
	}
}
