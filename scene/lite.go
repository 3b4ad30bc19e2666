package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// The nine scenes of Box2D-Lite (E. Catto, 2006), by its descriptions: a first look at contacts and joints.

// floor adds a static box whose top is at y = 0, and which reaches half to both sides.
func floor(w *quarry.World, half float64) quarry.BodyID {
	id := w.AddBody(quarry.BodyDef{})
	slab(w, id, 0, -10, half, 10, 0)
	return id
}

// slab adds a turned box to a body, with its centre at (x, y).
func slab(w *quarry.World, on quarry.BodyID, x, y, hx, hy, angle float64) {
	w.AddShape(on, geom.NewOffsetBox(hx, hy, geom.V(x, y), geom.NewRot(angle)), quarry.ShapeDef{})
}

// putHeavy is put with a density.
func putHeavy(w *quarry.World, p geom.Vec, s geom.Shape, density float64) quarry.BodyID {
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	w.AddShape(b, s, quarry.ShapeDef{Density: density})
	return b
}

// hinge joins a and b at a point of the world; a may be 0. They collide.
func hinge(w *quarry.World, a, b quarry.BodyID, at geom.Vec) quarry.JointID {
	d := w.JointAt(a, b, at)
	d.CollideConnected = true
	return w.AddJoint(quarry.RevoluteJoint{JointBase: d})
}

var single = Scene{
	Name: "single_box", Doc: "A box falls to the floor.", Steps: 120, Config: falling,
	View: geom.AABB{Min: geom.V(-6, -2), Max: geom.V(6, 6)},
	Build: func(w *quarry.World) *Instance {
		floor(w, 50)
		put(w, geom.V(0, 4), geom.NewBox(0.5, 0.5), 0)
		return &Instance{World: w, DT: dt}
	},
}

var pendulum = Scene{
	Name: "pendulum", Doc: "A box swings on a hinge nine units away.", Steps: 600, Config: falling,
	View: geom.AABB{Min: geom.V(-11, -1), Max: geom.V(11, 13)},
	Build: func(w *quarry.World) *Instance {
		base := floor(w, 50)
		hinge(w, base, put(w, geom.V(9, 11), geom.NewBox(0.5, 0.5), 0), geom.V(0, 11))
		return &Instance{World: w, DT: dt}
	},
}

var friction = Scene{
	Name: "friction", Doc: "Five boxes of friction 0.75 to 0 slide down three ramps; the roughest stay on the way.",
	Steps: 600, Config: falling,
	View: geom.AABB{Min: geom.V(-16, -1), Max: geom.V(16, 17)},
	Build: func(w *quarry.World) *Instance {
		base := floor(w, 50)
		slab(w, base, -2, 11, 6.5, 0.125, -0.25)
		slab(w, base, 5.25, 9.5, 0.125, 0.5, 0)
		slab(w, base, 2, 7, 6.5, 0.125, 0.25)
		slab(w, base, -5.25, 5.5, 0.125, 0.5, 0)
		slab(w, base, -2, 3, 6.5, 0.125, -0.25)
		for i, mu := range [...]float64{0.75, 0.5, 0.35, 0.1, 0} {
			m := w.AddMaterial(quarry.Material{Friction: mu})
			put(w, geom.V(-7.5+float64(2*float64(i)), 14), geom.NewBox(0.25, 0.25), m)
		}
		return &Instance{World: w, DT: dt}
	},
}

var stack = Scene{
	Name: "stack", Doc: "Ten boxes fall onto each other, each a little to one side.", Steps: 600, Config: falling,
	View: geom.AABB{Min: geom.V(-8, -1), Max: geom.V(8, 14)},
	Build: func(w *quarry.World) *Instance {
		floor(w, 50)
		r := random(7)
		for i := range 10 {
			put(w, geom.V(r.between(-0.1, 0.1), 0.51+float64(1.05*float64(i))), geom.NewBox(0.5, 0.5), 0)
		}
		return &Instance{World: w, DT: dt}
	},
}

