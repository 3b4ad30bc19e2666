package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// smash drives a heavy box through a wide block of small sleeping boxes.
var smash = Scene{
	Name:  "smash",
	Doc:   "A heavy box flies at 40 units/s into 9600 small ones that sleep, without gravity.",
	Steps: 300,
	View:  geom.AABB{Min: geom.V(-30, -40), Max: geom.V(110, 40)},
	Build: func(w *quarry.World) *Instance {
		hammer := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(-20, 0), Velocity: geom.V(40, 0)})
		w.AddShape(hammer, geom.NewBox(4, 4), quarry.ShapeDef{Density: 8})
		const columns, rows, apart = 120, 80, 0.4
		for i := range columns {
			for j := range rows {
				p := geom.V(30+float64(apart*float64(i)), float64(apart*(float64(j)-(rows-1)/2.0)))
				b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p, Asleep: true})
				w.AddShape(b, geom.NewBox(0.2, 0.2), quarry.ShapeDef{})
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
