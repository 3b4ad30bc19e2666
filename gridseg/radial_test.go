package gridseg

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestRadialMatchOfGrid is the grid's own linking, done again from outside.
func TestRadialMatchOfGrid(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g := New(shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		for k := range int32(16) {
			if err := g.Set(o.X+k&3, o.Y+k>>2, anyTile(shapes).Draw(t, "tile")); err != nil {
				t.Fatal(err)
			}
		}
		g.Resolve()
		segs := g.AppendSegments(nil, everywhere)
		edges := make([]lattice.Edge, len(segs))
		for i, s := range segs {
			edges[i] = lattice.Edge{A: s.A, B: s.B}
		}
		prev, next, err := lattice.RadialMatch(edges)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range segs {
			if segs[prev[i]].ID != s.Prev || segs[next[i]].ID != s.Next || next[prev[i]] != i || prev[next[i]] != i {
				t.Fatalf("%+v\nprev %+v\nnext %+v", s, segs[prev[i]], segs[next[i]])
			}
		}
	})
}
