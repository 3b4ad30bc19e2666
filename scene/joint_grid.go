package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// jointGrid measures joints alone: no two bodies collide.
var jointGrid = Scene{
	Name: "joint_grid",
	Doc: "A cloth of 100 x 100 circles, each on a hinge with its upper and its left neighbour, hangs from seven; " +
		"no body sleeps.",
	Steps:  500,
	View:   geom.AABB{Min: geom.V(-30, -160), Max: geom.V(130, 10)},
	Config: awake,
	Build: func(w *quarry.World) *Instance {
		const side = 100
		var ids [side][side]quarry.BodyID // by column and row, from the top
		for k := range side {
			for i := range side {
				d := quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(k), -float64(i))}
				if i == 0 && k >= side/2-3 && k <= side/2+3 {
					d.Type = quarry.Static
				}
				ids[k][i] = w.AddBody(d)
				w.AddShape(ids[k][i], geom.Circle{Radius: 0.4}, quarry.ShapeDef{Category: 2, Mask: 1})
				if i > 0 {
					hinge(w, ids[k][i-1], ids[k][i], d.Position.Add(geom.V(0, 0.5)))
				}
				if k > 0 {
					hinge(w, ids[k-1][i], ids[k][i], d.Position.Add(geom.V(-0.5, 0)))
				}
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
