package team

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestLists: the items come in the order of the ranges, and in a range in that in which they were added, whichever
// worker had it.
func TestLists(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Lists[int]
		for range 2 { // the memory is used again
			workers, grain := rapid.IntRange(1, 4).Draw(t, "workers"), rapid.IntRange(1, 5).Draw(t, "grain")
			add := rapid.SliceOfN(rapid.IntRange(0, 2), 0, 20).Draw(t, "items of each")
			l.Reset(workers, len(add), grain)
			var want []int
			for i, n := range add {
				for k := range n {
					want = append(want, 10*i+k)
				}
			}
			var ranges []int
			for from := 0; from < len(add); from += grain {
				ranges = append(ranges, from)
			}
			if len(ranges) > 0 {
				ranges = rapid.Permutation(ranges).Draw(t, "order")
			}
			for _, from := range ranges {
				worker := rapid.IntRange(0, workers-1).Draw(t, "worker")
				if rapid.IntRange(0, 9).Draw(t, "left out") == 0 {
					want = slices.DeleteFunc(want, func(x int) bool { return x/10 >= from && x/10 < from+grain })
					continue
				}
				for i := from; i < min(from+grain, len(add)); i++ {
					for k := range add[i] {
						*l.Add(worker, from/grain) += 10*i + k
					}
				}
			}
			if got := l.Join(); !slices.Equal(got, want) {
				t.Fatalf("%v, not %v", got, want)
			}
		}
	})
}
