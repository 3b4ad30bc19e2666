package mover_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/mover"
)

// A character walks to a wall, jumps onto it, and tells the cell under its foot.
func Example() {
	gravity := geom.V(0, -20)
	w := quarry.NewWorld(quarry.Config{Gravity: gravity})
	id, _ := w.AddGround(0, quarry.GroundDef{})
	g, _ := w.Ground(id)
	full := gridseg.Tile{Shape: gridseg.Full}
	_ = g.Fill(gridseg.Rect{MinX: -5, MinY: -2, MaxX: 9, MaxY: -1}, full)
	_ = g.Fill(gridseg.Rect{MinX: 5, MinY: 0, MaxX: 9, MaxY: 0}, full)

	hero := mover.Character{
		Mover:      mover.Mover{Shape: geom.Capsule{A: geom.V(0, 0.4), B: geom.V(0, 1.2), Radius: 0.4}},
		Position:   geom.V(0, 0.1),
		StepHeight: 0.4,
	}
	for step := range 180 {
		hero.Velocity.X = 4 // the player holds "right"
		if hero.OnWall == 1 && hero.OnGround {
			fmt.Printf("step %d: a wall at x = %.1f; jump\n", step, hero.Position.X+0.4)
			hero.Velocity.Y = 8
		}
		hero.Move(w, gravity, 1.0/60)
		w.Step(1.0 / 60)
		if hero.Position.X > 7 {
			break
		}
	}
	fmt.Printf("on the ground: %v, on cell %v, at height %.1f\n", hero.OnGround, hero.Footing.Cell, hero.Position.Y)
	// Output:
	// step 69: a wall at x = 5.0; jump
	// on the ground: true, on cell {7 0}, at height 1.0
}
