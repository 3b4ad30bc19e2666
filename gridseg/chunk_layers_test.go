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

// TestPreserveIsNotShared: parts that are taken out of a grid share its table of preserved layers, and Preserve on one
// of them, or on the grid, changes no other grid.
func TestPreserveIsNotShared(t *testing.T) {
	g := New(nil)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(g.Preserve(0, 1))
	must(g.Set(0, 0, Tile{Shape: Full}))
	g.Resolve()
	p := g.Parts()
	n := p.Extract(p.Append(nil))[0]
	g.Resolve()
	must(g.Preserve(2, 3)) // it is empty now
	must(n.Set(0, 0, Tile{}))
	n.Resolve()
	must(n.Preserve(4, 5))
	for _, c := range []struct {
		g    *Grid
		want [][2]uint8
	}{{g, [][2]uint8{{0, 1}, {2, 3}}}, {n, [][2]uint8{{0, 1}, {4, 5}}}} {
		if got := c.g.AppendPreserved(nil); !slices.Equal(got, c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}
