package gridseg

import (
	"math/rand/v2"
	"testing"
)

// TestTable compares the table with a map, in a range of keys so narrow that runs of
// collisions come and go.
func TestTable(t *testing.T) {
	var tab table
	want := map[[2]int32]*chunk{}
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		key := [2]int32{r.Int32N(24) - 12, r.Int32N(24) - 12}
		c := tab.find(key[0], key[1])
		if c != want[key] {
			t.Fatalf("%v: found %p, want %p", key, c, want[key])
		}
		if c == nil && r.IntN(2) == 0 {
			c = &chunk{cx: key[0], cy: key[1]}
			tab.insert(c)
			want[key] = c
		} else if c != nil {
			tab.remove(c)
			delete(want, key)
		}
		if tab.n != len(want) {
			t.Fatalf("%d entries, want %d", tab.n, len(want))
		}
	}
	for key, c := range want {
		if tab.find(key[0], key[1]) != c {
			t.Fatalf("lost %v", key)
		}
	}
}
