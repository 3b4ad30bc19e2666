package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// A box slides over tiles, the ground is dug from under it, and it falls.
func Example() {
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	ground, _ := w.Ground(id)
	block := gridseg.Tile{Shape: gridseg.Full}
	if err := ground.Fill(gridseg.Rect{MinX: 0, MinY: -4, MaxX: 19, MaxY: -1}, block); err != nil {
		fmt.Println(err) // bad edits are refused whole, with the cell and the reason
	}

	box := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(2, 0.4), Velocity: geom.V(5, 0)})
	w.AddShape(box, geom.NewBox(0.4, 0.4), quarry.ShapeDef{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	body, _ := w.Body(box)
	fmt.Printf("stopped at x = %.1f\n", body.Position().X)

	cell, _ := ground.CellAt(body.Position())
	_ = ground.Fill(gridseg.Rect{MinX: cell.X - 1, MinY: -3, MaxX: cell.X + 1, MaxY: -1}, gridseg.Tile{})
	for range 120 {
		w.Step(1.0 / 60)
	}
	fmt.Printf("lies at y = %.1f\n", body.Position().Y)
	// Output:
	// stopped at x = 4.1
	// lies at y = -2.6
}
