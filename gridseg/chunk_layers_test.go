package gridseg

import (
	"slices"
	"testing"
)

// TestAppendPreserved: each pair once, the lower layer first, in order.
func TestAppendPreserved(t *testing.T) {
	g := New(nil)
	if got := g.AppendPreserved(nil); got != nil {
		t.Errorf("of none: %v", got)
	}
	for _, p := range [][2]uint8{{7, 3}, {3, 7}, {255, 255}, {0, 200}} {
		if err := g.Preserve(p[0], p[1]); err != nil {
			t.Fatal(err)
		}
	}
	want := [][2]uint8{{9, 9}, {0, 200}, {3, 7}, {255, 255}}
	if got := g.AppendPreserved(want[:1]); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
