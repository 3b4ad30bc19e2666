package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// washer has bodies in a rotating drum, which never come to rest and make many hit events.
var washer = Scene{
	Name: "washer",
	Doc: "8100 small boxes in a kinematic drum of 36 blocks, four of them with blades, that turns at 25 degrees " +
		"a second.",
	Steps:  500,
	View:   geom.AABB{Min: geom.V(-20, -10), Max: geom.V(20, 30)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		const blocks, spin = 36, 25 * math.Pi / 180
		drum := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 10), AngularVelocity: spin})
		at := func(radius float64, i int) geom.Vec {
			sin, cos := geom.SinCos(float64(2*math.Pi*float64(i)) / blocks)
			return geom.V(float64(radius*cos), float64(radius*sin))
		}
		for i := range blocks {
			inner := 16.0
			if i%9 == 0 {
				inner = 14
			}
			p, err := geom.NewPolygon([]geom.Vec{at(inner, i), at(18, i), at(18, i+1), at(16, i+1)}, 0)
			must(err)
			w.AddShape(drum, p, quarry.ShapeDef{})
		}
		const side, apart = 90, 0.21
		for j := range side {
			for i := range side {
				p := geom.V(apart*(float64(i)-(side-1)/2.0), 10+float64(apart*(float64(j)-(side-1)/2.0)))
				put(w, p, geom.NewBox(0.1, 0.1), 0)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
