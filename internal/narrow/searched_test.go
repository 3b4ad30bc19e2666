package narrow

import (
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/surface"
)

// The memory of a search changes no result, wherever the shape goes, however large it is, and whatever is dug or
// becomes one-way meanwhile. Without it the whole shape would be searched for first.
func TestSearchedChangesNothing(t *testing.T) {
	worlds, found, none := 12, 0, 0
	if testing.Short() {
		worlds = 4
	}
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 11))
		o := gridseg.Cell{X: -gridtest.Size / 2, Y: -gridtest.Size / 2}
		g := surface.Tiles{Grid: gridtest.Ground(t, r, o, seed%2 == 1)}
		var ways surface.Ways
		var sc exitScratch
		var m Searched
		at := geom.V(gridtest.Size*(r.Float64()-0.5), gridtest.Size*(r.Float64()-0.5))
		inner, extent := r.Float64(), 1+2*r.Float64()
		for range 150 {
			switch r.IntN(12) {
			case 0:
				at = geom.V(gridtest.Size*(r.Float64()-0.5), gridtest.Size*(r.Float64()-0.5))
			case 1:
				inner, extent = 2*r.Float64(), 2+2*r.Float64()
			case 2:
				c := gridseg.Cell{X: int32(at.X) + int32(r.IntN(9)) - 4, Y: int32(at.Y) + int32(r.IntN(9)) - 4}
				if err := g.Grid.Set(c.X, c.Y, gridseg.Tile{Shape: gridseg.ShapeID(r.IntN(2))}); err != nil {
					t.Fatal(err)
				}
				g.Grid.Resolve()
				g.Version++
			case 3:
				ways.Set([]surface.Direction{0, 0, surface.Direction(r.IntN(5)), surface.Left}[:r.IntN(5)])
				g.SetWays(&ways)
			case 4, 5, 6:
				at = at.Add(geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(0.3))
			}
			q, beside, ok := sc.freeSpotAround(&g, &m, inner, extent, at)
			var no [2]uint8
			want, whole := sc.freeSpot(&g, at, extent, 0, &no[0])
			is := whole
			if !whole {
				want, is = sc.freeSpot(&g, at, inner, 0, &no[1])
			}
			if ok != is || ok && (q != want || (beside > 0) != whole) {
				t.Fatalf("world %d: for discs of %v and %v at %v: %v, %v, %v; want %v, %v, %v", seed, inner, extent, at,
					q, beside, ok, want, whole, is)
			}
			if ok {
				found++
			} else {
				none++
			}
		}
	}
	if found < 10*worlds || none < 2*worlds {
		t.Errorf("%d found, %d not", found, none)
	}
}

// A shape that stays in its place among narrow slots examines the places around it once, and then next to none. (A body
// stuck between tiles examined up to 2,178 places in each step: a hundred bodies took 20 ms a step.)
func TestStuckShapeSearchesOnce(t *testing.T) {
	grid := gridseg.New(nil)
	for x := int32(-40); x < 40; x += 2 {
		if err := grid.Fill(gridseg.Rect{MinX: x, MinY: -40, MaxX: x, MaxY: 39},
			gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	grid.Resolve()
	g := surface.Tiles{Grid: grid}
	var sc exitScratch
	var m Searched
	at := geom.V(0.3, 0.2)
	places := func(inner, extent float64) int {
		before := sc.Tally.Places
		sc.freeSpotAround(&g, &m, inner, extent, at)
		return int(sc.Tally.Places - before)
	}
	if first, then := places(1, 2), places(1, 2); first < 500 || then != 0 {
		t.Errorf("without room: %d places at first, then %d", first, then)
	}
	// There is room for the inner disc only, near by.
	if first, then := places(0.4, 2), places(0.4, 2); first < 500 || then > 30 {
		t.Errorf("with room for the inner disc: %d places at first, then %d", first, then)
	}
	at = geom.V(0.4, 0.1) // in the same cell of places
	if n := places(0.4, 2); n > 30 {
		t.Errorf("after a small motion: %d places", n)
	}
	g.Version++
	if n := places(0.4, 2); n < 500 {
		t.Errorf("after an edit: %d places", n)
	}
}
