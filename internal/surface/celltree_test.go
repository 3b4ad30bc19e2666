package surface

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// TestCellTree holds the search for segments on a line of sight against a test of each
// segment, near the origin and in the corners of the lattice.
func TestCellTree(t *testing.T) {
	met, clear := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 8))
		g := gridseg.New(nil)
		side := int32(1) << (3 + r.IntN(12))
		x0, y0 := r.Int32N(side)-side/2, r.Int32N(side)-side/2
		switch seed % 5 {
		case 0:
			x0, y0 = math.MinInt32+2, math.MinInt32+2
		case 1:
			x0, y0 = math.MaxInt32-2-side, math.MinInt32+2
		}
		for range 1 + r.IntN(300) {
			tile := gridseg.Tile{Shape: gridseg.Full}
			if r.IntN(2) == 0 {
				tile = gridseg.Tile{Shape: gridseg.Ramp, Turn: gridseg.Turn(r.IntN(8))}
			}
			_ = g.Set(x0+r.Int32N(side), y0+r.Int32N(side), tile)
		}
		g.Resolve()
		segments := g.AppendSegments(nil, gridseg.Rect{
			MinX: math.MinInt32, MinY: math.MinInt32, MaxX: math.MaxInt32,
			MaxY: math.MaxInt32,
		})
		var tree cellTree
		tree.build(segments)
		at := func() geom.Vec {
			if r.IntN(3) == 0 { // a corner of the ground
				return Local(segments[r.IntN(len(segments))].A, geom.Vec{})
			}
			s := float64(side)
			return geom.V(float64(x0)+s*(1.5*r.Float64()-0.25), float64(y0)+s*(1.5*r.Float64()-0.25))
		}
		for range 100 {
			origin, from, to := at(), at(), at()
			if r.IntN(4) == 0 {
				to.X = from.X
			}
			l := sightLine{c: from.Sub(origin), d: to.Sub(from), origin: origin}
			want := slices.ContainsFunc(segments, func(s gridseg.Segment) bool {
				return occludes(&s, l.c, l.d, l.origin)
			})
			if got := tree.occludes(segments, 0, len(tree.cells), &l); got != want {
				t.Fatalf("world %d: sight from %v to %v is blocked: %v, want %v", seed, from, to, got, want)
			}
			if want {
				met++
			} else {
				clear++
			}
		}
	}
	if met < 3000 || clear < 3000 {
		t.Errorf("%d lines blocked, %d clear", met, clear)
	}
}
