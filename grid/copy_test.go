package grid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestCopyFrom turns each kind of grid into each other kind, with other cells: answers, and
// the ids given out afterwards, are the same.
func TestCopyFrom(t *testing.T) {
	c := newCrowd(500, 30, 0.5)
	for from := range 5 {
		for to := range 5 {
			g := append(newGrids(3, c.bounds()), newSeparated(3))[from]
			c.addTo(g)
			for id := ID(3); id < 400; id += 7 {
				g.Exclude(id)
				g.SetCategory(id+1, 2)
				g.Remove(id + 2)
			}
			h := append(newGrids(5, c.bounds()), newSeparated(5))[to]
			c.addTo(h) // CopyFrom must remove these
			h.SetCategory(0, 4)
			if err := h.CopyFrom(g); err != nil {
				t.Fatal(err)
			}
			checkInvariants(t, h)
			if !slices.Equal(h.AppendPairs(nil), g.AppendPairs(nil)) {
				t.Errorf("%v to %v: the pairs differ", g.Kind(), h.Kind())
			}
			for _, mask := range []uint64{All, 1, 2, 4} {
				whole := c.bounds()
				if !slices.Equal(h.AppendOverlaps(nil, whole, mask), g.AppendOverlaps(nil, whole, mask)) {
					t.Errorf("%v to %v: the objects of category %d differ", g.Kind(), h.Kind(), mask)
				}
			}
			for range 80 {
				a, _ := g.Add(box(1, 1, 2, 2), 0)
				if b, _ := h.Add(box(1, 1, 2, 2), 0); a != b {
					t.Fatalf("%v to %v: gives out id %d, not %d", g.Kind(), h.Kind(), b, a)
				}
			}
			for id := range ID(g.Len()) {
				if g.Has(id) != h.Has(id) || g.Has(id) && (g.Box(id) != h.Box(id) || g.Data(id) != h.Data(id) ||
					g.Excluded(id) != h.Excluded(id)) {
					t.Fatalf("%v to %v: object %d differs", g.Kind(), h.Kind(), id)
				}
			}
			if err := h.CopyFrom(h); err != nil || h.Len() != g.Len() {
				t.Errorf("%v: a copy of itself: %v", h.Kind(), err)
			}
		}
	}
}

// TestCopyFromRefuses: a box beyond the limit of smaller cells is refused, and nothing
// changes.
func TestCopyFromRefuses(t *testing.T) {
	g, h := NewHashed(1e6), NewChunked(1e-3)
	for _, x := range []float64{0, 1e14} {
		if _, err := g.Add(box(x, 0, x+1, 1), 0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Add(box(7, 7, 8, 8), 5); err != nil {
		t.Fatal(err)
	}
	err := h.CopyFrom(g)
	if err == nil || !strings.Contains(err.Error(), "object 1") || !strings.Contains(err.Error(), "beyond") {
		t.Errorf("error %v", err)
	}
	if h.Len() != 1 || h.Data(0) != 5 {
		t.Error("the grid has changed")
	}
	checkInvariants(t, h)
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
