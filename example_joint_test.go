package quarry_test

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A motor turns a mill wheel on a hinge at two radians a second.
func ExampleRevoluteJoint() {
	w := quarry.NewWorld(quarry.Config{})
	mill := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5, 5)})
	w.AddShape(mill, geom.NewBox(2, 0.2), quarry.ShapeDef{})
	hinge, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, mill, geom.V(5, 5)), // 0: the world
		Motor:     quarry.JointMotor{Speed: 2, MaxForce: 50},
	}))
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("%.1f radians a second\n", hinge.Speed())
	hinge.SetMotorSpeed(-1)
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("%.1f radians a second\n", hinge.Speed())
	// Output:
	// 2.0 radians a second
	// -1.0 radians a second
}

// A rope is a distance joint with an upper limit: slack until it is taut.
func ExampleDistanceJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	lamp := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 8)})
	w.AddShape(lamp, geom.Circle{Radius: 0.2}, quarry.ShapeDef{})
	rope, _ := w.Joint(w.AddJoint(quarry.DistanceJoint{
		JointBase: quarry.JointBase{B: lamp, FrameA: quarry.JointFrame{Position: geom.V(0, 10)}},
		Limit:     quarry.JointLimit{On: true, Upper: 5},
	}))
	fmt.Printf("slack: %.2f\n", rope.Length())
	for range 300 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("taut: %.2f\n", rope.Length())
	// Output:
	// slack: 2.00
	// taut: 5.00
}

// A cart with springs and a motor drives along a floor of tiles.
func ExampleWheelJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: -5, MinY: -2, MaxX: 50, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})

	cart := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
	w.AddShape(cart, geom.NewBox(1.5, 0.3), quarry.ShapeDef{})
	for _, x := range []float64{-1, 1} {
		wheel := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0.5)})
		w.AddShape(wheel, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
		w.AddJoint(quarry.WheelJoint{
			JointBase: w.JointAlong(cart, wheel, geom.V(x, 0.5), geom.V(0, 1)), // the suspension is upright
			Spring:    quarry.JointSpring{Hertz: 4, DampingRatio: 0.7},
			Limit:     quarry.JointLimit{On: true, Lower: -0.2, Upper: 0.2},
			Motor:     quarry.JointMotor{Speed: -8, MaxForce: 5}, // clockwise: to the right
		})
	}
	for range 300 {
		w.Step(1.0 / 60)
	}
	body, _ := w.Body(cart)
	fmt.Printf("%.1f units of length a second\n", body.Velocity().X)
	// Output:
	// 4.0 units of length a second
}

// The mouse grabs a crate at its corner, lifts it, and lets go.
func ExampleMouseJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0)})
	w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{})
	corner := geom.V(0.4, 0.4)
	grip := w.AddJoint(quarry.MouseJoint{JointBase: w.JointAt(0, crate, corner), Target: corner})
	drag, _ := w.Joint(grip)
	for range 300 { // in each frame
		drag.SetTarget(geom.V(3, 4))
		w.Step(1.0 / 60)
	}
	_, at := drag.Anchors()
	fmt.Printf("held at (%.1f, %.1f)\n", at.X, at.Y)
	w.RemoveJoint(grip)
	// Output:
	// held at (3.0, 4.0)
}

// A small gear drives one of three times its radius, which turns the other way at a third of the speed.
func ExampleGearJoint() {
	w := quarry.NewWorld(quarry.Config{})
	gear := func(x, radius float64) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0)})
		w.AddShape(id, geom.Circle{Radius: radius}, quarry.ShapeDef{})
		b, _ := w.Body(id)
		return b
	}
	small, large := gear(0, 0.5), gear(2, 1.5)
	w.AddJoint(quarry.RevoluteJoint{ // the axle of each, on the world; the small one has the motor
		JointBase: w.JointAt(0, small.ID(), small.Position()), Motor: quarry.JointMotor{Speed: 6, MaxForce: 100},
	})
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, large.ID(), large.Position())})
	w.AddJoint(quarry.GearJoint{JointBase: w.JointAt(small.ID(), large.ID(), geom.V(0.5, 0)), Ratio: -1.5 / 0.5})
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("%.1f and %.1f radians a second\n", small.AngularVelocity(), large.AngularVelocity())
	// Output:
	// 6.0 and -2.0 radians a second
}

