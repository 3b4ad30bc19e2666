package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// conveyor has belts of tiles (flat, up and down slopes, around ends and against each other) and a
// belt of a shape, with crates, balls and capsules on them.
var conveyor = Scene{
	Name: "conveyor",
	Doc: "Belts of tiles carry crates, balls and capsules up a slope, along and back below; one " +
		"belt starts halfway.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-3, -4), Max: geom.V(45, 21)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		right := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: 3, Color: 0xd9a441})
		left := w.AddMaterial(quarry.Material{Friction: 1, TangentSpeed: -3, Color: 0x5aa7a0})
		grass := w.AddMaterial(quarry.Material{Friction: 0.6, RollingResistance: 0.05, Color: 0x6f9a53})
		off := quarry.Material{Friction: 0.8, Color: 0x8f7f9a}
		late := w.AddMaterial(off)
		g := ground(w)
		fill := func(x0, y0, x1, y1 int32, s gridseg.ShapeID, turn gridseg.Turn, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Turn: turn, Material: uint16(m)}))
		}
		fill(-2, -3, 43, -1, gridseg.Full, 0, grass)
		fill(-2, 0, -1, 18, gridseg.Full, 0, grass)
		fill(42, 0, 43, 18, gridseg.Full, 0, grass)
		fill(0, -1, 29, -1, gridseg.Full, 0, right)
		for i := range int32(8) { // up, on tiles of one pitch
			fill(30+i, i/2, 30+i, i/2, gridseg.SlopeLow+gridseg.ShapeID(i%2), 0, right)
			fill(30+i, i/2-1, 30+i, i/2-1, gridseg.Full, 0, right)
		}
		fill(38, 3, 41, 3, gridseg.Full, 0, grass)
		fill(6, 6, 34, 6, gridseg.Full, 0, left)
		fill(35, 6, 35, 6, gridseg.Ramp, 4, left)
		fill(8, 11, 18, 11, gridseg.Slab, 2, right)
		fill(19, 11, 29, 11, gridseg.Slab, 2, left)
		fill(4, 15, 36, 15, gridseg.Slab, 2, late)
		drum := w.AddBody(quarry.BodyDef{Position: geom.V(2, 8)})
		w.AddShape(drum, geom.Circle{Radius: 1.2}, quarry.ShapeDef{Material: right})
		for i := range 36 {
			p := geom.V(5+float64(0.85*float64(i)), 17+float64(0.5*float64(i%3)))
			switch i % 4 {
			case 0:
				put(w, p, geom.NewBox(0.35, 0.35), 0)
			case 1:
				put(w, p, geom.Circle{Radius: 0.35}, 0)
			case 2:
				put(w, p, geom.Capsule{A: geom.V(-0.2, 0), B: geom.V(0.2, 0), Radius: 0.25}, 0)
			default:
				put(w, p, geom.NewRoundedBox(0.25, 0.25, 0.1), 0)
			}
		}
		for i := range 12 {
			put(w, geom.V(9+float64(2*float64(i)), 8.5), geom.NewBox(0.4, 0.3), 0)
			put(w, geom.V(9.5+float64(1.7*float64(i)), 13), geom.Circle{Radius: 0.3}, 0)
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step == 300 { // the bodies on it sleep
				off.TangentSpeed, off.Color = 2.5, 0xb06fc4
				w.SetMaterial(late, off)
			}
		}}
	},
}
