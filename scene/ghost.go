package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

const (
	ghostCells  = 200
	ghostRadius = 0.25
	ghostSpeed  = 127
	ghostLane   = 8 // height of the lane of boxes
)

// groundGhost rolls a ball over a floor of one box for each tile (above), and over tiles (below). Before
// internal/narrow, the first corner of a box threw it into the air.
var groundGhost = Scene{
	Name: "ground_ghost",
	Doc: "A ball of radius 0.25 crosses 200 tiles at 127 units/s, with friction: above, over static boxes, one " +
		"per tile; below, over tiles. It never leaves the ground.",
	Steps:  90,
	View:   geom.AABB{Min: geom.V(-2, -6), Max: geom.V(ghostCells+2, ghostLane+8)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		g := ground(w)
		dark := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x55606f})
		light := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x7b8797})
		boxes := w.AddBody(quarry.BodyDef{})
		for x := range int32(ghostCells) {
			m := dark
			if x/10%2 == 0 { // a ruler
				m = light
			}
			must(g.Fill(gridseg.Rect{MinX: x, MinY: -4, MaxX: x, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
			at := geom.V(float64(x)+0.5, ghostLane-0.5)
			w.AddShape(boxes, geom.NewOffsetBox(0.5, 0.5, at, geom.Identity), quarry.ShapeDef{Material: m})
		}
		for _, y := range []float64{0, ghostLane} {
			b := put(w, geom.V(1, y+ghostRadius), geom.Circle{Radius: ghostRadius}, 0)
			v, _ := w.Body(b)
			v.SetVelocity(geom.V(ghostSpeed, 0))
		}
		return &Instance{World: w, DT: dt}
	},
}
