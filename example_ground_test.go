package quarry_test

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A miner's tunnel, and a hill of what came out of it.
func ExampleGround_Dig() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	earth := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x8a6a4a})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: -20, MinY: -10, MaxX: 19, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(earth)})

	if err := ground.Dig(geom.V(0, -3), geom.V(8, -6), 1.2); err != nil {
		fmt.Println(err) // too wide, too far out; nothing is changed then
	}
	if err := ground.Build(geom.V(-6, 0), geom.V(-6, 0), 2, gridseg.Attr{Material: uint16(earth)}); err != nil {
		fmt.Println(err)
	}
	for _, p := range []geom.Vec{{X: 4, Y: -4.5}, {X: 4, Y: -8}, {X: -6, Y: 1.5}} {
		fmt.Println(p, ground.Solid(p))
	}
	// Output:
	// {4 -4.5} false
	// {4 -8} true
	// {-6 1.5} true
}

// What does a shot hit, and what is that made of?
func ExampleWorld_RayCast() {
	w := quarry.NewWorld(quarry.Config{})
	steel := w.AddMaterial(quarry.Material{Friction: 0.4})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Set(5, 0, gridseg.Tile{Shape: gridseg.Ramp, Material: uint16(steel)}) // rises to the right

	hit, ok := w.RayCast(geom.V(0, 0.25), geom.V(10, 0), quarry.QueryFilter{})
	if !ok || hit.Ground != id {
		fmt.Println("missed")
		return
	}
	fmt.Printf("cell (%d, %d) at x = %.2f, steel: %t\n", hit.Cell.X, hit.Cell.Y, hit.Point.X,
		ground.Material(hit.Tile) == steel)
	// Output: cell (5, 0) at x = 5.25, steel: true
}

// The sensor under a lift tells when the lift is above the floor, which is static ground.
func ExampleShape_AppendGrounds() {
	w := quarry.NewWorld(quarry.Config{})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	floor, _ := w.Ground(id)
	_ = floor.Fill(gridseg.Rect{MinX: 2, MaxX: 4}, gridseg.Tile{Shape: gridseg.Full})
	lift := w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(3, 3), Velocity: geom.V(0, -1)})
	w.AddShape(lift, geom.NewBox(1, 0.2), quarry.ShapeDef{})
	foot, _ := w.Shape(w.AddShape(lift, geom.NewOffsetBox(0.9, 0.5, geom.V(0, -0.7), geom.Identity), quarry.ShapeDef{
		Sensor: true, Flags: quarry.SenseGround,
	}))
	for range 120 {
		w.Step(1.0 / 60)
		for _, e := range w.SensorBegins() {
			fmt.Printf("above the floor at %.2f: cell %v\n", foot.Body().Position().Y, e.Cell)
		}
	}
	fmt.Println(len(foot.AppendGrounds(nil)), "ground below")
	// Output:
	// above the floor at 2.18: cell {2 0}
	// 1 ground below
}

// A trigger: a sensor on a static body tells who comes and who goes.
func ExampleWorld_SensorBegins() {
	w := quarry.NewWorld(quarry.Config{})
	gate := w.AddBody(quarry.BodyDef{Position: geom.V(3, 0)})
	w.AddShape(gate, geom.NewBox(0.5, 2), quarry.ShapeDef{Sensor: true})
	runner := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Velocity: geom.V(4, 0), User: 7})
	w.AddShape(runner, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})

	// tell says who it was: either shape may be the sensor.
	tell := func(what string, e quarry.ContactEvent) {
		for _, id := range []quarry.ShapeID{e.ShapeA, e.ShapeB} {
			if s, ok := w.Shape(id); ok && !s.Sensor() { // not ok: removed since
				fmt.Printf("%d %s at x = %.1f\n", s.Body().User(), what, s.Body().Position().X)
			}
		}
	}
	for range 90 {
		w.Step(1.0 / 60)
		for _, e := range w.SensorBegins() {
			tell("comes in", e)
		}
		for _, e := range w.SensorEnds() {
			tell("goes out", e)
		}
	}
	// Output:
	// 7 comes in at x = 2.1
	// 7 goes out at x = 4.0
}

