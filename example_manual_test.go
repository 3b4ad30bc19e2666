package quarry_test

import (
	"bytes"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
	"github.com/quarry2d/quarry/render"
)

// The programs of docs/manual.md: TestManual holds the page to this file.

// newLevel returns a world with a floor of tiles, 40 cells wide and 8 deep, and the ground.
func newLevel() (*quarry.World, quarry.Ground) {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		panic(err)
	}
	ground, _ := w.Ground(id)
	floor := gridseg.Rect{MinX: 0, MinY: -8, MaxX: 39, MaxY: -1}
	if err := ground.Fill(floor, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		panic(err)
	}
	return w, ground
}

// simulate makes n steps of 1/60 s.
func simulate(w *quarry.World, n int) {
	for range n {
		w.Step(1.0 / 60)
	}
}

// addBox adds a dynamic box of the given half width at p.
func addBox(w *quarry.World, p geom.Vec, half float64) quarry.Body {
	id := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	w.AddShape(id, geom.NewBox(half, half), quarry.ShapeDef{})
	body, _ := w.Body(id)
	return body
}

func Example_manualWorld() {
	w, ground := newLevel()
	_ = ground.Set(10, 0, gridseg.Tile{Shape: gridseg.Ramp}) // rises to the right
	_ = ground.Set(11, 0, gridseg.Tile{Shape: gridseg.Full})
	simulate(w, 60)
	fmt.Println(w.Stats().Tiles, "tiles,", w.StepCount(), "steps")
	fmt.Println(ground.Solid(geom.V(10.8, 0.5)), ground.Solid(geom.V(10.2, 0.5)))
	// Output:
	// 322 tiles, 60 steps
	// true false
}

func Example_manualBodies() {
	w, _ := newLevel()
	crate := addBox(w, geom.V(5, 3), 0.5)

	hammer := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(15, 2), User: 7})
	w.AddShape(hammer, geom.Capsule{A: geom.V(-1, 0), B: geom.V(1, 0), Radius: 0.1}, quarry.ShapeDef{})
	w.AddShape(hammer, geom.NewOffsetBox(0.2, 0.5, geom.V(1, 0), geom.NewRot(0)), quarry.ShapeDef{Density: 8})

	w.Step(1.0 / 60)
	for _, m := range w.Moves() { // to draw: the bodies that moved, with their place
		fmt.Printf("user %d at height %.2f\n", m.User, m.Transform.P.Y)
	}
	crate.ApplyImpulseToCenter(geom.V(3, 0))
	simulate(w, 240)
	fmt.Printf("the crate is at x = %.1f, asleep: %v\n", crate.Position().X, !crate.Awake())
	w.RemoveBody(hammer)
	_, ok := w.Body(hammer)
	fmt.Println("the hammer exists:", ok)
	// Output:
	// user 0 at height 3.00
	// user 7 at height 2.00
	// the crate is at x = 7.1, asleep: true
	// the hammer exists: false
}

func Example_manualMaterials() {
	w, ground := newLevel()
	ice := w.AddMaterial(quarry.Material{Name: "ice", FrictionMix: quarry.MixMin, Color: 0xa0d0f0})
	belt := w.AddMaterial(quarry.Material{Name: "belt", Friction: 1, TangentSpeed: 2})
	plank := w.AddMaterial(quarry.Material{Name: "plank", Friction: 0.6, OneWay: quarry.OneWayUp})
	paint := func(x0, x1, y int32, m quarry.MaterialID) {
		_ = ground.Fill(gridseg.Rect{MinX: x0, MinY: y, MaxX: x1, MaxY: y},
			gridseg.Tile{Shape: gridseg.Full, Material: uint16(m)})
	}
	paint(0, 9, -1, ice)
	paint(10, 19, -1, belt)
	paint(22, 26, 2, plank)

	puck := addBox(w, geom.V(2, 0.5), 0.5)
	puck.SetVelocity(geom.V(3, 0))
	cargo := addBox(w, geom.V(12, 0.5), 0.5)
	jumper := addBox(w, geom.V(24, 0.5), 0.4)
	jumper.SetVelocity(geom.V(0, 9.5))
	simulate(w, 120)
	fmt.Printf("puck %.1f, cargo %.1f, jumper at height %.1f\n", puck.Velocity().X, cargo.Velocity().X,
		jumper.Position().Y)
	// Output:
	// puck 3.0, cargo 2.0, jumper at height 3.4
}

