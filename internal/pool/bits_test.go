package pool_test

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/pool"
)

// Bits equals a map of slots, and yields them in order, whole and part by part.
func TestBitsEqualsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b pool.Bits
		want := map[int32]bool{}
		for range rapid.IntRange(0, 200).Draw(t, "calls") {
			i := rapid.Int32Range(0, 300).Draw(t, "slot")
			if rapid.Bool().Draw(t, "add") {
				b.Add(i)
				want[i] = true
			} else {
				b.Remove(i)
				delete(want, i)
			}
		}
		if got := slices.Collect(b.All()); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("All %v, want %v", got, want)
		}
		if b.Count() != len(want) {
			t.Fatalf("Count %d, want %d", b.Count(), len(want))
		}
		var parts []int32
		for from := 0; from < len(b); {
			to := rapid.IntRange(from+1, len(b)).Draw(t, "to")
			parts = slices.AppendSeq(parts, b.Within(from, to))
			from = to
		}
		if !slices.Equal(parts, slices.Collect(b.All())) {
			t.Fatalf("Within, part by part, %v, want %v", parts, want)
		}
	})
}
