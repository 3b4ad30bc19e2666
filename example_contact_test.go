package quarry_test

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// withFloor returns a world with gravity and a static floor whose top is at height 0.
func withFloor() *quarry.World {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{Position: geom.V(0, -0.5)})
	w.AddShape(floor, geom.NewBox(50, 0.5), quarry.ShapeDef{})
	return w
}

// A game plays a sound when a ball begins to touch something.
func ExampleWorld_ContactBegins() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 2)})
	ball := w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{User: 3})
	for range 60 {
		w.Step(1.0 / 60)
		for _, e := range w.ContactBegins() { // the shape may be A or B
			if e.ShapeA == ball || e.ShapeB == ball {
				s, _ := w.Shape(ball)
				fmt.Println("sound", s.User(), "at step", w.StepCount())
			}
		}
	}
	// Output: sound 3 at step 34
}

// An egg breaks if it falls too fast.
func ExampleWorld_Hits() {
	w := withFloor()
	for _, height := range []float64{1, 5} {
		egg := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3*height, height), User: uint64(height)})
		w.AddShape(egg, geom.Circle{Radius: 0.2}, quarry.ShapeDef{})
	}
	for range 90 {
		w.Step(1.0 / 60)
		for _, hit := range w.Hits() {
			if hit.Speed < 5 {
				continue
			}
			s, ok := w.Shape(hit.ShapeB) // not ok: removed meanwhile
			if ok && s.Body().Type() != quarry.Dynamic {
				s, ok = w.Shape(hit.ShapeA)
			}
			if ok {
				fmt.Printf("egg %d breaks at %.0f units a second\n", s.Body().User(), hit.Speed)
				w.RemoveBody(s.Body().ID())
			}
		}
	}
	// Output: egg 5 breaks at 10 units a second
}

// What does a crate stand on, and what does it weigh?
func ExampleBody_AppendContacts() {
	w := withFloor()
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 0.5)})
	w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: 2})
	crate, _ := w.Body(id)
	for range 60 {
		w.Step(1.0 / 60)
	}
	for _, c := range crate.AppendContacts(nil) {
		force := 0.0
		for _, p := range c.Points[:c.N] {
			force += p.NormalImpulse * 60 // over the time of the step, 1/60 s
		}
		fmt.Printf("%d points, force %.1f\n", c.N, force)
	}
	// Output: 2 points, force 20.0
}

// Players collide with walls, and not with each other's shots.
func ExampleShapeDef_filter() {
	const (
		wall = 1 << iota
		player
		shot
	)
	w := quarry.NewWorld(quarry.Config{})
	w.AddShape(w.AddBody(quarry.BodyDef{Position: geom.V(10, 0)}), geom.NewBox(1, 5), quarry.ShapeDef{Category: wall})
	add := func(x float64, d quarry.ShapeDef) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, d)
		b, _ := w.Body(id)
		return b
	}
	hero := add(5, quarry.ShapeDef{Category: player, Mask: wall | player})
	bullet := add(0, quarry.ShapeDef{Category: shot, Mask: wall})
	bullet.SetVelocity(geom.V(20, 0))
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("the hero is at %.0f, the bullet at %.1f\n", hero.Position().X, bullet.Position().X)
	// Output: the hero is at 5, the bullet at 8.5
}

// A rubber ball and one of clay fall on the floor.
func ExampleWorld_AddMaterial() {
	w := withFloor()
	rubber := w.AddMaterial(quarry.Material{Name: "rubber", Friction: 0.9, Restitution: 0.8})
	clay := w.AddMaterial(quarry.Material{Name: "clay", Friction: 0.9, RollingResistance: 0.3})
	for i, m := range []quarry.MaterialID{rubber, clay} {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(3*i), 3.5)})
		w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Material: m})
		ball, _ := w.Body(id)
		top := 0.0
		for range 90 {
			w.Step(1.0 / 60)
			if ball.Velocity().Y > 0 {
				top = max(top, ball.Position().Y-0.5)
			}
		}
		fmt.Printf("%s bounces to %.1f of 3\n", w.Material(m).Name, top)
	}
	// Output:
	// rubber bounces to 1.9 of 3
	// clay bounces to 0.0 of 3
}

// A beam that breaks under too great a load.
func ExampleWorld_JointEvents() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	hang := func(p geom.Vec, density float64) {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
		w.AddShape(id, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Density: density})
		joint := quarry.RevoluteJoint{JointBase: w.JointAt(0, id, p.Add(geom.V(0, 0.5)))}
		joint.ForceThreshold = 50
		joint.User = uint64(density)
		w.AddJoint(joint)
	}
	hang(geom.V(0, 5), 1)
	hang(geom.V(3, 5), 8)
	for range 60 {
		w.Step(1.0 / 60)
		for _, e := range w.JointEvents() {
			fmt.Printf("the joint of load %d breaks at a force of %.0f\n", e.User, e.Force.Len())
			w.RemoveJoint(e.Joint)
		}
	}
	// Output: the joint of load 8 breaks at a force of 80
}

