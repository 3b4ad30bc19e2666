package grid

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Plan is a proposal for a grid.
type Plan struct {
	Kind     Kind
	CellSize float64
	// Least, Common and Most are what it goes by: the extents (the larger of
	// width and height) that a tenth, a half, and all but a hundredth of the
	// boxes are below.
	Least, Common, Most float64
}

// Tune proposes a grid for boxes like those given, empty and infinite ones left
// aside: hierarchical if their extents are spread over more than a factor of 8;
// else chunked if they lie dense enough to share chunks, and hashed if not. It
// never proposes a fixed grid, since boxes do not tell the bounds of a world; who
// knows them can take one where it proposes a chunked one.
//
// The cells are twice as large as the common extent, which is on the flat part of
// the curve in docs/grid.md; those of a hierarchical grid as large as the small
// ones. Without boxes it is a chunked grid of cells of 1.
func Tune(boxes []geom.AABB) Plan {
	extents := make([]float64, 0, len(boxes))
	for _, b := range boxes {
		if b.IsFinite() && !b.IsEmpty() {
			if s := b.Size(); s.X > 0 || s.Y > 0 {
				extents = append(extents, max(s.X, s.Y))
			}
		}
	}
	if len(extents) == 0 {
		return Plan{Kind: Chunked, CellSize: 1}
	}
	slices.Sort(extents)
	n := len(extents) - 1
	p := Plan{Kind: Chunked, Least: extents[n/10], Common: extents[n/2], Most: extents[n-n/100]}
	held := func(x float64) float64 { return max(MinCellSize, min(MaxCellSize, x)) }
	if p.Most > 8*p.Least {
		p.Kind, p.CellSize = Hierarchical, held(p.Least)
		return p
	}
	p.CellSize = held(2 * p.Common)
	g := NewChunked(p.CellSize)
	for _, b := range boxes {
		// A box out of range counts for nothing.
		_, _ = g.Add(b, 0)
	}
	// A chunk is 2 KiB, 64 slots of a half full table.
	if s := g.Stats(); s.Cells < 64*s.Chunks {
		p.Kind = Hashed
	}
	return p
}
