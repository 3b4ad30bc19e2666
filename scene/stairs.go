package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// flight is the staircase by columns from the left: '-' is level, 'v' and 'V' are a step down by
// one and by two, '^' is a step up, '\' and '/' are ramps of 1:1, and "hl" is a slope of 1:2 down.
const flight = `----vvvvvv--\\\--\-\-v-vhlhlhl-hlv-V-VV--\v\v-hlv-V\hl--/-^-/^--`

// flightTop is the height of the first column.
const flightTop = 34

// climb calls visit for each column of the flight with the height of its full blocks and the tile
// on top of them, if any.
func climb(visit func(x, high int32, top gridseg.Tile)) {
	high := int32(flightTop)
	for i, c := range flight {
		x, top := int32(i), gridseg.Tile{}
		switch c {
		case 'v':
			high--
		case 'V':
			high -= 2
		case '^':
			high++
		case '\\':
			high--
			top = gridseg.Tile{Shape: gridseg.Ramp, Turn: 4}
		case 'h':
			high--
			top = gridseg.Tile{Shape: gridseg.SlopeHigh, Turn: 4}
		case 'l':
			top = gridseg.Tile{Shape: gridseg.SlopeLow, Turn: 4}
		case '/':
			top = gridseg.Tile{Shape: gridseg.Ramp}
		}
		visit(x, high, top)
		if c == '/' {
			high++
		}
	}
}

// stairs has all kinds of convex and concave corners of tiles, and bodies of all kinds that move
// down them.
var stairs = Scene{
	Name: "stairs",
	Doc: "Bodies of every shape slide and tumble down stairs of steps, ramps and half slopes; no corner pushes a " +
		"body into the ground.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(0, -2), Max: geom.V(64, 42)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		stone := w.AddMaterial(quarry.Material{Friction: 0.15, Color: 0x7d7f86})
		smooth := w.AddMaterial(quarry.Material{Friction: 0.15}) // of bodies; the renderer chooses the colour
		g := ground(w)
		r := random(17)
		climb(func(x, high int32, top gridseg.Tile) {
			must(g.Fill(gridseg.Rect{MinX: x, MinY: -2, MaxX: x, MaxY: high - 1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(stone)}))
			if top.Shape != 0 {
				top.Material = uint16(stone)
				must(g.Set(x, high, top))
			}
			if x > 40 || x&1 == 0 {
				return
			}
			// Sizes from 0.1 to 1 cell, in stacks of three.
			for i := range 3 {
				size := r.between(0.1, 0.6)
				b := w.AddBody(quarry.BodyDef{
					Type: quarry.Dynamic, Position: geom.V(float64(x)+0.5, float64(high)+2+float64(1.3*float64(i))),
					Angle: r.between(-3, 3), Velocity: geom.V(r.between(2, 7), 0),
				})
				w.AddShape(b, Body(Kinds()[(int(x)/2+i)%len(Kinds())], size), quarry.ShapeDef{Material: smooth})
			}
		})
		// A wall at either end.
		must(g.Fill(gridseg.Rect{MinX: -1, MinY: -2, MaxX: -1, MaxY: flightTop + 6},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(stone)}))
		must(g.Fill(gridseg.Rect{MinX: int32(len(flight)), MinY: -2, MaxX: int32(len(flight)), MaxY: 16},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(stone)}))
		return &Instance{World: w, DT: dt}
	},
}
