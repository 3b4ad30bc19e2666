package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
