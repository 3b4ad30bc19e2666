package gridseg_test

import (
	"fmt"

	"github.com/quarry2d/quarry/gridseg"
)

// A place is unloaded and loaded again. Meanwhile it counts as solid, so that the floor beside it has no face at the
// border.
func ExampleGrid_Unload() {
	g := gridseg.New(nil)
	_ = g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 31, MaxY: 3}, gridseg.Tile{Shape: gridseg.Full})
	g.Resolve()

	place := gridseg.Rect{MinX: 16, MinY: 0, MaxX: 31, MaxY: 15}
	data, err := g.Unload(place, gridseg.UnloadedSolid)
	if err != nil {
		fmt.Println(err)
		return
	}
	tiles, _ := g.Count()
	fmt.Println(tiles, "tiles,", g.Loaded(20, 0), g.Solid(20.5, 9.5))
	fmt.Println(g.Set(20, 5, gridseg.Tile{Shape: gridseg.Ramp}))

	back, err := g.Load(data)
	tiles, _ = g.Count()
	fmt.Println(tiles, "tiles,", g.Loaded(20, 0), g.Solid(20.5, 9.5), back == place, err)
	// Output:
	// 64 tiles, false true
	// gridseg: Set at cell (20, 5): the cell is unloaded
	// 128 tiles, true false true <nil>
}
