package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// addPiston adds a piston that a crank at axle drives up and down through a rod.
func addPiston(w *quarry.World, axle geom.Vec, speed float64) {
	const crank, rod = 0.8, 2.2
	// The moving parts collide with neither each other nor the ground: they run in front of it.
	apart := quarry.ShapeDef{Category: 2, Mask: 4}
	disc := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: axle, NoSleep: true})
	w.AddShape(disc, geom.Circle{Radius: crank + 0.2}, apart)
	w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, disc, axle),
		Motor:     quarry.JointMotor{Speed: speed, Max: 1000},
	})
	pin := axle.Add(geom.V(0, crank))
	link := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: pin.Add(geom.V(0, rod/2))})
	w.AddShape(link, geom.NewBox(0.1, rod/2), apart)
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(disc, link, pin)})
	top := pin.Add(geom.V(0, rod))
	head := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: top})
	w.AddShape(head, geom.NewBox(0.45, 0.3), quarry.ShapeDef{Density: 4, Category: 8})
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(link, head, top)})
	w.AddJoint(quarry.PrismaticJoint{JointBase: w.JointAlong(0, head, top, geom.V(0, 1))})
}

// pistons has cranks between belts.
var pistons = Scene{
	Name: "pistons",
	Doc: "Belts carry crates over three pistons, which cranks drive up through gaps in the floor, and drop them " +
		"down a shaft to a belt that leads back.",
	Steps:  900,
	View:   geom.AABB{Min: geom.V(-14, -8), Max: geom.V(14, 8)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		right := w.AddMaterial(quarry.Material{Friction: 0.9, TangentSpeed: 2.5, Color: 0xd9a441})
		left := w.AddMaterial(quarry.Material{Friction: 0.9, TangentSpeed: -2.5, Color: 0xd9a441})
		g := ground(w)
		belt := func(x0, y, x1 int32, m quarry.MaterialID) {
			must(g.Fill(gridseg.Rect{MinX: x0, MinY: y, MaxX: x1, MaxY: y},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)}))
		}
		for x := int32(-10); x <= 7; x++ {
			if x != -6 && x != -1 && x != 4 {
				belt(x, 0, x, right)
			}
		}
		belt(-12, -7, 12, left)
		fill(g, -13, -7, -13, 6)
		fill(g, 13, -7, 13, 6)
		for i, x := range [...]float64{-5.5, -0.5, 4.5} {
			addPiston(w, geom.V(x, -1.9), float64(2+float64(0.5*float64(i)))*math.Pi/2)
		}
		for i := range 14 {
			put(w, geom.V(-9.5+float64(1.2*float64(i)), 2+float64(0.3*float64(i%3))), geom.NewBox(0.4, 0.4), 0)
		}
		return &Instance{World: w, DT: dt}
	},
}