// A character asks for the surface under it, to jump only from the ground, and to slip on ice.
func ExampleBody_Grounded() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	ice := w.AddMaterial(quarry.Material{Friction: 0.05})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 9, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(ice)})

	player := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5.5, 1), FixedRotation: true})
	w.AddShape(player, geom.NewBox(0.3, 0.5), quarry.ShapeDef{})
	body, _ := w.Body(player)

	const steepest = 0.8 // radians
	for step := range 30 {
		w.Step(1.0 / 60)
		on, ok := body.Grounded(geom.V(0, 1), steepest)
		if step == 0 || step == 29 {
			fmt.Println("on the ground:", ok, "in cell", on.Cell, "on ice:", on.Material == ice)
		}
		if ok && step == 29 {
			body.ApplyImpulse(geom.V(0, 6*body.Mass()), body.CenterOfMass()) // jump
		}
	}
	fmt.Printf("jumps at %.0f\n", body.Velocity().Y)
	// Output:
	// on the ground: false in cell {0 0} on ice: false
	// on the ground: true in cell {5 -1} on ice: true
	// jumps at 6
}

// A ball rolls from the floor onto spikes: the contact with the ground goes on, the material changes.
func ExampleWorld_MaterialBegins() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	spikes := w.AddMaterial(quarry.Material{Friction: 0.6})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 19, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	_ = ground.Fill(gridseg.Rect{MinX: 6, MinY: -1, MaxX: 7, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(spikes)})

	ball := w.AddBody(quarry.BodyDef{
		Type: quarry.Dynamic, Position: geom.V(3, 0.5), Velocity: geom.V(5, 0),
		AngularVelocity: -10,
	})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Flags: quarry.MaterialEvents})
	for range 90 {
		w.Step(1.0 / 60)
		for _, ev := range w.MaterialBegins() {
			if ev.Material == spikes {
				fmt.Println("ouch, on cell", ev.Cell)
			}
		}
		for _, ev := range w.MaterialEnds() {
			if ev.Material == spikes {
				fmt.Println("off the spikes, last on cell", ev.Cell)
			}
		}
	}
	// Output:
	// ouch, on cell {6 -1}
	// off the spikes, last on cell {7 -1}
}

// A miner digs, learns how much of each material came out, and does not get through bedrock.
func ExampleGround_Dig_report() {
	w := quarry.NewWorld(quarry.Config{})
	earth := w.AddMaterial(quarry.Material{Friction: 0.7})
	ore := w.AddMaterial(quarry.Material{Friction: 0.7})
	bedrock := w.AddMaterial(quarry.Material{Friction: 0.7})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	fill := func(y0, y1 int32, m quarry.MaterialID) {
		_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: y0, MaxX: 9, MaxY: y1},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)})
	}
	fill(0, 1, bedrock)
	fill(2, 3, ore)
	fill(4, 9, earth)

	hard := func(_ gridseg.Cell, t gridseg.Tile) bool { return ground.Material(t) == bedrock }
	var dug gridseg.Report
	if err := ground.Dig(geom.V(5, 9), geom.V(5, 2), 1.5, gridseg.Keep(hard), gridseg.ReportTo(&dug)); err != nil {
		fmt.Println(err)
	}
	names := map[quarry.MaterialID]string{earth: "earth", ore: "ore", bedrock: "bedrock"}
	for _, a := range dug.Areas {
		fmt.Printf("%.2f cells of %s\n", a.Removed(), names[quarry.MaterialID(a.Material)])
	}
	fmt.Println(len(dug.Cells), "cells changed")
	// Output:
	// 17.76 cells of earth
	// 6.00 cells of ore
	// 32 cells changed
}

// A character drops through the tiles of one material, and a box moves to the right on all ground: by a
// function that sees each manifold before the solver.
func ExampleWorld_SetPreSolve() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	wood := w.AddMaterial(quarry.Material{Friction: 0.6})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 19, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: 2, MaxX: 9, MaxY: 2},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(wood)})

	const player, crate = 1, 2
	add := func(p geom.Vec, kind uint64) quarry.Body {
		id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
		w.AddShape(id, geom.NewBox(0.4, 0.4), quarry.ShapeDef{Flags: quarry.AskPreSolve, User: kind})
		b, _ := w.Body(id)
		return b
	}
	hero, box := add(geom.V(5, 4), player), add(geom.V(12, 1), crate)
	falling := true // read by the function, so set it only between steps
	w.SetPreSolve(func(p *quarry.PreSolve) {
		at := &p.Points[0]
		switch p.B.User {
		case player:
			p.Disabled = falling && p.A.Ground != 0 && at.Material == wood
		case crate:
			for k := range p.N {
				p.Points[k].TangentSpeed = 2
			}
		}
	})
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("the hero is at height %.1f, the box moves at %.1f\n", hero.Position().Y, box.Velocity().X)
	// Output:
	// the hero is at height 0.4, the box moves at 2.0
}

// Two teams: bodies of one team pass each other, whatever their number.
func ExampleWorld_SetCustomFilter() {
	w := quarry.NewWorld(quarry.Config{})
	w.SetCustomFilter(func(a, b quarry.Side) bool { return a.BodyUser != b.BodyUser })
	add := func(x, speed float64, team uint64) quarry.Body {
		id := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(x, 0), Velocity: geom.V(speed, 0),
			User: team,
		})
		w.AddShape(id, geom.Circle{Radius: 0.5}, quarry.ShapeDef{Flags: quarry.AskFilter})
		b, _ := w.Body(id)
		return b
	}
	runner := add(0, 5, 1)
	add(3, 0, 1)
	add(6, -5, 2)
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("the runner meets its opponent and stops at x = %.1f\n", runner.Position().X)
	// Output:
	// the runner meets its opponent and stops at x = 4.5
}

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
