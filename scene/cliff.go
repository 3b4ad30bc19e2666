package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// cliff shows the effect of ghost vertices: above, a box slides over the edge of a cliff of two
// segments without ghosts; below, over a cliff of tiles.
var cliff = Scene{
	Name:   "cliff",
	Doc:    "A box meets the back of a cliff's vertical face: above without ghost vertices, below with them.",
	Steps:  180,
	View:   geom.AABB{Min: geom.V(-1, -4), Max: geom.V(23, 10)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		ice := w.AddMaterial(quarry.Material{Color: 0x9fd3e6})
		rock := w.AddBody(quarry.BodyDef{})
		const top, edge = 5, 10
		for _, s := range []geom.Segment{
			{A: geom.V(0, top), B: geom.V(edge, top)},
			{A: geom.V(edge, top), B: geom.V(edge, top-2)},
			{A: geom.V(edge, top-2), B: geom.V(22, top-2)},
		} {
			w.AddShape(rock, s, quarry.ShapeDef{Material: ice})
		}
		g := ground(w)
		for x := range int32(22) {
			if x < edge {
				must(g.Set(x, -1, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
				must(g.Set(x, -2, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
			}
			must(g.Set(x, -3, gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)}))
		}
		for _, y := range []float64{top, 0} {
			// Half a slop deep, like a body at rest.
			b := put(w, geom.V(2, y+0.5-geom.LinearSlop/2), geom.NewBox(0.5, 0.5), ice)
			v, _ := w.Body(b)
			v.SetVelocity(geom.V(seamSpeed, 0))
		}
		return &Instance{World: w, DT: dt}
	},
}