func Example_manualDigging() {
	w, ground := newLevel()
	bedrock := w.AddMaterial(quarry.Material{Name: "bedrock", Friction: 0.6})
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -8, MaxX: 39, MaxY: -7},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(bedrock)})
	crate := addBox(w, geom.V(20, 0.5), 0.5)

	hard := func(_ gridseg.Cell, t gridseg.Tile) bool { return ground.Material(t) == bedrock }
	var dug gridseg.Report
	err := ground.Dig(geom.V(20, 0), geom.V(20, -8), 1.5, gridseg.Keep(hard), gridseg.ReportTo(&dug))
	if err != nil {
		fmt.Println(err) // nothing has changed then
	}
	simulate(w, 180)
	fmt.Printf("dug %.1f cells; the crate lies at %.1f\n", dug.Areas[0].Removed(), crate.Position().Y)

	_ = ground.Build(geom.V(30, 0), geom.V(30, 0), 3, gridseg.Attr{}) // a round hill
	for _, e := range w.GroundEdits() {
		fmt.Println("draw again from cell", e.Cells.MinX, e.Cells.MinY, "to", e.Cells.MaxX, e.Cells.MaxY)
	}
	// Output:
	// dug 18.0 cells; the crate lies at -5.5
	// draw again from cell 27 0 to 32 2
}

func Example_manualEvents() {
	w, _ := newLevel()
	door := w.AddBody(quarry.BodyDef{Position: geom.V(12, 1)})
	w.AddShape(door, geom.NewBox(0.5, 1), quarry.ShapeDef{Sensor: true})
	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(8, 3), Velocity: geom.V(4, 0)})
	w.AddShape(ball, geom.Circle{Radius: 0.4}, quarry.ShapeDef{User: 1})

	for range 150 {
		w.Step(1.0 / 60)
		for _, e := range w.ContactBegins() {
			fmt.Println("touches cell", e.Cell)
		}
		for _, hit := range w.Hits() {
			fmt.Printf("hits it at %.1f units a second\n", hit.Speed)
		}
		for range w.SensorBegins() {
			fmt.Printf("in the door at step %d\n", w.StepCount())
		}
		for range w.SensorEnds() {
			fmt.Printf("out of the door at step %d\n", w.StepCount())
		}
	}
	// Output:
	// touches cell {10 -1}
	// hits it at 7.2 units a second
	// in the door at step 49
	// out of the door at step 89
}

func Example_manualQueries() {
	w, ground := newLevel()
	player := addBox(w, geom.V(5, 0.5), 0.5)
	target := addBox(w, geom.V(9, 0.5), 0.5)

	f := quarry.QueryFilter{Except: player.ID()}
	hit, ok := w.RayCast(player.Position(), geom.V(20, 0), f)
	fmt.Println("a shot hits the box:", ok && hit.Body == target.ID(), "at", hit.Point)

	hit, _ = w.RayCast(player.Position(), geom.V(20, -20), f)
	fmt.Println("a shot into the floor hits cell", hit.Cell)
	_ = ground.Dig(hit.Point, hit.Point, 0.5) // a hole

	fmt.Println("room for a box of 2 x 2:", !w.Overlaps(geom.NewBox(1, 1), geom.At(geom.V(15, 1.1)), f))
	w.Explode(quarry.ExplosionDef{Center: geom.V(8, 0.5), Radius: 2, ImpulsePerLength: 4})
	fmt.Println("thrown to the right:", target.Velocity().X > 0)
	// Output:
	// a shot hits the box: true at {8.5 0.5}
	// a shot into the floor hits cell {5 -1}
	// room for a box of 2 x 2: true
	// thrown to the right: true
}

