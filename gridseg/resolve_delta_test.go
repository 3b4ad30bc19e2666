package gridseg

import (
	"reflect"
	"runtime"
	"slices"
	"testing"
)

// counts returns the lengths of the lists of d.
func counts(d Delta) (added, removed, relinked int) {
	return len(d.added), len(d.removed), len(d.relinked)
}

func addedOf(d Delta) []Segment    { return slices.Collect(d.Added()) }
func removedOf(d Delta) []Segment  { return slices.Collect(d.Removed()) }
func relinkedOf(d Delta) []Segment { return slices.Collect(d.Relinked()) }

// count returns how many segments were added.
func count(d Delta) int {
	n, _, _ := counts(d)
	return n
}

// TestRemovedHasRoom: a Resolve that empties a field takes room for the segments that go once. (The
// list grew as they were found, which took five times its memory, and longer than all the rest.)
func TestRemovedHasRoom(t *testing.T) {
	g := New(nil)
	fillRamps(t, g, 100)
	g.Resolve()
	for y := range int32(100) {
		for x := range int32(100) {
			if err := g.Clear(x, y); err != nil {
				t.Fatal(err)
			}
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d := g.Resolve()
	runtime.ReadMemStats(&after)
	_, removed, _ := counts(d)
	if removed < 10_000 {
		t.Fatalf("%d segments removed", removed)
	}
	each := int(reflect.TypeFor[removedSegment]().Size())
	if took := int(after.TotalAlloc - before.TotalAlloc); took > removed*each*3/2 {
		t.Errorf("%d bytes allocated for %d removed segments of %d", took, removed, each)
	}
}
