package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// manyPyramids has many small islands: one for each pyramid.
var manyPyramids = Scene{
	Name:   "many_pyramids",
	Doc:    "400 pyramids of 55 boxes of 1 x 1 in 20 rows, each row on a segment; no body sleeps.",
	Steps:  200,
	View:   geom.AABB{Min: geom.V(-5, -5), Max: geom.V(225, 225)},
	Config: awake,
	Build: func(w *quarry.World) *Instance {
		const rows, columns, base, apart = 20, 20, 10, 11.0
		for row := range rows {
			y := float64(apart * float64(row))
			floor := w.AddBody(quarry.BodyDef{})
			w.AddShape(floor, geom.Segment{A: geom.V(-apart, y), B: geom.V(apart*(columns+1), y)}, quarry.ShapeDef{})
			for column := range columns {
				x := float64(apart * float64(column))
				for high := range base {
					for i := range base - high {
						p := geom.V(x+float64(i)+float64(0.5*float64(high))+0.5, y+float64(high)+0.5)
						put(w, p, geom.NewBox(0.5, 0.5), 0)
					}
				}
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