func Example_manualJoints() {
	w, _ := newLevel()

	// A sign on a hinge with friction, which turns by up to a right angle.
	sign := addBox(w, geom.V(3, 2), 0.5)
	hinge, _ := w.Joint(w.AddJoint(quarry.RevoluteJoint{
		JointBase: w.JointAt(0, sign.ID(), geom.V(2.5, 2.5)), // 0: on the world
		Limit:     quarry.JointLimit{On: true, Lower: -1.57, Upper: 0},
		Motor:     quarry.JointMotor{Max: 0.5}, // at speed 0: a brake
	}))

	// A lamp on a rope of 4.
	lamp := addBox(w, geom.V(10, 6), 0.2)
	rope, _ := w.Joint(w.AddJoint(quarry.DistanceJoint{
		JointBase: quarry.JointBase{B: lamp.ID(), FrameA: quarry.JointFrame{Position: geom.V(10, 8)}},
		Limit:     quarry.JointLimit{On: true, Upper: 4},
	}))

	// A car with a motor in each wheel.
	car := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(16, 1)})
	w.AddShape(car, geom.NewBox(1.5, 0.3), quarry.ShapeDef{})
	for _, x := range []float64{15, 17} {
		wheel := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(x, 0.4)})
		w.AddShape(wheel, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
		w.AddJoint(quarry.WheelJoint{
			JointBase: w.JointAlong(car, wheel, geom.V(x, 0.4), geom.V(0, 1)),
			Spring:    quarry.JointSpring{Hertz: 4, DampingRatio: 0.7},
			Limit:     quarry.JointLimit{On: true, Lower: -0.2, Upper: 0.2},
			Motor:     quarry.JointMotor{Speed: -10, Max: 4}, // clockwise: to the right
		})
	}
	simulate(w, 240)
	body, _ := w.Body(car)
	fmt.Printf("hinge %.2f radians, rope %.1f, car at %.1f units a second\n", hinge.Angle(), rope.Length(),
		body.Velocity().X)
	// Output:
	// hinge -0.60 radians, rope 4.0, car at 4.0 units a second
}

func Example_manualCharacter() {
	w, ground := newLevel()
	full := gridseg.Tile{Shape: gridseg.Full}
	_ = ground.Fill(gridseg.Rect{MinX: 12, MinY: 0, MaxX: 14, MaxY: 1}, full)
	crate := addBox(w, geom.V(8, 0.5), 0.5)

	hero := mover.Character{
		Mover:      mover.Mover{Shape: geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}},
		Position:   geom.V(3, 0.1), // of the feet
		StepHeight: 0.5,
		Mass:       1, MaxForce: 40,
	}
	gravity := geom.V(0, -25) // falls faster than crates: the game's choice
	for range 240 {
		hero.Velocity.X = 5 // the key "right" is down
		if hero.OnGround && hero.OnWall != 0 && hero.Position.X > 9 {
			hero.Velocity.Y = 13 // jump
		}
		hero.Move(w, gravity, 1.0/60)
		w.Step(1.0 / 60)
	}
	fmt.Println("pushed the crate:", crate.Position().X > 9)
	fmt.Printf("stands: %v, on cell %v, at %.1f\n", hero.OnGround, hero.Footing.Cell, hero.Position.X)
	// Output:
	// pushed the crate: true
	// stands: true, on cell {22 -1}, at 22.6
}

func Example_manualSaving() {
	w, _ := newLevel()
	ball := addBox(w, geom.V(5, 5), 0.5)
	simulate(w, 30)
	file := w.AppendSnapshot(nil) // bytes for a file

	var checkpoint quarry.Snapshot // in memory, for rollback
	w.Capture(&checkpoint)
	simulate(w, 60)
	later := w.Hash()
	w.Rewind(&checkpoint)
	simulate(w, 60)
	fmt.Println("the same again:", w.Hash() == later)

	loaded := quarry.NewWorld(quarry.Config{})
	if err := loaded.Restore(file); err != nil {
		fmt.Println(err) // damaged; the world is as it was
	}
	simulate(loaded, 60)
	again, ok := loaded.Body(ball.ID())
	fmt.Println("in another world:", ok, loaded.Hash() == later, again.Position() == ball.Position())
	fmt.Println(loaded.Restore(file[:100]) != nil)
	// Output:
	// the same again: true
	// in another world: true true true
	// true
}

