package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
