package team

import (
	"sync/atomic"
	"testing"
)

// TestQueue: each item is done once, before the loop ends, and no two at a time, which the race detector sees in sum.
func TestQueue(t *testing.T) {
	processors(t, 4)
	team := New(4)
	defer team.Close()
	var q Queue[int]
	for range 200 {
		team.Begin()
		q.Reset()
		const n = 300
		sum, at := 0, atomic.Int32{}
		do := func(i int) {
			if at.Add(1) > 1 {
				t.Error("two items at a time")
			}
			sum += i
			at.Add(-1)
		}
		team.Each(n, 1, func(_, from, to int) {
			for i := from; i < to; i++ {
				q.Add(i, do)
			}
		})
		if team.End(); sum != n*(n-1)/2 {
			t.Fatalf("the items done add up to %d, not %d", sum, n*(n-1)/2)
		}
	}
}
