package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// wedges has ground in which bodies get stuck: notches, overhangs, touching tips, and a
// checkerboard.
var wedges = Scene{
	Name:   "wedges",
	Doc:    "Bodies of every shape fall into notches, under overhangs and onto a checkerboard.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-2, -3), Max: geom.V(42, 20)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := ground(w)
		tile := func(x, y int32, s gridseg.ShapeID, turn gridseg.Turn) {
			must(g.Set(x, y, gridseg.Tile{Shape: s, Turn: turn}))
		}
		must(g.Fill(gridseg.Rect{MinX: 0, MinY: -2, MaxX: 39, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}))
		must(g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 9}, gridseg.Tile{Shape: gridseg.Full}))
		must(g.Fill(gridseg.Rect{MinX: 39, MinY: 0, MaxX: 39, MaxY: 9}, gridseg.Tile{Shape: gridseg.Full}))
		for x := int32(1); x < 13; x += 4 { // notches of 1:1, and overhangs
			tile(x, 0, gridseg.Ramp, 4)
			tile(x+1, 0, gridseg.Ramp, 0)
			tile(x+2, 0, gridseg.Full, 0)
			tile(x+2, 1, gridseg.Ramp, 1)
			tile(x+3, 1, gridseg.SlopeHigh, 2)
		}
		for x := int32(13); x < 25; x += 3 { // sharper notches
			tile(x, 0, gridseg.SlopeHigh, 1)
			tile(x+1, 0, gridseg.SlopeHigh, 7)
			tile(x+2, 0, gridseg.Ramp, gridseg.Turn(x%8))
		}
		for x := int32(25); x < 39; x++ {
			for y := range int32(4) {
				if (x+y)&1 == 0 {
					tile(x, y, gridseg.Full, 0)
				}
			}
		}
		dropBodies(w, 1, 39, 10, 80, 5)
		return &Instance{World: w, DT: dt}
	},
}
