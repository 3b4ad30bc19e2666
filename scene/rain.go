package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// rain has bodies and joints that come and go.
var rain = Scene{
	Name: "rain",
	Doc: "Five floors of 501 boxes side by side; every 8 steps five ragdolls fall on each, first in 40 columns, " +
		"then column by column anew.",
	Steps:  1000,
	View:   geom.AABB{Min: geom.V(-130, -5), Max: geom.V(130, 230)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		const floors, apart, boxes, columns, size, every = 5, 45.0, 501, 40, 5, 8
		const wide = boxes * 0.5
		for f := range floors {
			floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, float64(apart*float64(f)))})
			for i := range boxes {
				x := float64(0.5*float64(i)) - wide/2
				w.AddShape(floor, geom.NewOffsetBox(0.25, 0.25, geom.V(x, 0), geom.NewRot(0)), quarry.ShapeDef{})
			}
		}
		var groups [columns][floors][size]ragdoll
		number := int32(0)
		drop := func(step int) {
			if step%every != 0 {
				return
			}
			turn := step / every
			column := turn % columns
			for f := range floors {
				for k := range size {
					r := &groups[column][f][k]
					if turn >= columns {
						r.remove(w)
					}
					x := float64((float64(column)+0.5)*(wide/columns)) - wide/2 + float64(0.6*(float64(k)-2))
					number = number%(1<<20) + 1
					*r = addRagdoll(w, geom.V(x, float64(apart*float64(f))+30+float64(0.5*float64(k%2))), number, 1,
						0.05)
				}
			}
		}
		return &Instance{World: w, DT: dt, BeforeStep: drop}
	},
}
