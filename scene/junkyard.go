package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// junkyard has a heap of equal bodies, pushed to and fro.
var junkyard = Scene{
	Name:   "junkyard",
	Doc:    "8000 pentagons fall into a trough of static boxes, through which a kinematic block swings.",
	Steps:  800,
	View:   geom.AABB{Min: geom.V(-85, -5), Max: geom.V(85, 55)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		trough(w, 80, 50)
		piece := junk()
		const columns, rows = 200, 40
		for i := range columns {
			side := -0.1
			for j := range rows {
				put(w, geom.V(float64(0.375*(2*float64(i)-columns))+side, 15+float64(j)), piece, 0)
				side = -side
			}
		}
		id := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic})
		w.AddShape(id, geom.NewOffsetBox(2, 4, geom.V(0, 4), geom.Rot{C: 1}), quarry.ShapeDef{})
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

// trough adds static boxes, one apart, that overlap a little: a floor centred on y = 0 from x = -half to half, and
// walls of the given number of boxes at its ends.
func trough(w *quarry.World, half, high int) {
	b := w.AddBody(quarry.BodyDef{})
	lay := func(halfX, halfY float64, x, y int) {
		box := geom.NewOffsetBox(halfX, halfY, geom.V(float64(x), float64(y)), geom.Rot{C: 1})
		w.AddShape(b, box, quarry.ShapeDef{})
	}
	for x := -half; x <= half; x++ {
		lay(0.55, 0.5, x, 0)
	}
	for _, x := range []int{-half, half} {
		for y := range high {
			lay(0.5, 0.55, x, 1+y)
		}
	}
}

// junk returns the hull of five points at equal turns on a circle.
func junk() geom.Shape {
	const radius = 0.25
	turn := math.Pi * (math.Sqrt(5) - 1)
	var points [5]geom.Vec
	for k := range points {
		sin, cos := geom.SinCos(turn * float64(k))
		points[k] = geom.V(float64(radius*cos), float64(radius*sin))
	}
	p, err := geom.NewPolygon(points[:], 0)
	must(err)
	return p
}
