package grid

import (
	"math"
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

// tuneLoad is how many objects a cell should hold, counted by their middles, as an
// object that is in it sees it. Half of it and twice it cost hardly more; see the
// curve in docs/grid.md.
const tuneLoad = 8

// Tune proposes a grid for boxes like those given, empty and infinite ones left
// aside. It never proposes a fixed grid, since boxes do not tell the bounds of a world;
// who knows them can take one where it proposes a chunked one. Without boxes it
// is a chunked grid of cells of 1.
//
// How close things are says more than how large they are: it tries cells from the
// small extents up and takes the largest in which an object sees about eight others
// at most, if they are not larger than the large extents and four times the common one.
// Where the large ones would still cover many such cells, it proposes a hierarchical
// grid; else a chunked one if the objects lie dense enough to share chunks, and a
// hashed one if not. It takes about as long as building that grid a few times.
func Tune(boxes []geom.AABB) Plan {
	extents := make([]float64, 0, len(boxes))
	far := 0.0 // the largest coordinate
	for _, b := range boxes {
		if b.IsFinite() && !b.IsEmpty() {
			if s := b.Size(); s.X <= MaxCellSize && s.Y <= MaxCellSize && max(s.X, s.Y) >= MinCellSize {
				extents = append(extents, max(s.X, s.Y))
				far = max(far, math.Abs(b.Min.X), math.Abs(b.Min.Y), math.Abs(b.Max.X), math.Abs(b.Max.Y))
			}
		}
	}
	if len(extents) == 0 {
		return Plan{Kind: Chunked, CellSize: 1}
	}
	slices.Sort(extents)
	n := len(extents) - 1
	p := Plan{Kind: Chunked, Least: extents[n/10], Common: extents[n/2], Most: extents[n-n/100]}
	// Smaller cells would put boxes beyond Limit.
	least := min(max(p.Least, far/(Limit/2)), MaxCellSize)
	p.CellSize = least
	most := min(max(p.Most, 4*p.Common), MaxCellSize)
	s := least
	for range 64 { // no more, whatever the sizes
		if s > most || load(boxes, s) > tuneLoad {
			break
		}
		p.CellSize = s
		s *= math.Sqrt2
	}
	if p.Most <= 8*p.Least {
		// They cannot be told apart by cells smaller than they are.
		p.CellSize = max(p.CellSize, p.Common)
	}
	if p.Most > 4*p.CellSize {
		p.Kind = Hierarchical
		return p
	}
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

// load returns how many boxes have their middles in a cell, of cells of a size, as
// the mean box sees it.
func load(boxes []geom.AABB, size float64) float64 {
	g := NewHashed(size)
	n, squares := 0.0, 0.0
	for _, b := range boxes {
		if b.IsEmpty() || !b.IsFinite() {
			continue
		}
		c := b.Center()
		f := g.clampedFineBox(geom.AABB{Min: c, Max: c})
		r := g.levels[0].open(f)
		k := r.clampedQBox(f).cells()
		s := r.cells.insert(squareKey(k.x0, k.y0))
		n++
		squares += float64(2*s.val + 1) // (k+1)^2 - k^2
		s.val++
	}
	return squares / max(1, n)
}
