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
		for j := range rows {
			for i := range columns {
				x := float64(2*(float64(i)-(columns-1)/2.0)) + float64(j%2) - 0.5
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 1+float64(2.1*float64(j)))})
				w.AddShape(b, left, quarry.ShapeDef{Material: m})
				w.AddShape(b, right, quarry.ShapeDef{Material: m})
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
