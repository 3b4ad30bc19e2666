package quarry

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
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

// TestManyGroundsOfABody: changes of all grounds of a body measure no body before the step. The mass is the sum of the
// tiles', with the same bits after a snapshot, which forgets all sums.
func TestManyGroundsOfABody(t *testing.T) {
	const n = 150 // more than a list sums
	w, other := NewWorld(Config{Workers: 1}), NewWorld(Config{Workers: 1})
	worlds, ids := [2]*World{w, other}, [2][]GroundID{}
	var bodies [2]Body
	for k, w := range worlds {
		w.AddMaterial(Material{Density: 2})
		def := BodyDef{Type: Dynamic, Position: geom.V(0.1, 0.2), Angle: 0.7, AngularVelocity: 3}
		bodies[k], _ = w.Body(w.AddBody(def))
		w.AddShape(bodies[k].ID(), geom.Circle{Center: geom.V(-3, 0), Radius: 1}, ShapeDef{})
	}
	area := make([]float64, n) // by ground, times the density but for material 0
	check := func(name string, density float64) {
		t.Helper()
		total := math.Pi
		for k, a := range area {
			if k%3 > 0 {
				a *= density
			}
			total += a
		}
		if a, b := bodies[0], bodies[1]; w.Hash() != other.Hash() || a.Mass() != b.Mass() ||
			a.Inertia() != b.Inertia() || a.CenterOfMass() != b.CenterOfMass() || a.Velocity() != b.Velocity() {
			t.Errorf("after %s the worlds differ", name)
		} else if math.Abs(a.Mass()-total) > 1e-9*total {
			t.Errorf("after %s the mass is %v, want %v", name, a.Mass(), total)
		}
	}
	each := func(name string, do func(w *World, body BodyID, k, at int)) {
		t.Helper()
		before := w.state.Measures
		for k := range n {
			for at, world := range worlds {
				do(world, bodies[at].ID(), k, at)
			}
			if k%37 == 0 {
				if err := other.Restore(other.AppendSnapshot(nil)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if m := w.state.Measures - before; m > 0 {
			t.Errorf("%s of %d grounds measures %d bodies", name, n, m)
		}
		check(name, 2)
	}
	tile := func(k int) gridseg.Tile {
		return gridseg.Tile{Shape: gridseg.Full, Material: uint16(min(1, k%3))}
	}
	each("AddGround", func(w *World, body BodyID, k, at int) {
		grid := gridseg.New(nil)
		if err := grid.Set(int32(2*k), 0, tile(k)); err != nil {
			t.Fatal(err)
		}
		id, err := w.AddGround(body, GroundDef{Grid: grid})
		if err != nil {
			t.Fatal(err)
		}
		ids[at], area[k] = append(ids[at], id), 1
	})
	each("Fill", func(w *World, _ BodyID, k, at int) {
		g, _ := w.Ground(ids[at][k])
		if err := g.Fill(gridseg.Rect{MinX: int32(2 * k), MinY: 0, MaxX: int32(2 * k), MaxY: int32(k % 4)},
			tile(k)); err != nil {
			t.Fatal(err)
		}
		area[k] = float64(1 + k%4)
	})
	for _, w := range worlds {
		w.SetMaterial(1, Material{Density: 5})
	}
	check("SetMaterial", 5)
	for _, w := range worlds {
		w.SetMaterial(1, Material{Density: 2})
	}
	each("RemoveGround", func(w *World, _ BodyID, k, at int) {
		if k%5 > 0 {
			w.RemoveGround(ids[at][k])
			area[k] = 0
		}
	})
}
