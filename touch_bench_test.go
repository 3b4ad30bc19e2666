package quarry

import (
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
)

// BenchmarkTouchGround is all that one step does for one contact of a body with a
// ground, but for the solver: at rest, and sliding by a sixth of a cell each time
// (10 cells a second).
func BenchmarkTouchGround(b *testing.B) {
	box := func(w, h float64) geom.Shape { return geom.NewBox(w/2, h/2) }
	for _, c := range []struct {
		name, ground string
		shape        geom.Shape
		half         float64 // height of its middle over the surface
	}{
		{"wide/flat", "flat", box(9.5, 1), 0.5},
		{"unit/flat", "flat", box(1, 1), 0.5},
		{"circle/flat", "flat", geom.Circle{Radius: 0.25}, 0.25},
		{"wide/slope", "slope", box(9.5, 1), 0.5},
		{"unit/slope", "slope", box(1, 1), 0.5},
		{"wide/bumpy", "bumpy", box(9.5, 1), 0.5},
		{"unit/bumpy", "bumpy", box(1, 1), 0.5},
		{"circle/bumpy", "bumpy", geom.Circle{Radius: 0.25}, 0.25},
		{"wide/layers", "layers", box(9.5, 1), 0.5},
		{"wide/platform", "platform", box(9.5, 1), 0.5},
		{"wide/planks", "planks", box(9.5, 1), 0.5},
		{"wide/comb", "comb", box(9.5, 1), 0.5},
		{"300/flat", "flat", box(300, 1), 0.5},
		{"300/bumpy", "bumpy", box(300, 1), 0.5},
	} {
		for _, sliding := range []bool{false, true} {
			name := c.name + "/rest"
			if sliding {
				name = c.name + "/slide"
			}
			b.Run(name, func(b *testing.B) {
				grid := gridseg.New(nil)
				gridtest.Grounds[c.ground](grid)
				w := NewWorld(Config{Gravity: geom.V(0, -10)})
				if c.ground == "platform" || c.ground == "planks" {
					w.AddMaterial(Material{OneWay: OneWayUp})
				}
				if _, err := w.AddGround(0, GroundDef{Grid: grid}); err != nil {
					b.Fatal(err)
				}
				rot, along, up := geom.Rot{C: 1}, geom.V(1, 0), geom.V(0, 1)
				if c.ground == "slope" {
					rot = geom.NewRot(0.7853981633974483)
					along, up = geom.V(rot.C, rot.S), geom.V(-rot.S, rot.C)
				}
				id := w.AddBody(BodyDef{Type: Dynamic})
				w.AddShape(id, c.shape, ShapeDef{})
				slot, _ := w.bodies.Find(uint64(id))
				at := w.bodies.At(slot)
				at.rot = rot
				start := along.Mul(0.3).MulAdd(c.half-geom.LinearSlop/2, up)
				at.center = start
				contact := onGround(w, at)
				w.touchGround(contact)
				if len(contact.manifolds) == 0 {
					b.Fatal("touches nothing")
				}
				b.ReportAllocs()
				for k := 0; b.Loop(); k++ {
					if sliding {
						at.center = start.MulAdd(float64(k%64)/6, along)
					}
					w.touchGround(contact)
				}
			})
		}
	}
}

// onGround returns the contact of b's shape with the ground in slot 0, wherever the two are.
func onGround(w *World, b *body) *contactState {
	if b.firstContact < 0 {
		key := surfacePair(groundProxy, b.firstShape)
		w.pairs[key] = w.addContact(w.newContact(key))
	}
	return w.contacts.At(b.firstContact >> 1)
}

// BenchmarkPinched is a step of a body with a ceiling and a block placed in it, while it is pushed
// to a free spot.
func BenchmarkPinched(b *testing.B) {
	for _, c := range []struct {
		name   string
		wide   float64
		oneWay bool
	}{
		{"3", 3, false},
		{"300", 300, false},
		{"3 one-way", 3, true},
		{"300 one-way", 300, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			var steps, spent time.Duration
			for b.Loop() {
				grid := gridseg.New(nil)
				gridtest.Grounds["bumpy"](grid)
				w := NewWorld(Config{Gravity: geom.V(0, -10)})
				if c.oneWay {
					m := w.AddMaterial(Material{OneWay: OneWayUp})
					_ = grid.Set(2, 6, gridseg.Tile{Shape: gridseg.Slab, Material: uint16(m)})
				}
				id, err := w.AddGround(0, GroundDef{Grid: grid})
				if err != nil {
					b.Fatal(err)
				}
				g, _ := w.Ground(id)
				w.AddShape(w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0.3, 1)}), geom.NewBox(c.wide/2, 1), ShapeDef{})
				_ = g.Fill(gridseg.Rect{MinX: -1, MinY: 0, MaxX: 1, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full})
				_ = g.Fill(gridseg.Rect{MinX: -400, MinY: 2, MaxX: 400, MaxY: 4}, gridseg.Tile{Shape: gridseg.Full})
				from := time.Now()
				for range 60 {
					w.Step(1.0 / 60)
				}
				spent += time.Since(from)
				steps += 60
			}
			b.ReportMetric(float64(spent)/float64(steps), "ns/step")
		})
	}
}
