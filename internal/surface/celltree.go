package surface

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// cellTree finds the segments of a list that a line passes, at the cost of the cells along
// the line. It holds the cells of the segments in Z-order: the cells whose codes agree in
// the highest bits are one range in that order, and lie in one aligned square whose side is
// a power of two. So the order alone is a quadtree, and one sort builds it.
type cellTree struct {
	cells []codedCell
}

// codedCell is a cell that has segments.
type codedCell struct {
	code     uint64     // the interleaved bits of y and x; see zOrder
	segments indexRange // in the list
}

// zOrder returns the Z-order code of the cell c.
func zOrder(c gridseg.Cell) uint64 {
	return spread(offset(c.X)) | spread(offset(c.Y))<<1
}

// offset returns x counted from the smallest int32.
func offset(x int32) uint64 { return uint64(int64(x) - math.MinInt32) }

// spread puts a zero before each of the lower 32 bits of x.
func spread(x uint64) uint64 {
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// build makes t the tree of the segments, which are sorted by cell.
func (t *cellTree) build(segments []gridseg.Segment) {
	t.cells = t.cells[:0]
	for i := 0; i < len(segments); {
		cell, from := segments[i].ID.Cell, i
		for i < len(segments) && segments[i].ID.Cell == cell {
			i++
		}
		t.cells = append(t.cells, codedCell{zOrder(cell), indexRange{from, i}})
	}
	slices.SortFunc(t.cells, func(a, b codedCell) int { return cmp.Compare(a.code, b.code) })
}

// sightLine is the straight line from c to c+d, in cells, relative to origin.
type sightLine struct {
	c, d, origin geom.Vec
	looks        int // squares and segments that were compared with it
}

// occludes reports whether the line l meets the front of one of the segments that t was
// built of, in the cells from number i up to number j.
func (t *cellTree) occludes(segments []gridseg.Segment, i, j int, l *sightLine) bool {
	if i == j {
		return false
	}
	cell := segments[t.cells[i].segments.From].ID.Cell
	l.looks++
	differ := bits.Len64(t.cells[i].code ^ t.cells[j-1].code)
	if !l.passes(cell, (differ+1)/2) {
		return false
	}
	if differ == 0 {
		s := t.cells[i].segments
		l.looks += s.To - s.From
		for k := s.From; k < s.To; k++ {
			if occludes(&segments[k], l.c, l.d, l.origin) {
				return true
			}
		}
		return false
	}
	// The highest differing bit halves the square, and the range.
	low, high := i, j-1
	for low+1 < high {
		if mid := (low + high) / 2; t.cells[mid].code>>(differ-1)&1 == 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return t.occludes(segments, i, high, l) || t.occludes(segments, high, j, l)
}

// passes reports whether l comes within SightMargin of the square of 1<<level cells a side
// that holds the given cell.
func (l *sightLine) passes(cell gridseg.Cell, level int) bool {
	half := float64(0.5 * float64(int64(1)<<level))
	// From the line's middle to the square's.
	middle := func(x int32) float64 {
		return float64(int64(offset(x)>>level<<level)+math.MinInt32) + half
	}
	to := geom.Vec{X: middle(cell.X), Y: middle(cell.Y)}.Sub(l.origin).Sub(l.c).MulAdd(-0.5, l.d)
	half += SightMargin
	dx, dy := math.Abs(l.d.X), math.Abs(l.d.Y)
	return math.Abs(to.X) <= half+float64(0.5*dx) && math.Abs(to.Y) <= half+float64(0.5*dy) &&
		math.Abs(l.d.Cross(to)) <= float64(half*(dx+dy))
}