// A winch lifts a weight by hand. Its ratchet holds the load when the hand lets go.
func ExampleRatchetJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic})
	w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	drum, _ := w.Body(id)
	w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(0, id, geom.Vec{})})
	pawl, _ := w.Joint(w.AddJoint(quarry.RatchetJoint{JointBase: w.JointAt(0, id, geom.Vec{}), Tooth: math.Pi / 8}))
	const load = -2 // the torque of the rope
	for range 60 {
		drum.ApplyTorque(load + 3) // the hand turns it
		w.Step(1.0 / 60)
	}
	for range 120 {
		drum.ApplyTorque(load)
		w.Step(1.0 / 60)
	}
	fmt.Printf("held at tooth %.1f\n", pawl.Angle()/(math.Pi/8))
	// Output:
	// held at tooth 19.0
}

// A lift on a rail, between two floors, with a motor.
func ExamplePrismaticJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	cabin := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 2)})
	w.AddShape(cabin, geom.NewBox(1, 0.2), quarry.ShapeDef{})
	rail, _ := w.Joint(w.AddJoint(quarry.PrismaticJoint{
		JointBase: w.JointAlong(0, cabin, geom.V(0, 2), geom.V(0, 1)),
		Limit:     quarry.JointLimit{On: true, Lower: 0, Upper: 4},
		Motor:     quarry.JointMotor{Speed: 2, MaxForce: 100},
	}))
	for range 180 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("the upper floor: %.1f\n", rail.Translation())
	rail.SetMotorSpeed(-2)
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("a second later: %.1f\n", rail.Translation())
	// Output:
	// the upper floor: 4.0
	// a second later: 2.0
}

// A diving board: two boards with an elastic weld, one end fixed to the world.
func ExampleWeldJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	var boards [2]quarry.BodyID
	for i := range boards {
		boards[i] = w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(1+2*float64(i), 5)})
		w.AddShape(boards[i], geom.NewBox(1, 0.1), quarry.ShapeDef{})
	}
	w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(0, boards[0], geom.V(0, 5))})
	bend, _ := w.Joint(w.AddJoint(quarry.WeldJoint{
		JointBase:     w.JointAt(boards[0], boards[1], geom.V(2, 5)),
		AngularSpring: quarry.JointSpring{Hertz: 4, DampingRatio: 0.5},
	}))
	for range 300 {
		w.Step(1.0 / 60)
	}
	fmt.Println("bends down:", bend.Angle() < -0.01, "holds:", bend.Angle() > -0.5)
	// Output: bends down: true holds: true
}

// A floating platform: springs hold it at a place of the world, with a maximum force, so that a heavy crate presses it
// down. To move it along a path, change the frame.
func ExampleMotorJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	platform := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 5)})
	w.AddShape(platform, geom.NewBox(1, 0.25), quarry.ShapeDef{})
	body, _ := w.Body(platform)
	hover, _ := w.Joint(w.AddJoint(quarry.MotorJoint{
		JointBase:      w.JointAt(0, platform, geom.V(0, 5)),
		Spring:         quarry.JointSpring{Hertz: 4, DampingRatio: 1},
		MaxSpringForce: 40,
		AngularSpring:  quarry.JointSpring{Hertz: 4, DampingRatio: 1},
	}))
	for step := range 360 {
		d := hover.Def().(quarry.MotorJoint)
		d.FrameA.Position.X = min(4, float64(step)/60)
		hover.SetDef(d)
		w.Step(1.0 / 60)
	}
	fmt.Printf("at %.1f, %.1f\n", body.Position().X, body.Position().Y)

	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(4, 6)})
	w.AddShape(crate, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: 5})
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Println("sinks under a weight of 50:", body.Position().Y < 4)
	// Output:
	// at 4.0, 5.0
	// sinks under a weight of 50: true
}

// A ghost falls through one floor, and would stand on others.
func ExampleFilterJoint() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{})
	w.AddShape(floor, geom.NewBox(5, 0.5), quarry.ShapeDef{})
	ghost := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
	w.AddShape(ghost, geom.Circle{Radius: 0.25}, quarry.ShapeDef{})
	w.AddJoint(quarry.FilterJoint{JointBase: quarry.JointBase{A: floor, B: ghost}})
	for range 60 {
		w.Step(1.0 / 60)
	}
	body, _ := w.Body(ghost)
	fmt.Println("fell through the floor:", body.Position().Y < -2)
	// Output: fell through the floor: true
}
