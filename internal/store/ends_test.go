package store_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/store"
)

// TestEnds: after any additions and removals of edges, the list of each node has the ends of its
// edges, the edge added last first.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 4
		var ends []store.Ends
		var at [][2]int // the nodes of each edge; -1: removed
		first := [nodes]int32{-1, -1, -1, -1}
		var want [nodes][]int32
		of := func(edge int32) *store.Ends { return &ends[edge] }
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			if len(at) == 0 || rapid.IntRange(0, 2).Draw(t, "add") > 0 {
				a := rapid.IntRange(0, nodes-1).Draw(t, "a")
				b := (a + rapid.IntRange(1, nodes-1).Draw(t, "b")) % nodes
				k := int32(len(ends))
				ends, at = append(ends, store.Ends{}), append(at, [2]int{a, b})
				for side, n := range at[k] {
					store.Link(of, &first[n], k, int32(side))
					want[n] = slices.Insert(want[n], 0, k<<1|int32(side))
				}
			} else if k := rapid.IntRange(0, len(at)-1).Draw(t, "remove"); at[k][0] >= 0 {
				for side, n := range at[k] {
					store.Unlink(of, &first[n], int32(k), int32(side))
					want[n] = slices.DeleteFunc(want[n], func(l int32) bool { return l>>1 == int32(k) })
				}
				at[k] = [2]int{-1, -1}
			}
			for n := range nodes {
				var got []int32
				for l := first[n]; l >= 0; l = ends[l>>1].Next(l & 1) {
					got = append(got, l)
				}
				if !slices.Equal(got, want[n]) {
					t.Fatalf("node %d: %v, not %v", n, got, want[n])
				}
			}
		}
	})
}
