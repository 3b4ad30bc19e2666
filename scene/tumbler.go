package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// tumbler has one heavy body on a motor that carries all others.
var tumbler = Scene{
	Name:   "tumbler",
	Doc:    "2025 small boxes in a hollow box that a motor turns at 25 degrees a second.",
	Steps:  750,
	View:   geom.AABB{Min: geom.V(-16, -6), Max: geom.V(16, 26)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		center := geom.V(0, 10)
		drum := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: center})
		for _, wall := range []geom.Polygon{
			geom.NewOffsetBox(0.5, 10, geom.V(10, 0), geom.NewRot(0)),
			geom.NewOffsetBox(0.5, 10, geom.V(-10, 0), geom.NewRot(0)),
			geom.NewOffsetBox(10, 0.5, geom.V(0, 10), geom.NewRot(0)),
			geom.NewOffsetBox(10, 0.5, geom.V(0, -10), geom.NewRot(0)),
		} {
			w.AddShape(drum, wall, quarry.ShapeDef{Density: 50})
		}
		w.AddJoint(quarry.RevoluteJoint{
			JointBase: w.JointAt(0, drum, center),
			Motor:     quarry.JointMotor{Speed: 25 * math.Pi / 180, Max: 1e8},
		})
		const side, apart = 45, 0.4
		for i := range side {
			for j := range side {
				p := geom.V(apart*(float64(i)-side/2.0), 10+float64(apart*(float64(j)-side/2.0)))
				put(w, p, geom.NewBox(0.125, 0.125), 0)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
