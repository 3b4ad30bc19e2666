package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	digWide = 200 // marbles a row
	digHigh = 50  // rows of marbles
	digDeep = 40  // depth of the ground below them
)

// digUnderLoad digs a crater under ten thousand marbles in each step.
var digUnderLoad = Scene{
	Name:   "dig_under_load",
	Doc:    "10,000 marbles at rest in a trough of tiles, under which a crater is dug each step.",
	Steps:  300,
	View:   geom.AABB{Min: geom.V(-6, -42), Max: geom.V(108, 32)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := ground(w)
		dirt := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x8a6a4a})
		tile := gridseg.Tile{Shape: gridseg.Full, Material: uint16(dirt)}
		const wide = digWide / 2
		must(g.Fill(gridseg.Rect{MinX: -4, MinY: -digDeep, MaxX: wide + 3, MaxY: -1}, tile))
		must(g.Fill(gridseg.Rect{MinX: -4, MinY: 0, MaxX: -1, MaxY: 30}, tile))
		must(g.Fill(gridseg.Rect{MinX: wide, MinY: 0, MaxX: wide + 3, MaxY: 30}, tile))
		for row := range digHigh {
			for i := range digWide {
				p := geom.V(0.25+float64(0.5*float64(i)), 0.25+float64(0.5*float64(row)))
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Asleep: true})
				w.AddShape(b, geom.Circle{Radius: 0.25}, quarry.ShapeDef{})
			}
		}
		r := random(20261121)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if has(w, g) {
				crater(g, r.between(2, wide-2), -float64(step%digDeep)*0.5, r.between(1, 3))
			}
		}}
	},
}

// crater clears the cells whose centres are within radius of (x, y).
func crater(g quarry.Ground, x, y, radius float64) {
	for cy := floor32(y - radius); cy <= floor32(y+radius); cy++ {
		for cx := floor32(x - radius); cx <= floor32(x+radius); cx++ {
			d := geom.V(float64(cx)+0.5-x, float64(cy)+0.5-y)
			if d.Len2() <= radius*radius && (g.Tile(cx, cy) != gridseg.Tile{}) && cy > -digDeep {
				_ = g.Clear(cx, cy)
			}
		}
	}
}

func floor32(x float64) int32 { return int32(math.Floor(x)) }
