package broad

import (
	"testing"

	"pgregory.net/rapid"
)

// TestRank: other pairs have other ranks; pairs of a higher kind have higher ones, and among equals pairs of a higher
// slot of A.
func TestRank(t *testing.T) {
	draw := func(t *rapid.T, name string) (Owner, int32, [2]int64) {
		kind := rapid.SampledFrom([]Owner{Shape, Ground, Chain}).Draw(t, name)
		slot, b := rapid.Int32Range(0, 1<<30-1).Draw(t, name), rapid.Int32Range(-1<<30, 1<<30-1).Draw(t, name)
		return OwnerOf(kind, slot), b, [2]int64{
			map[Owner]int64{Shape: 0, Ground: 1, Chain: 2}[kind],
			int64(slot)<<32 + int64(b),
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		o, b, x := draw(t, "one")
		p, c, y := draw(t, "other")
		r, s := Rank(o, b), Rank(p, c)
		if less := x[0] < y[0] || x[0] == y[0] && x[1] < y[1]; less != (r < s) || (x == y) != (r == s) {
			t.Fatalf("%v, %v: %x, %x", x, y, r, s)
		}
	})
}
