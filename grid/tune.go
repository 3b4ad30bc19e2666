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
	// Least, Common and Most are quantiles of the boxes' extents (the larger of width and height):
	// 10%, 50% and 99% of the boxes are at most as large.
	Least, Common, Most float64
}

// tuneLoad is the number of objects that a cell should hold, counted by their centres and averaged
// over objects. Half or twice as many cost hardly more; see the curve in docs/grid.md.
const tuneLoad = 8

// Tune proposes a grid for boxes like the given ones, ignoring empty and infinite boxes. It never
// proposes a fixed grid, since boxes do not give the bounds of a world; if the bounds are known,
// use one where Tune proposes a chunked grid. Without boxes it proposes a chunked grid with cells
// of 1.
//
// Density matters more than size. Tune tries cell sizes from the small extents up and takes the
// largest in which the mean object shares its cell with about eight others at most, limited by the
// large extents and four times the common one. If the large boxes would still cover many such
// cells, it proposes a hierarchical grid; otherwise a chunked grid if the objects are dense enough
// to share chunks, and a hashed grid if not. It takes about as long as building that grid a few
// times.
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
	for range 64 { // a bound for any sizes
		if s > most || load(boxes, s) > tuneLoad {
			break
		}
		p.CellSize = s
		s *= math.Sqrt2
	}
	if p.Most <= 8*p.Least {
		// Cells smaller than the boxes cannot separate them.
		p.CellSize = max(p.CellSize, p.Common)
	}
	if p.Most > 4*p.CellSize {
		p.Kind = Hierarchical
		return p
	}
	g := NewChunked(p.CellSize)
	for _, b := range boxes {
		// Ignore boxes out of range.
		_, _ = g.Add(b, 0)
	}
	// A chunk takes 2 KiB, as much as 64 entries of a half full table.
	if s := g.Stats(); s.Cells < 64*s.Chunks {
		p.Kind = Hashed
	}
	return p
}

// load returns the number of boxes with their centre in a cell of the given size, averaged over
// boxes.
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
