package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
