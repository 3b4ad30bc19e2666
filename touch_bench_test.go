package quarry

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// benchGrounds are grids that bodies are laid on, all solid below y = 0 or, for
// the slope, below y = x.
var benchGrounds = map[string]func(g *gridseg.Grid){
	"flat": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	},
	"slope": func(g *gridseg.Grid) {
		for x := int32(-64); x < 64; x++ {
			_ = g.Set(x, x, gridseg.Tile{Shape: gridseg.Ramp})
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: x - 8, MaxX: x, MaxY: x - 1}, gridseg.Tile{Shape: gridseg.Full})
		}
	},
	// Blocks of two layers in turn, which preserve each other.
	"layers": func(g *gridseg.Grid) {
		_ = g.Preserve(0, 1)
		for x := int32(-400); x <= 400; x++ {
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: -8, MaxX: x, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Layer: uint8(x & 1)})
		}
	},
	// A platform of tiles of material 1, which is one-way.
	"platform": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -1, MaxX: 400, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Material: 1})
	},
	// The same on solid ground.
	"planks": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -2}, gridseg.Tile{Shape: gridseg.Full})
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -1, MaxX: 400, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Material: 1})
	},
	// Pillars with gaps between them.
	"comb": func(g *gridseg.Grid) {
		for x := int32(-400); x <= 400; x += 2 {
			_ = g.Fill(gridseg.Rect{MinX: x, MinY: -8, MaxX: x, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
		}
	},
	// Blocks, ramps and slabs of one layer, all of whose highest points are at 0.
	"bumpy": func(g *gridseg.Grid) {
		_ = g.Fill(gridseg.Rect{MinX: -400, MinY: -8, MaxX: 400, MaxY: -2}, gridseg.Tile{Shape: gridseg.Full})
		r := rand.New(rand.NewPCG(1, 2))
		for x := int32(-400); x < 400; x++ {
			k := r.IntN(4)
			if x == 0 {
				k = 0
			}
			switch k {
			case 0:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full})
			case 1:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Ramp})
			case 2:
				_ = g.Set(x, -1, gridseg.Tile{Shape: gridseg.Slab})
			}
		}
	},
}

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
				benchGrounds[c.ground](grid)
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
		w.addContact(w.newContact(pairOf(groundProxy, b.firstShape)))
	}
	return w.contacts.At(b.firstContact >> 1)
}
