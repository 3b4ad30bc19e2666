package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// spinner has a motor of unlimited torque in a heap.
var spinner = Scene{
	Name: "spinner",
	Doc: "A paddle on a motor of unlimited torque stirs 6076 capsules, circles and boxes in a ring, a chain of " +
		"360 points.",
	Steps:  500,
	View:   geom.AABB{Min: geom.V(-42, -10), Max: geom.V(42, 74)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		wall := w.AddMaterial(quarry.Material{Friction: 0.1})
		smooth := w.AddMaterial(quarry.Material{})
		lively := w.AddMaterial(quarry.Material{Friction: 0.1, Restitution: 0.1})
		const points, radius = 360, 40
		ring := quarry.ChainDef{Loop: true, Material: wall}
		for i := range points { // clockwise: solid outside
			sin, cos := geom.SinCos(float64(-2*math.Pi*float64(i)) / points)
			ring.Points = append(ring.Points, geom.V(float64(radius*cos), 32+float64(radius*sin)))
		}
		_, err := w.AddChain(0, ring)
		must(err)

		axle := geom.V(0, 12)
		paddle := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: axle, NoSleep: true})
		w.AddShape(paddle, geom.NewRoundedBox(0.4, 20, 0.2), quarry.ShapeDef{Material: smooth})
		w.AddJoint(quarry.RevoluteJoint{
			JointBase: w.JointAt(0, paddle, axle),
			Motor:     quarry.JointMotor{Speed: 5, Max: math.Inf(1)},
		})

		kinds := [...]geom.Shape{
			geom.Capsule{A: geom.V(-0.25, 0), B: geom.V(0.25, 0), Radius: 0.25},
			geom.Circle{Radius: 0.35},
			geom.NewBox(0.35, 0.35),
		}
		p := geom.V(-23, 2)
		for i := range 6076 {
			b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
			w.AddShape(b, kinds[i%3], quarry.ShapeDef{Density: 0.25, Material: lively})
			if p.X += 0.5; p.X >= 23 {
				p = geom.V(-23, p.Y+0.5)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
