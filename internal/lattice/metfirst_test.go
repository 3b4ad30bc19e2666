package lattice_test

import (
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// The directions in the order in which a counter-clockwise turn from +x meets them; a turn of zero
// is a whole turn, so +x itself comes last. A clockwise turn meets the mirrored directions.
func TestMetFirst(t *testing.T) {
	from := lattice.Point{X: 5}
	order := []lattice.Point{
		{X: 4, Y: 1},
		{X: 1, Y: 1},
		{Y: 2},
		{X: -3, Y: 1},
		{X: -1},
		{X: -2, Y: -1},
		{Y: -1},
		{X: 7, Y: -1},
		{X: 2},
	}
	for _, clockwise := range []bool{false, true} {
		for i, p := range order {
			for j, q := range order {
				if clockwise {
					p.Y, q.Y = -order[i].Y, -order[j].Y
				}
				if got := lattice.MetFirst(from, p, q, clockwise); got != (i < j) {
					t.Errorf("MetFirst(%v, %v, %v, %v) = %v, want %v", from, p, q, clockwise, got, i < j)
				}
			}
		}
	}
}
