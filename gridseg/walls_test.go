package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestWalls: the walls of random unloaded places are those that a look at each chunk and its neighbours finds.
func TestWalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		var u unloaded
		for range 12 {
			x, y := rng.Int32N(60)-30, rng.Int32N(60)-30
			r := Rect{
				MinX: x << chunkBits, MinY: y << chunkBits, MaxX: (x+rng.Int32N(30))<<chunkBits | chunkMask,
				MaxY: (y+rng.Int32N(30))<<chunkBits | chunkMask,
			}
			u.put(r, rng.IntN(5) > 0, rng.IntN(4) > 0)
		}
		var want []Cell
		u.within(lattice.EveryCell, func(cx, cy int32, solid bool) bool {
			if solid && !u.buried(cx, cy) {
				want = append(want, Cell{X: cx, Y: cy})
			}
			return true
		})
		if got := u.walls(); !slices.Equal(got, want) {
			t.Fatalf("%d walls, want %d", len(got), len(want))
		}
	}
}
