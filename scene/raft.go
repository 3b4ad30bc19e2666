package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// raft has rafts of tiles, grounds on dynamic bodies, that belts of tiles carry over a seam, down a slope and against
// each other, with crates on board.
var raft = Scene{
	Name: "raft",
	Doc: "Belts of tiles carry rafts of tiles with crates on board along, down a slope, and onto a belt that " +
		"runs back.",
	Steps:  1200,
	View:   geom.AABB{Min: geom.V(-4, -8), Max: geom.V(54, 14)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		right := w.AddMaterial(quarry.Material{Friction: 0.8, TangentSpeed: 4, Color: 0xd9a441})
		left := w.AddMaterial(quarry.Material{Friction: 0.8, TangentSpeed: -2, Color: 0x5aa7a0})
		wall := w.AddMaterial(quarry.Material{Friction: 0.3, Color: 0x8f7f9a})
		wood := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xa87b4f, Density: 0.5})
		fill := func(g quarry.Ground, x0, y0, x1, y1 int32, s gridseg.ShapeID, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1},
				gridseg.Tile{Shape: s, Material: uint16(m)}))
		}
		first, second := ground(w), ground(w)
		fill(first, -3, 4, 13, 5, gridseg.Full, right)
		fill(second, 14, 4, 29, 5, gridseg.Full, right) // another ground, flush with the first
		for i := range int32(8) {
			must(second.Set(30+i, 5-i/2, gridseg.Tile{
				Shape: gridseg.SlopeHigh - gridseg.ShapeID(i%2), Turn: 4,
				Material: uint16(right),
			}))
			fill(second, 30+i, 3-i/2, 30+i, 4-i/2, gridseg.Full, right)
		}
		fill(second, 38, 0, 42, 1, gridseg.Full, right)
		fill(second, 50, -7, 51, 8, gridseg.Full, wall)
		fill(second, 0, -7, 49, -6, gridseg.Full, left)
		fill(second, -3, -7, -1, 2, gridseg.Full, wall)
		launch := func(x, y float64) {
			id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, y)})
			tiles := gridseg.New(nil)
			must(tiles.Fill(gridseg.Rect{MinX: -2, MinY: 0, MaxX: 1, MaxY: 0},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}))
			must(tiles.Set(-2, 1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}))
			must(tiles.Set(1, 1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)}))
			_, err := w.AddGround(id, quarry.GroundDef{Grid: tiles})
			must(err)
			for k := range 3 {
				put(w, geom.V(x-0.6+float64(0.6*float64(k)), y+1.3), geom.NewBox(0.25, 0.25), 0)
			}
		}
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step%150 == 0 && step < 600 {
				launch(0, 6.1)
			}
		}}
	},
}
