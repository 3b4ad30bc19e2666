package grid

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// subBits is log2 of the resolution of a box within a cell: 64ths.
const subBits = 6

// maxCell is half the width of a region: its cells are from -maxCell to maxCell-1, and no object of
// it reaches more than maxCell/2 beyond. So the coordinates of a qbox stay below 2^30, and the
// difference of any two fits in an int32.
const maxCell = 1 << (regionBits - 1)

// span is a range of cells, chunks or blocks, closed on all sides; empty if x1 < x0 or y1 < y0.
type span struct{ x0, y0, x1, y1 int32 }

// noSpan is the empty range, the identity of grow.
var noSpan = span{math.MaxInt32, math.MaxInt32, math.MinInt32, math.MinInt32}

func (s span) has(x, y int32) bool { return s.x0 <= x && x <= s.x1 && s.y0 <= y && y <= s.y1 }

func (s span) grow(x, y int32) span {
	return span{min(s.x0, x), min(s.y0, y), max(s.x1, x), max(s.y1, y)}
}

func (s span) intersect(t span) span {
	return span{max(s.x0, t.x0), max(s.y0, t.y0), min(s.x1, t.x1), min(s.y1, t.y1)}
}

func (s span) empty() bool { return s.x0 > s.x1 || s.y0 > s.y1 }

// size returns the number of squares of s, which must not be empty.
func (s span) size() int64 {
	return (int64(s.x1) - int64(s.x0) + 1) * (int64(s.y1) - int64(s.y0) + 1)
}

// coarser returns the smallest range of squares 2^by times as large that contains s.
func (s span) coarser(by uint8) span {
	return span{s.x0 >> by, s.y0 >> by, s.x1 >> by, s.y1 >> by}
}

// qbox is a quantised box: 16 bytes, in 64ths of the cells of its level and the coordinates of its
// region, each side rounded down. It gives the cells of the box and nearly always decides whether
// two boxes are disjoint. Rounding down is monotone, so boxes that share a point have qboxes that
// overlap.
type qbox struct{ x0, y0, x1, y1 int32 }

// cells returns the cells that the qbox is in.
func (q qbox) cells() span {
	return span{q.x0 >> subBits, q.y0 >> subBits, q.x1 >> subBits, q.y1 >> subBits}
}

// overlaps reports whether the qboxes share a point, without a branch. Coordinates must differ by
// less than 2^31.
func (q *qbox) overlaps(r *qbox) bool {
	return (q.x1-r.x0)|(r.x1-q.x0)|(q.y1-r.y0)|(r.y1-q.y0) >= 0
}

// certainlyOverlaps reports whether the boxes of two overlapping qboxes overlap for certain: where
// 64ths differ, coordinates differ in the same order. If it returns false, the boxes decide.
func (q *qbox) certainlyOverlaps(r *qbox) bool {
	return (q.x1-r.x0-1)|(r.x1-q.x0-1)|(q.y1-r.y0-1)|(r.y1-q.y0-1) >= 0
}

// sameCells reports whether the qboxes are in the same cells.
func (q *qbox) sameCells(r *qbox) bool {
	return ((q.x0^r.x0)|(q.y0^r.y0)|(q.x1^r.x1)|(q.y1^r.y1))>>subBits == 0
}

// fineBox is a box in 64ths of the finest cells, up to Limit and slightly beyond. The qboxes of all
// levels are computed from it by shifts, so that all agree on the side of a grid line that a
// coordinate is on, down to the smallest denormals (which a product with a small 1/side would turn
// into zero).
type fineBox struct{ x0, y0, x1, y1 int64 }

// clampedFineBox returns the fine box of b, which may be infinite, but not NaN.
func (g *Grid) clampedFineBox(b geom.AABB) fineBox {
	return fineBox{
		floor64(b.Min.X * g.scale), floor64(b.Min.Y * g.scale),
		floor64(b.Max.X * g.scale), floor64(b.Max.Y * g.scale),
	}
}

// fineBoxOf is clampedFineBox for a box in the grid, within Limit.
func (g *Grid) fineBoxOf(b *geom.AABB) fineBox {
	return fineBox{
		int64(math.Floor(b.Min.X * g.scale)), int64(math.Floor(b.Min.Y * g.scale)),
		int64(math.Floor(b.Max.X * g.scale)), int64(math.Floor(b.Max.Y * g.scale)),
	}
}

// floor64 returns floor(x), clamped to twice Limit so that the conversion is defined; NaN gives the
// minimum value. (Comparisons, here and in the walk, because min and max of floats, which respect NaN
// and the sign of zero, take several times as long.)
func floor64(x float64) int64 {
	const most = 2 * Limit << subBits
	if x > most {
		return most
	}
	if x >= -most {
		return int64(math.Floor(x))
	}
	return -most // or NaN
}

// qboxOf returns f in the coordinates of the region, for an object of the region.
func (r *region) qboxOf(f fineBox) qbox {
	return qbox{int32(f.x0>>r.at - r.x), int32(f.y0>>r.at - r.y), int32(f.x1>>r.at - r.x), int32(f.y1>>r.at - r.y)}
}

// clampedQBox returns f in the coordinates of the region, clamped to slightly more than the range
// of its objects.
func (r *region) clampedQBox(f fineBox) qbox {
	const most = (2*maxCell - 1) << subBits
	x0, y0, x1, y1 := f.x0>>r.at-r.x, f.y0>>r.at-r.y, f.x1>>r.at-r.x, f.y1>>r.at-r.y
	return qbox{
		int32(max(-most, min(most, x0))), int32(max(-most, min(most, y0))),
		int32(max(-most, min(most, x1))), int32(max(-most, min(most, y1))),
	}
}
