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
