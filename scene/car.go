package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// addCar adds a car with its chassis at p, and returns the chassis and the joints of its wheels.
func addCar(w *quarry.World, p geom.Vec) (chassis quarry.BodyID, wheels [2]quarry.JointID) {
	tyre := w.AddMaterial(quarry.Material{Friction: 1.5, Color: 0x303238})
	body, err := geom.NewPolygon([]geom.Vec{
		{X: -1.5, Y: -0.4},
		{X: 1.5, Y: -0.4},
		{X: 1.5, Y: 0},
		{X: 0, Y: 0.8},
		{X: -1.2, Y: 0.8},
		{X: -1.5, Y: 0.2},
	}, 0.05)
	must(err)
	chassis = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	w.AddShape(chassis, body, quarry.ShapeDef{})
	for i, x := range [...]float64{-1, 1} {
		at := p.Add(geom.V(x, -0.65))
		wheel := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: at})
		w.AddShape(wheel, geom.Circle{Radius: 0.4}, quarry.ShapeDef{Material: tyre, Density: 2})
		wheels[i] = w.AddJoint(quarry.WheelJoint{
			JointBase: w.JointAlong(chassis, wheel, at, geom.V(0, 1)),
			Spring:    quarry.JointSpring{Hertz: 4, DampingRatio: 0.7},
			Limit:     quarry.JointLimit{On: true, Lower: -0.25, Upper: 0.25},
			Motor:     quarry.JointMotor{Speed: -14, Max: 5},
		})
	}
	return chassis, wheels
}

// roadHeight returns the height of the road at x.
func roadHeight(x float64) float64 {
	a, _ := geom.SinCos(float64(0.3 * x))
	b, _ := geom.SinCos(float64(0.9*x) + 1)
	return 2 + a + float64(0.15*b)
}

// addRoad adds ground up to roadHeight, of tiles whose tops are straight between quarters of a cell.
func addRoad(w *quarry.World, wide int64) {
	g := ground(w)
	loop := []gridseg.Point{{X: 0, Y: -4 * gridseg.Unit}, {X: wide * gridseg.Unit, Y: -4 * gridseg.Unit}}
	for i := 2 * wide; i >= 0; i-- {
		y := roadHeight(float64(i) / 2)
		loop = append(loop, gridseg.Point{X: i * gridseg.Unit / 2, Y: int64(float64(y * gridseg.Unit))})
	}
	must(g.Unite([][]gridseg.Point{loop}, gridseg.Attr{}))
	fill(g, -2, -4, -1, 8)
	fill(g, int32(wide), -4, int32(wide)+1, 8)
}

// car has a suspension and a motor on hills.
var car = Scene{
	Name:   "car",
	Doc:    "A car with two sprung, driven wheels crosses hills of free-form tiles and pushes crates to the end.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-3, -5), Max: geom.V(hillsWide+3, 14)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		addRoad(w, hillsWide)
		addCar(w, geom.V(3, roadHeight(3)+2.5))
		for i := range 8 {
			x := 12 + float64(6*float64(i))
			putHeavy(w, geom.V(x, roadHeight(x)+0.6), geom.NewBox(0.25, 0.25), 0.2)
		}
		return &Instance{World: w, DT: dt}
	},
}
