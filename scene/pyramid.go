package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// largePyramid loads the solver: 5050 boxes, a hundred high.
var largePyramid = Scene{
	Name:   "large_pyramid",
	Doc:    "A pyramid of 5050 boxes of 1 x 1, a hundred high, on one wide box; no body sleeps.",
	Steps:  500,
	View:   geom.AABB{Min: geom.V(-90, -5), Max: geom.V(90, 105)},
	Config: awake,
	Build: func(w *quarry.World) *Instance {
		floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -1)})
		w.AddShape(floor, geom.NewBox(100, 1), quarry.ShapeDef{})
		const half, rows = 0.5, 100
		for row := range rows {
			y := half + float64(2*half*float64(row))
			for i := row; i < rows; i++ {
				// Each box stands over the gap between two boxes of the row below.
				x := float64(half*float64(row)) + float64(2*half*float64(i-row)) - half*rows
				put(w, geom.V(x+half, y), geom.NewBox(half, half), 0)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
