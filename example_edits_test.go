package quarry_test

import (
	"fmt"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

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
