package grid

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// TestPileInOneCell: objects that are all in one cell, or all too large for cells, are removed, moved, excluded and
// unloaded in time proportional to their number, in any order. A search of the cell's list took quadratic time.
func TestPileInOneCell(t *testing.T) {
	const n = 3000
	for _, newGrid := range []func() *Grid{
		func() *Grid { return NewHashed(1) },
		func() *Grid { return NewChunked(1) },
		func() *Grid { return NewHierarchical(1) },
		func() *Grid { return NewFixed(1, geom.AABB{Max: geom.V(64, 64)}) },
	} {
		// in one cell, in many, and oversize or in a cell of a high level
		for _, size := range []float64{0.3, 40, 5000} {
			if size == 40 && newGrid().Kind() != Hierarchical {
				continue // 1024 cells for each
			}
			boxes := func(g *Grid) {
				for i := range n {
					low := geom.V(0.1+float64(i%7)*0.05, 0.2)
					if _, err := g.Add(geom.AABB{Min: low, Max: low.Add(geom.V(size, size))}, uint64(i)); err != nil {
						t.Fatal(err)
					}
				}
			}
			each := func(name string, order []int, do func(g *Grid, id ID)) {
				g := newGrid()
				boxes(g)
				before := g.pool.looks
				for k, id := range order {
					if do(g, ID(id)); k%1000 == 999 {
						checkInvariants(t, g)
					}
				}
				if looks := g.pool.looks - before; looks > 4*(1<<indexedClass)*len(order) {
					t.Errorf("%v, size %v: %s compares %d ids for %d objects", g.kind, size, name, looks, len(order))
				}
			}
			up, down := upTo(n), upTo(n)
			for i := range down {
				down[i] = n - 1 - i
			}
			for k, order := range [][]int{up, down, rand.New(rand.NewPCG(1, 2)).Perm(n)} {
				name := []string{"up", "down", "random"}[k]
				each("Remove "+name, order, func(g *Grid, id ID) { g.Remove(id) })
				each("Exclude "+name, order, func(g *Grid, id ID) {
					g.Exclude(id)
					g.Include(id)
				})
				each("Update "+name, order, func(g *Grid, id ID) {
					for _, d := range []geom.Vec{{X: 0.07}, {X: 3}, {}} {
						if err := g.Update(id, geom.AABB{Min: d, Max: d.Add(geom.V(size, size))}); err != nil {
							t.Fatal(err)
						}
					}
				})
			}
			g := newGrid()
			boxes(g)
			list := g.Unload(nil, 0, 0)
			if len(list) != n || g.pool.looks > 4*(1<<indexedClass)*n {
				t.Errorf("%v, size %v: Unload of %d objects compares %d ids", g.kind, size, len(list), g.pool.looks)
			}
			checkInvariants(t, g)
			if err := g.Load(list); err != nil {
				t.Fatal(err)
			}
			g.Rebuild()
			checkInvariants(t, g)
			for i := range n {
				g.Remove(ID(i))
			}
			if g.Len() != 0 {
				t.Errorf("%v has %d objects", g.kind, g.Len())
			}
		}
	}
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
