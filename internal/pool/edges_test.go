package pool_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/pool"
)

// TestEdges: after any additions and removals of edges, the list of each node has the ends of its
// edges, the edge added last first.
func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 4
		var edges pool.Edges
		var values pool.Pool[int32] // the slot of each edge
		var gone []int32            // the slots of removed edges
		var at [][2]int             // the nodes of each edge; -1: removed
		first := [nodes]int32{-1, -1, -1, -1}
		var want [nodes][]int32
		for range rapid.IntRange(1, 40).Draw(t, "calls") {
			if len(at) == 0 || rapid.IntRange(0, 2).Draw(t, "add") > 0 {
				a := rapid.IntRange(0, nodes-1).Draw(t, "a")
				b := (a + rapid.IntRange(1, nodes-1).Draw(t, "b")) % nodes
				k, _, v := values.Add()
				*v = k
				at = append(at, [2]int{a, b})
				pool.Clear(&edges, &values, k)
				edges.Link(k, &first[a], &first[b])
				for side, n := range at[k] {
					want[n] = slices.Insert(want[n], 0, k<<1|int32(side))
				}
			} else if k := rapid.IntRange(0, len(at)-1).Draw(t, "remove"); at[k][0] >= 0 {
				edges.Unlink(int32(k), &first[at[k][0]], &first[at[k][1]])
				gone = append(gone, int32(k))
				for _, n := range at[k] {
					want[n] = slices.DeleteFunc(want[n], func(l int32) bool { return l>>1 == int32(k) })
				}
				at[k] = [2]int{-1, -1}
			}
			for n := range nodes {
				var got []int32
				for l, v := range pool.EdgesOf(edges, &values, first[n]) {
					if got = append(got, l); *v != l>>1 {
						t.Fatalf("end %d has the value of edge %d", l, *v)
					}
				}
				if !slices.Equal(got, want[n]) {
					t.Fatalf("node %d: %v, not %v", n, got, want[n])
				}
			}
			var next [][2]int32 // a saved list
			edges.SaveNext(&next)
			var left pool.Pool[int32]
			left.AppendAdded(nil, len(at))
			for _, k := range gone {
				left.Remove(k)
			}
			var slots pool.SavedSlots
			pool.SaveSlots(&slots, &left)
			loaded := slices.Clone(edges)
			loaded.LoadNext(next, &slots)
			for k := range at {
				if at[k][0] >= 0 && loaded[k] != edges[k] {
					t.Fatalf("edge %d is %v after LoadNext, not %v", k, loaded[k], edges[k])
				}
			}
		}
	})
}
