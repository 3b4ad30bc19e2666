package quarry_test

import (
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
