package store_test

import (
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/store"
)

// Clear grows the slice with zeros, and keeps the other elements.
func TestClear(t *testing.T) {
	s := []int{1, 2}
	store.Clear(&s, 3)
	store.Clear(&s, 0)
	if !slices.Equal(s, []int{0, 2, 0, 0}) {
		t.Errorf("%v", s)
	}
}