func Example_manualDrawing() {
	w, _ := newLevel()
	addBox(w, geom.V(5, 1), 0.5)
	simulate(w, 60)

	var list quarry.DrawList // keep it: a warm Draw allocates nothing
	w.Draw(&list, quarry.DrawOptions{Layers: quarry.DrawShapes | quarry.DrawContacts})
	for i := range list.Items {
		switch it := &list.Items[i]; it.Form {
		case quarry.DrawHull:
			fmt.Println("a polygon of", it.N, "points")
		case quarry.DrawPoint:
			fmt.Printf("a dot at x = %.1f\n", it.Points[0].X)
		}
	}

	var file bytes.Buffer // or a file of os.Create
	fmt.Println(render.WritePNG(&file, w, render.Options{Width: 640, Height: 360, Draw: quarry.DrawContacts}))
	// Output:
	// a polygon of 4 points
	// a dot at x = 5.5
	// a dot at x = 4.5
	// <nil>
}

func Example_manualSpeed() {
	play := func(workers int) *quarry.World {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: workers})
		floor := w.AddBody(quarry.BodyDef{})
		w.AddShape(floor, geom.NewBox(50, 0.5), quarry.ShapeDef{})
		for i := range 200 {
			addBox(w, geom.V(float64(i%20)*1.5-15, 2+float64(i/20)*1.5), 0.5)
		}
		simulate(w, 120)
		return w
	}
	one, eight := play(1), play(8)
	fmt.Println("same bits:", one.Hash() == eight.Hash())
	fmt.Println("awake:", one.Stats().Awake, "of", one.Stats().Bodies)
	// Output:
	// same bits: true
	// awake: 200 of 201
}

func Example_manualGame() {
	w, ground := newLevel()
	// a hill to tunnel through
	_ = ground.Fill(gridseg.Rect{MinX: 10, MinY: 0, MaxX: 20, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	for _, p := range []geom.Vec{{X: 6, Y: 0.5}, {X: 15, Y: 0.5}, {X: 25, Y: 0.5}} {
		// a gem
		w.AddShape(w.AddBody(quarry.BodyDef{Position: p}), geom.Circle{Radius: 0.3}, quarry.ShapeDef{Sensor: true})
	}
	addBox(w, geom.V(18, 5), 0.5)

	hero := mover.Character{
		Mover:    mover.Mover{Shape: geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}},
		Position: geom.V(2, 0.1), StepHeight: 0.5, Mass: 1, MaxForce: 40,
	}
	gems, stones := 0, 0
	var found []quarry.Target
	for range 450 {
		// Input: here the key "right" is always down, and "dig" when a wall is ahead.
		hero.Velocity.X = 4
		if hero.OnGround && hero.OnWall == 1 {
			at, _ := ground.CellAt(hero.Position.Add(geom.V(0.9, 0.5)))
			for y := at.Y; y <= at.Y+1; y++ {
				if ground.Tile(at.X, y) != (gridseg.Tile{}) {
					_ = ground.Clear(at.X, y)
					stones++
				}
			}
		}

		// Motion: the character first, so that it rides with lifts; then the world.
		hero.Move(w, geom.V(0, -25), 1.0/60)
		w.Step(1.0 / 60)

		// Rules: what the character touches.
		found = w.AppendOverlaps(found[:0], hero.Shape, geom.At(hero.Position), quarry.QueryFilter{Sensors: true})
		for _, t := range found {
			if s, ok := w.Shape(t.Shape); ok && s.Sensor() {
				w.RemoveBody(t.Body)
				gems++
			}
		}

		// Picture: w.Moved and w.GroundEdits tell what to draw again.
	}
	fmt.Printf("%d gems, %d stones, at x = %.1f\n", gems, stones, hero.Position.X)
	// Output:
	// 3 gems, 22 stones, at x = 32.0
}

func Example_manualFrames() {
	w, _ := newLevel()
	crate := addBox(w, geom.V(5, 8), 0.5)
	var clock quarry.Clock // steps of 1/60 s, at most 5 a frame
	for frame := range 5 {
		for range clock.Advance(1.0 / 100) { // seconds since the last frame
			w.Step(1.0 / 60)
		}
		// Draw the crate between its last two poses; DrawOptions.Alpha does so for all bodies.
		at := crate.TransformAt(clock.Alpha())
		fmt.Printf("frame %d, step %d: height %.4f\n", frame, w.StepCount(), at.P.Y)
	}
	// Output:
	// frame 0, step 0: height 8.0000
	// frame 1, step 1: height 7.9997
	// frame 2, step 1: height 7.9986
	// frame 3, step 2: height 7.9965
	// frame 4, step 3: height 7.9937
}
