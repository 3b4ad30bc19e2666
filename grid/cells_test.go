package grid

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestRayCellsOfSparseWorld: a ray that enters far more cells than there are objects (casts
// then test the objects instead) still lists all its cells.
func TestRayCellsOfSparseWorld(t *testing.T) {
	for _, g := range newGrids(1, box(0, 0, 1000, 1)) {
		for _, x := range []float64{0.25, 1000.25} {
			if _, err := g.Add(box(x, 0.25, x+0.5, 0.75), 0); err != nil {
				t.Fatal(err)
			}
		}
		cells := g.AppendRayCells(nil, geom.V(-1, 0.5), geom.V(1, 0), math.Inf(1))
		if len(cells) < 1001 || cells[0] != (Cell{}) || cells[1000] != (Cell{X: 1000}) {
			t.Errorf("%v: %d cells, want all from 0 to 1000", g.Kind(), len(cells))
		}
	}
}
