package contact

import (
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/pool"
)

// TestOrderSorts: the order is as by a sort of the contacts in both sets, after any earlier steps; slots are taken
// again by contacts with other keys, of which the order is told. It tells when it has changed.
func TestOrderSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o Order
		var active, touching pool.Bits
		keyOf := map[int32]uint64{}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "reset") == 0 {
				o.Reset()
			}
			for range rapid.IntRange(0, 30).Draw(t, "changes") {
				slot := rapid.Int32Range(0, 200).Draw(t, "slot")
				switch rapid.IntRange(0, 5).Draw(t, "change") {
				case 0:
					active.Add(slot)
				case 1:
					active.Remove(slot)
				case 2:
					touching.Remove(slot)
				case 3:
					o.Remove(slot)
					delete(keyOf, slot)
					active.Remove(slot)
					touching.Remove(slot)
				default:
					if _, has := keyOf[slot]; !has {
						key := rapid.Uint64Range(0, 1000).Draw(t, "key")
						if slices.Contains(slices.Collect(maps.Values(keyOf)), key) {
							continue
						}
						keyOf[slot] = key
					}
					active.Add(slot)
					touching.Add(slot)
				}
			}
			var want []int32
			for i := range keyOf {
				if active.Has(i) && touching.Has(i) {
					want = append(want, i)
				}
			}
			slices.SortFunc(want, func(i, j int32) int { return int(keyOf[i]) - int(keyOf[j]) })
			for i := range active.All() {
				if _, has := keyOf[i]; !has {
					active.Remove(i)
				}
			}
			before := slices.Clone(o.Pairs())
			for _, i := range o.Begin(active, touching) {
				o.Add(keyOf[i], Pair{Contact: i, A: int32(keyOf[i])})
			}
			changed := o.Sort()
			var got []int32
			for _, p := range o.Pairs() {
				if got = append(got, p.Contact); uint64(p.A) != keyOf[p.Contact] {
					t.Fatalf("%v is not the pair of %d", p, keyOf[p.Contact])
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("got %v, want %v", got, want)
			}
			if !changed && !slices.Equal(o.Pairs(), before) {
				t.Fatalf("changed without telling: %v to %v", before, o.Pairs())
			}
		}
	})
}

// TestOrderMoves: contacts that have been moved are not scattered, and keep their order.
func TestOrderMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var o Order
		var all pool.Bits
		var moves pool.Moves
		keys := rapid.Permutation(slices.Collect(func(yield func(uint64) bool) {
			for k := range uint64(300) {
				if !yield(k) {
					return
				}
			}
		})).Draw(t, "keys")
		for i := range keys {
			all.Add(int32(i))
		}
		moves.Begin(300)
		for _, i := range o.Begin(all, all) {
			o.Add(keys[i], Pair{Contact: i})
			moves.Add(i, keys[i])
		}
		o.Sort()
		moves.Sort()
		o.Move(&moves)
		ascending := slices.IsSortedFunc(o.Pairs(), func(a, b Pair) int { return int(a.Contact - b.Contact) })
		if o.Scattered() || !ascending || len(o.Begin(all, all)) > 0 || o.Sort() {
			t.Fatalf("moved to %v", o.Pairs())
		}
	})
}
