package gridseg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestWalls: the walls of random unloaded places are those that a look at each chunk and its neighbours finds.
func TestWalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		var u unloaded
		for range 12 {
			x, y := rng.Int32N(60)-30, rng.Int32N(60)-30
			r := Rect{x << chunkBits, y << chunkBits, (x+rng.Int32N(30))<<chunkBits | chunkMask, (y+rng.Int32N(30))<<chunkBits | chunkMask}
			u.put(r, rng.IntN(5) > 0, rng.IntN(4) > 0)
		}
		var want []Cell
		u.within(everyCell, func(cx, cy int32, solid bool) bool {
			if solid && !u.buried(cx, cy) {
				want = append(want, Cell{cx, cy})
			}
			return true
		})
		if got := u.walls(); !slices.Equal(got, want) {
			t.Fatalf("%d walls, want %d", len(got), len(want))
		}
	}
}
