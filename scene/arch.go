package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// arch is a half circle of wedges without mortar, with a load on its top.
var arch = Scene{
	Name: "arch",
	Doc: "A half circle of 17 stone wedges stands by friction and its own weight, with four " +
		"blocks on its top stone.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(-14, -1), Max: geom.V(14, 17)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		const stones, inner, outer = 17, 8.0, 11.0
		stone := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x9a958c})
		floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
		w.AddShape(floor, geom.NewBox(20, 0.5), quarry.ShapeDef{Material: stone})
		at := func(k int, radius float64) geom.Vec {
			switch k {
			case 0:
				return geom.V(radius, 0)
			case stones:
				return geom.V(-radius, 0)
			}
			sin, cos := geom.SinCos(float64(math.Pi * float64(k) / stones))
			return geom.V(float64(radius*cos), float64(radius*sin))
		}
		for k := range stones {
			corners := [4]geom.Vec{at(k, inner), at(k, outer), at(k+1, outer), at(k+1, inner)}
			middle := corners[0].Add(corners[1]).Add(corners[2]).Add(corners[3]).Mul(0.25)
			for i := range corners {
				corners[i] = corners[i].Sub(middle)
			}
			wedge, err := geom.NewPolygon(corners[:], 0)
			must(err)
			put(w, middle, wedge, stone)
		}
		top := at(stones/2, outer).Y
		for i := range 4 {
			put(w, geom.V(0, top+0.4+float64(0.8*float64(i))), geom.NewBox(0.7, 0.4), stone)
		}
		return &Instance{World: w, DT: dt}
	},
}