// Hills made of a line of points, and a crate on them.
func ExampleWorld_AddChain() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	// Hills, from right to left: solid is on the left of the way from point to
	// point, so below.
	var hills []geom.Vec
	for x := 20.0; x >= -20; x -= 0.5 {
		_, cos := geom.SinCos(x / 3)
		hills = append(hills, geom.V(x, cos))
	}
	id, err := w.AddChain(0, quarry.ChainDef{Points: hills})
	if err != nil {
		fmt.Println(err) // such as two points in one place, with their numbers
	}
	chain, _ := w.Chain(id)

	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(3.75, 0.45)})
	w.AddShape(crate, geom.NewBox(0.1, 0.1), quarry.ShapeDef{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	for _, c := range w.AppendContacts(nil) {
		s := chain.Segment(c.Points[0].Segment)
		fmt.Printf("the crate lies between x = %.1f and %.1f\n", s.B.X, s.A.X)
	}
	hit, _ := w.RayCast(geom.V(0, 9), geom.V(0, -20), quarry.QueryFilter{})
	fmt.Printf("the hill is %.1f high\n", hit.Point.Y)
	// Output:
	// the crate lies between x = 3.5 and 4.0
	// the hill is 1.0 high
}

// A renderer keeps a picture of the ground and draws only the changed cells again.
func ExampleWorld_GroundEdits() {
	w := quarry.NewWorld(quarry.Config{})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 99, MaxY: 49}, gridseg.Tile{Shape: gridseg.Full})
	drawn := ground.Version() // the picture shows all edits so far

	_ = ground.Clear(3, 49)
	_ = ground.Clear(3, 49) // no effect: it is empty
	_ = ground.Dig(geom.V(50, 25), geom.V(53, 25), 2.5)

	for _, e := range w.GroundEdits() {
		if e.Ground != id || e.Version <= drawn {
			continue
		}
		drawn = e.Version
		fmt.Printf("draw cells (%d, %d) to (%d, %d)\n", e.Cells.MinX, e.Cells.MinY, e.Cells.MaxX, e.Cells.MaxY)
	}
	w.Step(1.0 / 60)
	fmt.Println(len(w.GroundEdits()), "edits since the step")
	// Output:
	// draw cells (3, 49) to (3, 49)
	// draw cells (47, 22) to (55, 27)
	// 0 edits since the step
}

// A world of 10,000 x 10,000 cells begins unloaded, as a whole. A generator makes a place when a body comes near it.
func ExampleGround_UnloadPlace() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	if _, err := ground.UnloadPlace(gridseg.Rect{MaxX: 9999, MaxY: 9999}, gridseg.UnloadedSolid); err != nil {
		fmt.Println(err)
		return
	}

	// The generator makes the tiles in a grid of its own, and takes them out as bytes.
	generate := func(place gridseg.Rect) []byte {
		maker := gridseg.New(ground.Grid().Shapes())
		_ = maker.Fill(gridseg.Rect{MinX: place.MinX, MinY: place.MinY, MaxX: place.MaxX, MaxY: place.MinY + 3},
			gridseg.Tile{Shape: gridseg.Full})
		data, _ := maker.Unload(place, gridseg.UnloadedEmpty)
		return data
	}
	place := gridseg.Rect{MinX: 4992, MinY: 4992, MaxX: 5007, MaxY: 5007} // one chunk
	_, err := ground.LoadPlace(generate(place))
	fmt.Println(err, ground.Solid(geom.V(5000, 4994)), ground.Solid(geom.V(5000, 5000)),
		ground.Solid(geom.V(5020, 5000)))

	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5000, 4998)})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	_, err = ground.UnloadPlace(place, gridseg.UnloadedSolid)
	fmt.Println(errors.Is(err, quarry.ErrOccupied))
	w.RemoveBody(ball)
	data, err := ground.UnloadPlace(place, gridseg.UnloadedSolid)
	fmt.Println(len(data), "bytes", err)
	// Output:
	// <nil> true false true
	// true
	// 711 bytes <nil>
}

// A ball jumps up through a platform, lies on it, and is let fall through.
func ExampleBody_DropThrough() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	plank := w.AddMaterial(quarry.Material{Friction: 0.6, OneWay: quarry.OneWayUp})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 9, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full})
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: 2, MaxX: 9, MaxY: 2},
		gridseg.Tile{Shape: gridseg.Slab, Material: uint16(plank)})

	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(5, 0.5), Velocity: geom.V(0, 9)})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	body, _ := w.Body(ball)
	for range 180 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("on the platform: y = %.2f\n", body.Position().Y)

	body.DropThrough(0) // what it touches now, and no more
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("on the floor: y = %.2f\n", body.Position().Y)
	// Output:
	// on the platform: y = 3.00
	// on the floor: y = 0.50
}

