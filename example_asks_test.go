package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
