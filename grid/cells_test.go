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

// TestCellOf: a cell has its lower and left side, and AppendLoads numbers cells alike.
func TestCellOf(t *testing.T) {
	for _, g := range newGrids(0.5, box(-10, -10, 10, 10)) {
		for _, k := range []struct {
			p    geom.Vec
			want Cell
		}{
			{geom.V(0, 0), Cell{0, 0}},
			{geom.V(0.45, 0.45), Cell{0, 0}},
			{geom.V(0.5, 0.5), Cell{1, 1}},
			{geom.V(negZero, -5e-324), Cell{0, -1}},
			{geom.V(-0.5, math.Nextafter(-0.5, -1)), Cell{-1, -2}},
			{geom.V(1e12+0.25, -1e12), Cell{2e12, -2e12}},
			{geom.V(math.Inf(1), math.NaN()), Cell{2 * Limit, -2 * Limit}},
		} {
			if got := g.CellOf(k.p); got != k.want {
				t.Errorf("%v: CellOf(%v) = %v, want %v", g.Kind(), k.p, got, k.want)
			}
		}
		if g.Kind() == Fixed {
			continue
		}
		for _, p := range []geom.Vec{{X: 3.3, Y: -2.1}, {X: 1e12 + 0.25, Y: -1e12}, {X: -4e8, Y: 5e6}} {
			g.Clear()
			if _, err := g.Add(geom.AABB{Min: p, Max: p}, 0); err != nil {
				t.Fatal(err)
			}
			if loads := g.AppendLoads(nil); len(loads) != 1 || loads[0].Cell != g.CellOf(p) ||
				!loads[0].Box.Overlaps(geom.AABB{Min: p, Max: p}) {
				t.Errorf("%v: %v is in the cell %v, of loads %v", g.Kind(), p, g.CellOf(p), loads)
			}
		}
	}
}