// A belt of tiles is a material with a speed. What sleeps on it wakes when it is
// turned on.
func ExampleWorld_SetMaterial() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	belt := w.AddMaterial(quarry.Material{Friction: 0.9})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	_ = ground.Fill(gridseg.Rect{MinX: 0, MinY: -1, MaxX: 19, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt)})

	crate := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(2, 0.4)})
	w.AddShape(crate, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
	body, _ := w.Body(crate)
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Println("awake:", body.Awake())

	on := w.Material(belt)
	on.TangentSpeed = 3
	w.SetMaterial(belt, on)
	for range 60 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("speed: %.1f\n", body.Velocity().X)
	// Output:
	// awake: false
	// speed: 3.0
}

// adrift adds a ground of 8 x 2 cells on a dynamic body, with its lower left corner at p.
func adrift(w *quarry.World, p geom.Vec) quarry.Ground {
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 7, MaxY: 1}, gridseg.Tile{Shape: gridseg.Full})
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	id, err := w.AddGround(body, quarry.GroundDef{Grid: grid})
	if err != nil {
		panic(err) // no such body, or no such material
	}
	ground, _ := w.Ground(id)
	return ground
}

// A ground on a dynamic body falls, collides and is dug at. Its cells are in the body's frame.
func ExampleWorld_AddGround_dynamic() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	floor := w.AddBody(quarry.BodyDef{})
	w.AddShape(floor, geom.NewOffsetBox(20, 1, geom.V(0, -1), geom.NewRot(0)), quarry.ShapeDef{})
	raft := adrift(w, geom.V(-4, 3))
	fmt.Println("mass", raft.Body().Mass())
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Println("lies on the floor:", raft.Body().Position().Y < 0.1)

	top := raft.Body().WorldPoint(geom.V(4, 2))
	if err := raft.Dig(top, top, 1); err != nil {
		fmt.Println(err)
	}
	cell, _ := raft.CellAt(raft.Body().WorldPoint(geom.V(0.5, 0.5)))
	fmt.Printf("mass %.2f, cell %v, solid in the crater: %v\n", raft.Body().Mass(), cell, raft.Solid(top))
	// Output:
	// mass 16
	// lies on the floor: true
	// mass 14.43, cell {0 0}, solid in the crater: false
}

// A raft hangs on a rope. The rope's end is in tiles: when they break off, the joint goes with them.
func ExampleDistanceJoint_ground() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	raft := adrift(w, geom.V(-4, 0))
	rope, _ := w.Joint(w.AddJoint(quarry.DistanceJoint{
		JointBase: quarry.JointBase{
			FrameA: quarry.JointFrame{Position: geom.V(-3.5, 6)}, // of the world: A is 0
			B:      raft.Body().ID(), FrameB: quarry.JointFrame{Position: geom.V(0.5, 1.5)},
		},
		Limit: quarry.JointLimit{On: true, Upper: 5},
	}))
	if err := raft.Fill(gridseg.Rect{MinX: 2, MinY: 0, MaxX: 2, MaxY: 1}, gridseg.Tile{}); err != nil { // a cut
		fmt.Println(err)
	}
	for range 120 {
		w.Step(1.0 / 60)
		for _, ev := range w.Breaks() {
			_, hung := rope.Bodies()
			fmt.Println("a piece of", ev.Area, "cells hangs on the rope:", hung.ID() == ev.Body)
		}
	}
	fmt.Println("the raft has fallen:", raft.Body().Position().Y < -10)
	// Output:
	// a piece of 4 cells hangs on the rope: true
	// the raft has fallen: true
}

// Two rafts meet and become one.
func ExampleGround_Join() {
	w := quarry.NewWorld(quarry.Config{})
	left, right := adrift(w, geom.V(0, 0)), adrift(w, geom.V(8, 1))
	right.Body().SetVelocity(geom.V(-1, 0))
	id := right.Body().ID()
	if err := left.Join(right.ID()); err != nil {
		fmt.Println(err)
	}
	w.Step(1.0 / 60)
	_, ok := w.Body(id)
	fmt.Println("the other body is there:", ok, "breaks:", len(w.Breaks()))
	fmt.Println("mass", left.Body().Mass(), "velocity", left.Body().Velocity().X, "cell (15, 2) is solid:",
		left.Tile(15, 2).Shape == gridseg.Full)
	// Output:
	// the other body is there: false breaks: 0
	// mass 32 velocity -0.5 cell (15, 2) is solid: true
}

