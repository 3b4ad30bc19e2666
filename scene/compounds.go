package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// compounds has bodies of two shapes each, which hook into each other.
var compounds = Scene{
	Name:   "compounds",
	Doc:    "3000 bodies of two overlapping triangles each fall into a trough.",
	Steps:  500,
	View:   geom.AABB{Min: geom.V(-45, -5), Max: geom.V(45, 105)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		m := w.AddMaterial(quarry.Material{Friction: 0.5})
		trough(w, 40, 100)
		left, err := geom.NewPolygon([]geom.Vec{{X: -1}, {X: 0.5, Y: 1}, {Y: 2}}, 0)
		must(err)
		right, err := geom.NewPolygon([]geom.Vec{{X: 1}, {X: -0.5, Y: 1}, {Y: 2}}, 0)
		must(err)
		const columns, rows = 20, 150
		for i := range columns {
			side := 0.25
			for j := range rows {
				at := geom.V(float64(2*float64(i))-(columns-1)+side, 5.575+float64(2.25*float64(j)))
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at})
				w.AddShape(b, left, quarry.ShapeDef{Material: m})
				w.AddShape(b, right, quarry.ShapeDef{Material: m})
				side = -side
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
