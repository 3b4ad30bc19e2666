package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	buriedWide  = 64 // columns of the ground
	buriedEach  = 5  // bodies buried at a time
	buriedEvery = 90 // steps between burials
)

// blockIntoBody shows law 3 of contact (docs/laws.md): a body inside solid ground is pushed out
// the shortest way, or reported as crushed where there is none.
var blockIntoBody = Scene{
	Name: "block_into_body",
	Doc: "Tiles are put on bodies: blocks, slopes, a hill at once; bodies appear deep in the ground; at last a " +
		"pit is filled over a box.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-2, -22), Max: geom.V(buriedWide+2, 10)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		earth := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x8a6a4a})
		fresh := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0xc07b4a})
		g := ground(w)
		full := gridseg.Tile{Shape: gridseg.Full, Material: uint16(earth)}
		must(g.Fill(gridseg.Rect{MinX: -20, MinY: -60, MaxX: buriedWide + 19, MaxY: -1}, full))
		must(g.Fill(gridseg.Rect{MinX: -2, MinY: 0, MaxX: -1, MaxY: 6}, full))
		must(g.Fill(gridseg.Rect{MinX: buriedWide, MinY: 0, MaxX: buriedWide + 1, MaxY: 6}, full))
		pit := gridseg.Rect{MinX: 57, MinY: -20, MaxX: 58, MaxY: -1}
		must(g.Fill(pit, gridseg.Tile{}))

		kinds := Kinds()
		for i := range 3 * buriedEach {
			b := w.AddBody(quarry.BodyDef{
				Type: quarry.Dynamic, Position: geom.V(2.5+float64(2.8*float64(i)), 0.8), Angle: 0.3 * float64(i),
			})
			w.AddShape(b, Body(kinds[i%len(kinds)], 0.6), quarry.ShapeDef{})
		}
		put(w, geom.V(58, -19), geom.NewBox(0.9, 0.9), 0)

		full.Material = uint16(fresh)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if step%buriedEvery != 0 || !has(w, g) {
				return
			}
			switch step / buriedEvery {
			case 1: // a block in the cell of each body's centre
				bury(w, g, 0, func(x, y int32) gridseg.Tile { return full })
			case 2: // a slope
				bury(w, g, buriedEach, func(x, y int32) gridseg.Tile {
					return gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(x & 7), Material: full.Material}
				})
			case 3: // a hill, of a chunk's width
				for x := int32(36); x < 52; x++ {
					high := min(x-36, 51-x)
					_ = g.Fill(gridseg.Rect{MinX: x, MinY: 0, MaxX: x, MaxY: min(high, 4)}, full)
				}
			case 4: // new bodies, up to four cells deep
				for i := range buriedEach {
					put(w, geom.V(3.3+float64(6*float64(i)), -0.5-float64(0.8*float64(i))), Body(kinds[i], 0.6), 0)
				}
			case 5: // a lid on the pit: the bodies in it are crushed
				_ = g.Fill(pit, full)
			}
		}}
	},
}

// bury sets a tile in the empty cells that contain the centres of buriedEach bodies, beginning with
// the given one.
func bury(w *quarry.World, g quarry.Ground, first int, tile func(x, y int32) gridseg.Tile) {
	i := 0
	for b := range w.Bodies() {
		if b.Type() != quarry.Dynamic {
			continue
		}
		if i >= first && i < first+buriedEach {
			if c, ok := g.CellAt(b.CenterOfMass()); ok && g.Tile(c.X, c.Y) == (gridseg.Tile{}) {
				_ = g.Set(c.X, c.Y, tile(c.X, c.Y))
			}
		}
		i++
	}
}
