package pool_test

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/pool"
)

// Clear grows the slice with zeros and with the room of the pool, and keeps the other elements.
func TestClear(t *testing.T) {
	s := []int{1, 2}
	var p pool.Pool[bool]
	p.Reserve(100)
	pool.Clear(&s, &p, 3)
	pool.Clear(&s, &p, 0)
	if !slices.Equal(s, []int{0, 2, 0, 0}) {
		t.Errorf("%v", s)
	}
	if cap(s) < 100 {
		t.Errorf("room for %d elements beside a pool of 100", cap(s))
	}
}
