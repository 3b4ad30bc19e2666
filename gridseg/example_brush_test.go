package gridseg_test

import (
	"fmt"

	"github.com/quarry2d/quarry/gridseg"
)

// A round crater in a field of blocks, across cells; the rest of a cut block keeps its
// material.
func ExampleGrid_Subtract() {
	g := gridseg.New(nil)
	if err := g.Fill(gridseg.Rect{MinX: 0, MinY: 0, MaxX: 9, MaxY: 9},
		gridseg.Tile{Shape: gridseg.Full, Material: 7}); err != nil {
		fmt.Println(err)
	}
	hole, err := gridseg.Circle(5, 10, 1.5)
	if err != nil {
		fmt.Println(err)
	}
	if err := g.Subtract(hole); err != nil {
		fmt.Println(err)
	}
	g.Resolve()
	fmt.Println(g.Solid(5, 8.6), g.Solid(5, 8.4))
	fmt.Println(g.Tile(3, 9).Shape == gridseg.Patch)
	for tile := range g.Polygons(3, 9) {
		fmt.Println(tile.Material)
	}
	// Output:
	// false true
	// true
	// 7
}