var pyramid = Scene{
	Name: "pyramid", Doc: "A pyramid of 12 rows of boxes falls together.", Steps: 600, Config: falling,
	View: geom.AABB{Min: geom.V(-9, -1), Max: geom.V(9, 14)},
	Build: func(w *quarry.World) *Instance {
		floor(w, 50)
		for row := range 12 {
			for i := range 12 - row {
				x := -6 + float64(1.125*(float64(i)+float64(0.5*float64(row))))
				put(w, geom.V(x, 0.75+float64(1.05*float64(row))), geom.NewBox(0.5, 0.5), 0)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}

var teeter = Scene{
	Name: "teeter", Doc: "A plank on a hinge, with two small boxes on one end, is hit by a larger one on the other.",
	Steps: 600, Config: falling,
	View: geom.AABB{Min: geom.V(-8, -1), Max: geom.V(8, 17)},
	Build: func(w *quarry.World) *Instance {
		base := floor(w, 50)
		plank := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
		w.AddShape(plank, geom.NewBox(6, 0.125), quarry.ShapeDef{Density: 100. / 3})
		hinge(w, base, plank, geom.V(0, 1))
		putHeavy(w, geom.V(-5, 2), geom.NewBox(0.25, 0.25), 100)
		putHeavy(w, geom.V(-5.5, 2), geom.NewBox(0.25, 0.25), 100)
		putHeavy(w, geom.V(5.5, 15), geom.NewBox(0.5, 0.5), 100)
		return &Instance{World: w, DT: dt}
	},
}

var bridge = Scene{
	Name: "bridge", Doc: "Fifteen planks on hinges hang between two points, each softer than rigid.", Steps: 600,
	Config: falling,
	View:   geom.AABB{Min: geom.V(-12, -1), Max: geom.V(12, 11)},
	Build: func(w *quarry.World) *Instance {
		const planks = 15
		base := floor(w, 50)
		soft := func(a, b quarry.BodyID, at geom.Vec) {
			d := w.JointAt(a, b, at)
			d.Constraint = quarry.JointSpring{Hertz: 4, DampingRatio: 0.7}
			w.AddJoint(quarry.RevoluteJoint{JointBase: d})
		}
		last := base
		for i := range planks {
			x := -8.5 + float64(1.25*float64(i))
			plank := putHeavy(w, geom.V(x, 8), geom.NewBox(0.5, 0.125), 20)
			soft(last, plank, geom.V(x-0.625, 8))
			last = plank
		}
		soft(base, last, geom.V(-9.125+float64(1.25*planks), 8))
		return &Instance{World: w, DT: dt}
	},
}

var dominoes = Scene{
	Name: "dominoes",
	Doc:  "A ball on a rod tips ten dominoes on a shelf, over a ramp and a hinged post, beam and tray.", Steps: 900,
	Config: falling,
	View:   geom.AABB{Min: geom.V(-10, -1), Max: geom.V(12, 17)},
	Build: func(w *quarry.World) *Instance {
		base := floor(w, 50)
		slab(w, base, -1.5, 10, 6, 0.25, 0)
		rough := w.AddMaterial(quarry.Material{Friction: 0.1})
		for i := range 10 {
			put(w, geom.V(-6+float64(i), 11.25), geom.NewBox(0.1, 1), rough)
		}
		slab(w, base, 1, 6, 7, 0.25, 0.3)
		slab(w, base, -7, 4, 0.25, 1.5, 0)
		post := putHeavy(w, geom.V(-0.9, 1), geom.NewBox(0.25, 0.75), 3)
		hinge(w, base, post, geom.V(-1.4, 0.25))
		ball := putHeavy(w, geom.V(-10, 15), geom.Circle{Radius: 0.35}, 10)
		hinge(w, base, ball, geom.V(-6, 15))
		beam := putHeavy(w, geom.V(6, 2.5), geom.NewBox(1, 0.1), 2)
		hinge(w, base, beam, geom.V(6, 2.6))
		tray := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(7.5, 3.5)})
		slab(w, tray, 0, 0, 0.9, 0.1, 0)
		slab(w, tray, -0.8, 0.5, 0.1, 0.5, 0)
		slab(w, tray, 0.8, 0.5, 0.1, 0.5, 0)
		hinge(w, beam, tray, geom.V(7, 2.6))
		return &Instance{World: w, DT: dt}
	},
}

var multiPendulum = Scene{
	Name: "multi_pendulum", Doc: "Fifteen boxes hang on each other by hinges, the chain level at first.", Steps: 900,
	Config: falling,
	View:   geom.AABB{Min: geom.V(-17, -1), Max: geom.V(17, 22)},
	Build: func(w *quarry.World) *Instance {
		last := floor(w, 50)
		const links, y = 15, 20
		for i := range links {
			box := putHeavy(w, geom.V(0.5+float64(i), y), geom.NewBox(0.375, 0.125), 10)
			d := w.JointAt(last, box, geom.V(float64(i), y))
			d.Constraint = quarry.JointSpring{Hertz: 20, DampingRatio: 1 / math.Sqrt2}
			w.AddJoint(quarry.RevoluteJoint{JointBase: d})
			last = box
		}
		return &Instance{World: w, DT: dt}
	},
}
