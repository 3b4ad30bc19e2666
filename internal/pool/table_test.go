package pool_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/pool"
)

// A table equals a map after any calls. Few different keys make long runs of entries; keys of pairs
// of slots are spaced as in a world.
func TestTableEqualsMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var table pool.Table
		want := map[uint64]int32{}
		most := rapid.SampledFrom([]uint64{8, 40, 1000}).Draw(t, "keys")
		shift := rapid.SampledFrom([]int{0, 32, 50}).Draw(t, "shift")
		for k := range int32(rapid.IntRange(0, 400).Draw(t, "calls")) {
			key := (1 + rapid.Uint64Range(0, most).Draw(t, "key")) << shift
			if rapid.Bool().Draw(t, "put") {
				table.Put(key, k)
				want[key] = k
			} else {
				table.Delete(key)
				delete(want, key)
			}
			if table.Len() != len(want) {
				t.Fatalf("Len %d, want %d", table.Len(), len(want))
			}
		}
		for key := range most + 2 {
			got, ok := table.Get(key << shift)
			if value, found := want[key<<shift]; ok != found || ok && got != value {
				t.Fatalf("Get(%d) = %d, %v, want %d, %v", key<<shift, got, ok, value, found)
			}
		}
	})
}

// The pairs of a lattice of shapes: found, then replaced one by one. The map beside it is Go's.
func BenchmarkTable(b *testing.B) {
	const n = 100_000
	key := func(i int) uint64 { return uint64(i/5)<<32 | uint64(i/5+i%5*300+1) }
	b.Run("Table", func(b *testing.B) {
		b.ReportAllocs()
		var t pool.Table
		for i := range n {
			t.Put(key(i), int32(i))
		}
		i, sum := 0, 0
		for b.Loop() {
			v, _ := t.Get(key(i*7919%n + 1))
			t.Delete(key(i % n))
			t.Put(key(i%n), v)
			sum += int(v)
			i++
		}
	})
	b.Run("map", func(b *testing.B) {
		b.ReportAllocs()
		t := map[uint64]int32{}
		for i := range n {
			t[key(i)] = int32(i)
		}
		i, sum := 0, 0
		for b.Loop() {
			v := t[key(i*7919%n+1)]
			delete(t, key(i%n))
			t[key(i%n)] = v
			sum += int(v)
			i++
		}
	})
}
