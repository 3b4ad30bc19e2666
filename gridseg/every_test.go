package gridseg

import (
	"os"
	"testing"
)

// soak reports whether tests run in full instead of a sample: QUARRY_SOAK=1.
func soak() bool { return os.Getenv("QUARRY_SOAK") != "" }

// chosen reports whether case k is in the sample of one in n, by a hash, so that no digit
// or period of k is preferred. With QUARRY_SOAK=1 all cases are.
func chosen(k, n int) bool { return soak() || mix(uint64(k)+0x51)%uint64(n) == 0 }

// TestEveryThreeByThree lays 3 x 3 cells of {empty, block, four ramps} in each of the 6^9
// ways, one after another in one grid, and compares grid and deltas with the oracle: all
// of them with QUARRY_SOAK=1, else one in 1024. No symmetry is used: the turns of a world
// are worlds of their own, since sides, order and chunk borders are not the same in them.
func TestEveryThreeByThree(t *testing.T) {
	const side, total = 3, 10077696
	kinds := [6]Tile{
		{},
		{Shape: Full},
		{Shape: Ramp},
		{Shape: Ramp, Turn: 1},
		{Shape: Ramp, Turn: 2},
		{Shape: Ramp, Turn: 3},
	}
	g := New(nil)
	w, m := newWorld(g.Shapes()), mirror{}
	done := 0
	for k := range total {
		if !chosen(k, 1024) {
			continue
		}
		rest := k
		for i := range side * side {
			// The middle cell and those to its left and below it are in four chunks.
			c := Cell{X: int32(i%side) - 1, Y: int32(i/side) - 1}
			tile := kinds[rest%len(kinds)]
			rest /= len(kinds)
			if err := g.Set(c.X, c.Y, tile); err != nil {
				t.Fatal(err)
			}
			w.set(c, tile)
		}
		d := g.Resolve()
		m.take(t, &d)
		m.equals(t, g)
		w.check(t, g)
		done++
	}
	t.Logf("%d of %d", done, total)
}

// TestEveryPair lays every two shapes of the gallery beside each other in all their turns,
// the second at each of the four borders and four corners of the first. They lie amid a
// chunk, or each in the corner of its chunk; faces are cancelled or kept. All when
// soaking, else one in 256.
func TestEveryPair(t *testing.T) {
	shapes := gallery(t)
	n := shapes.Len() * turns
	done, k := 0, 0
	for _, keep := range []bool{false, true} {
		for _, first := range []Cell{{X: 5, Y: 6}, {X: 16, Y: 32}, {X: -1, Y: -17}} {
			g := New(shapes)
			w, m := newWorld(shapes), mirror{}
			if keep {
				if err := g.Preserve(0, 0); err != nil {
					t.Fatal(err)
				}
				w.preserve[[2]uint8{}] = true
			}
			put := func(c Cell, tile Tile) {
				if err := g.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
				w.set(c, tile)
			}
			resolve := func() {
				d := g.Resolve()
				m.take(t, &d)
				w.check(t, g)
			}
			for place := range 9 {
				second := Cell{X: first.X + int32(place%3) - 1, Y: first.Y + int32(place/3) - 1}
				if second == first {
					continue
				}
				for a := range n {
					put(first, Tile{Shape: ShapeID(1 + a/turns), Turn: Turn(a % turns), Material: 1})
					for b := range n {
						if k++; !chosen(k, 256) {
							continue
						}
						put(second, Tile{Shape: ShapeID(1 + b/turns), Turn: Turn(b % turns), Material: 2})
						resolve()
						done++
					}
				}
				put(second, Tile{})
				resolve()
			}
			m.equals(t, g)
		}
	}
	t.Logf("%d of %d", done, k)
}