// An impulse above the strength of a material digs a crater.
func ExampleGround_Crater() {
	w := quarry.NewWorld(quarry.Config{})
	rock := w.AddMaterial(quarry.Material{Name: "rock", Strength: 10})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	cliff, _ := w.Ground(id)
	_ = cliff.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 9},
		gridseg.Tile{Shape: gridseg.Full, Material: uint16(rock)})
	for k := range 2 { // a stone, and a cannonball
		ball := w.AddBody(quarry.BodyDef{
			Type: quarry.Dynamic, Position: geom.V(-3, 2.5+4*float64(k)),
			Velocity: geom.V(10+20*float64(k), 0),
		})
		w.AddShape(ball, geom.Circle{Radius: 0.4}, quarry.ShapeDef{})
	}
	for range 60 {
		w.Step(1.0 / 60)
		for _, hit := range w.Hits() {
			strength := w.Material(rock).Strength
			if hit.Impulse <= strength {
				fmt.Println("cell", hit.Cell, "holds")
				continue
			}
			if err := cliff.Crater(hit, hit.Impulse/strength); err != nil {
				fmt.Println(err)
			}
			at := hit.Point.Sub(hit.Normal.Mul(0.5))
			fmt.Printf("cell %v gives way to %.0f; a depth of 0.5 is solid: %v\n", hit.Cell, hit.Impulse,
				cliff.Solid(at))
		}
	}
	// Output:
	// cell {0 6} gives way to 15; a depth of 0.5 is solid: false
	// cell {0 2} holds
}

// A shelf on a cliff is cut off, and falls.
func ExampleWorld_Breaks() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	grid := gridseg.New(nil)
	stone := gridseg.Tile{Shape: gridseg.Full}
	_ = grid.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 3, MaxY: 9}, stone)
	_ = grid.Fill(gridseg.Rect{MinX: 4, MinY: 8, MaxX: 9, MaxY: 9}, stone)
	id, err := w.AddGround(0, quarry.GroundDef{
		Grid: grid, Breaks: true, Anchors: []gridseg.Rect{{MinX: 0, MinY: 0, MaxX: 3, MaxY: 0}},
	})
	if err != nil {
		panic(err)
	}
	ground, _ := w.Ground(id)
	if err := ground.Fill(gridseg.Rect{MinX: 5, MinY: 8, MaxX: 5, MaxY: 9}, gridseg.Tile{}); err != nil {
		panic(err)
	}
	w.Step(1.0 / 60)
	for _, ev := range w.Breaks() {
		body, _ := w.Body(ev.Body)
		fmt.Println(ev.Area, ev.Cells, body.Type(), body.Mass())
	}
	// Output:
	// 8 {6 8 9 9} dynamic 8
}

// A part below MinFragment vanishes, and its tiles are drawn as debris that flies on.
func ExampleBreakEvent() {
	w := quarry.NewWorld(quarry.Config{})
	body := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(100, 0), Velocity: geom.V(3, 0)})
	grid := gridseg.New(nil)
	_ = grid.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 0}, gridseg.Tile{Shape: gridseg.Full})
	_ = grid.Set(9, 1, gridseg.Tile{Shape: gridseg.Ramp})
	id, err := w.AddGround(body, quarry.GroundDef{Grid: grid, MinFragment: 4})
	if err != nil {
		panic(err)
	}
	ground, _ := w.Ground(id)
	if err := ground.Clear(7, 0); err != nil {
		panic(err)
	}
	w.Step(1.0 / 60)
	for _, ev := range w.Breaks() {
		if ev.Body != 0 {
			continue // a body: its tiles are in the ground ev.Piece
		}
		fmt.Println(ev.Area, "cells fly at", ev.Velocity)
		for cell, tile := range ev.Tiles.Tiles(ev.Cells) {
			fmt.Println("tile", tile.Shape, "at", cell) // or the polygons of ev.Tiles.Polygons, at ground.Transform()
		}
	}
	// Output:
	// 2.5 cells fly at {3 0}
	// tile 1 at {8 0}
	// tile 1 at {9 0}
	// tile 2 at {9 1}
}
