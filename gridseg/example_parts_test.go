package gridseg_test

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

// A bridge of tiles loses one, and its end comes off.
func ExampleGrid_Parts() {
	g := gridseg.New(nil)
	if err := g.Fill(gridseg.Rect{MaxX: 9}, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		panic(err)
	}
	parts := g.Parts()
	parts.SetAnchors([]gridseg.Rect{{MaxX: 1}}, 0) // the two cells on the left hold the bridge
	loose, _ := parts.AppendLoose(nil, 10, math.MaxInt64, math.MaxInt64)
	fmt.Println(len(loose))

	if err := g.Clear(6, 0); err != nil {
		panic(err)
	}
	loose, _ = parts.AppendLoose(nil, 10, math.MaxInt64, math.MaxInt64)
	fmt.Println(loose[0].Area.Cells(), loose[0].Cells)

	end := parts.Extract(loose)[0]
	tiles, _ := end.Count()
	fmt.Println(tiles, len(parts.Append(nil)))
	// Output:
	// 0
	// 3 {7 0 9 0}
	// 3 1
}
