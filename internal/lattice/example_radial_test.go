package lattice_test

import (
	"fmt"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The worked example of "An Algorithm for Local Grid Segmentation", section 3.2: three
// segments that meet at (0, 0), in both of its cases. docs/lattice.md draws them.
func ExampleRadialMatch() {
	at := func(x, y int64) lattice.Point { return lattice.Point{X: x, Y: y} }

	// Case A: seg1 starts at (0, 0), the others end there. Clockwise from seg1, seg2 is at
	// 90 degrees and seg3 at 315: seg2 comes before seg1, and its start is ghost1.
	a := []lattice.Edge{
		{A: at(0, 0), B: at(0, 1)},
		{A: at(1, 0), B: at(0, 0)},
		{A: at(-1, 1), B: at(0, 0)},
	}
	prev, _, err := lattice.RadialMatch(a)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("A: seg1.ghost1 =", a[prev[0]].A)

	// Case B: all three the other way round. Counter-clockwise seg3 is at 45 degrees and
	// seg2 at 270: seg3 comes after seg1, and its end is ghost2.
	b := []lattice.Edge{
		{A: at(0, 1), B: at(0, 0)},
		{A: at(0, 0), B: at(1, 0)},
		{A: at(0, 0), B: at(-1, 1)},
	}
	_, next, err := lattice.RadialMatch(b)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("B: seg1.ghost2 =", b[next[0]].B)
	// Output:
	// A: seg1.ghost1 = {1 0}
	// B: seg1.ghost2 = {-1 1}
}
