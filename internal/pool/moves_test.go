package pool

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMoves: after moves, the listed values lie in their slots in the order of their keys, the others where they were;
// and the lists of edges of each node have the same edges in the same order, under their new slots.
func TestMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const nodes = 6
		var m Moves
		var edges Edges
		var pool Pool[int] // the values of edges are their keys
		var at [][2]int    // nodes, by key
		var first [nodes]int32
		for i := range first {
			first[i] = -1
		}
		lists := func() (lists [nodes][]int) {
			for n := range first {
				for l, v := range EdgesOf(edges, &pool, first[n]) {
					if at[*v][l&1] != n {
						t.Fatalf("node %d lists %d of %v", n, *v, at[*v])
					}
					lists[n] = append(lists[n], *v)
				}
			}
			return lists
		}
		node := rapid.IntRange(0, nodes-1)
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			for range rapid.IntRange(0, 12).Draw(t, "added") {
				i, _, v := pool.Add()
				Clear(&edges, &pool, i)
				*v = len(at)
				at = append(at, [2]int{node.Draw(t, "a"), node.Draw(t, "b")})
				edges.Link(i, &first[at[*v][0]], &first[at[*v][1]])
			}
			m.Begin(pool.Slots())
			var slots, keys, want []int32
			for i, v := range pool.All() {
				if rapid.Bool().Draw(t, "listed") {
					key := int32(*v * 7 % 31) // scattered; below 31 values other for each
					m.Add(i, uint64(key)<<8|uint64(*v))
					slots, keys = append(slots, i), append(keys, key<<8|int32(*v))
				}
				want = append(want, int32(*v))
			}
			before := lists()
			slices.Sort(keys)
			for k, i := range slots {
				want[i] = keys[k] & 255
			}
			m.Sort()
			edges.Move(&m, func(i int32) (a, b *int32) {
				n := at[*pool.At(i)]
				return &first[n[0]], &first[n[1]]
			})
			pool.Move(&m)
			for i, v := range pool.All() {
				if want[i] != int32(*v) {
					t.Fatalf("slot %d has %d, not %d", i, *v, want[i])
				}
			}
			if after := lists(); !slices.EqualFunc(after[:], before[:], slices.Equal[[]int]) {
				t.Fatalf("lists %v, before %v", after, before)
			}
		}
	})
}

// TestManyMoves: values that are sorted by radix lie in the order of their keys, whichever bits of these differ.
func TestManyMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m Moves
		for range 2 { // the memory is used again
			mask := rapid.Uint64().Draw(t, "mask") | 1<<50 - 1<<38
			var keys []uint64
			for k := range uint64(700) {
				keys = append(keys, k*0x9e3779b97f4a7c15&mask&^(1023<<38)|(k*7%1024)<<38)
			}
			m.Begin(int32(len(keys)))
			for i, k := range keys {
				m.Add(int32(i), k)
			}
			m.Sort()
			Move(keys, &m)
			if !slices.IsSorted(keys) {
				t.Fatalf("keys with the bits %x are not sorted", mask)
			}
		}
	})
}
