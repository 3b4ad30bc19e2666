package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// junkyard has a heap of bodies of all kinds and sizes, pushed to and fro.
var junkyard = Scene{
	Name:   "junkyard",
	Doc:    "8000 irregular pentagons fall into a trough of static boxes, through which a kinematic block swings.",
	Steps:  800,
	View:   geom.AABB{Min: geom.V(-85, -5), Max: geom.V(85, 55)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		trough(w, 80, 50)
		r := random(20261123)
		const columns, rows = 200, 40
		for j := range rows {
			for i := range columns {
				put(w, geom.V(0.75*(float64(i)-(columns-1)/2.0), 15+float64(0.75*float64(j))), pentagon(&r, 0.25), 0)
			}
		}
		id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, 4)})
		w.AddShape(id, geom.NewBox(2, 4), quarry.ShapeDef{})
		pusher, _ := w.Body(id)
		return &Instance{World: w, DT: dt, BeforeStep: func(step int) {
			if !hasBody(w, pusher) {
				return
			}
			sin, _ := geom.SinCos(0.2 * dt * float64(step+1))
			pusher.SetVelocity(geom.V((float64(60*sin)-pusher.Position().X)/dt, 0))
		}}
	},
}

// trough adds static boxes of 1 x 1: a floor below y = 0 from x = -half to half, and walls at its
// ends.
func trough(w *quarry.World, half, high int) {
	b := w.AddBody(quarry.BodyDef{})
	lay := func(x, y int) {
		w.AddShape(b, geom.NewOffsetBox(0.5, 0.5, geom.V(float64(x), float64(y)+0.5), geom.Rot{C: 1}), quarry.ShapeDef{})
	}
	for x := -half; x <= half; x++ {
		lay(x, -1)
	}
	for y := range high {
		lay(-half, y)
		lay(half, y)
	}
}

// pentagon returns five points on a circle, each at random in its fifth of the circle.
func pentagon(r *random, radius float64) geom.Shape {
	var points [5]geom.Vec
	for i := range points {
		sin, cos := geom.SinCos(2 * math.Pi / 5 * (float64(i) + r.between(0.1, 0.9)))
		points[i] = geom.V(float64(radius*cos), float64(radius*sin))
	}
	p, err := geom.NewPolygon(points[:], 0)
	must(err)
	return p
}
