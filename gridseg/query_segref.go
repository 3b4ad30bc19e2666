package gridseg

import "math"

// farOut bounds the coordinates of points that surface queries accept, in cells: up to there a
// float64 resolves a thousandth of a lattice unit.
const farOut = 1 << 36

// segRef refers to a stored segment, for queries that compare many and return one. The zero value
// refers to none.
type segRef struct {
	c *chunk
	i int // index of the cell in c
	k int // index of the segment in the cell
}

func (p segRef) seg() *seg { return &p.c.segments(p.i)[p.k] }

func (p segRef) segment(g *reader) Segment {
	s := p.seg()
	return s.expand(p.c.cell(p.i), g.tileOf(p.c.resolvedTile(p.i), s.owner))
}

// before reports whether p comes before q by row, column and N. Every segRef comes before the zero
// value.
func (p segRef) before(q segRef) bool {
	if q.c == nil {
		return true
	}
	a, b := p.c.cell(p.i), q.c.cell(q.i)
	if a != b {
		return a.Y < b.Y || a.Y == b.Y && a.X < b.X
	}
	return p.seg().key() < q.seg().key()
}

// inCells returns a lattice coordinate in cells, exactly: coordinates of the world have 44 bits.
// The compiler may turn the division into a product and fuse it with a following difference; the
// outer conversion prevents that.
func inCells(x int64) float64 { return float64(float64(x) / Unit) }

// line is a segment in cells, with its ends relative to a point.
type line struct{ ax, ay, bx, by float64 }

// lineOf returns the stored segment s of the cell with origin o, relative to (x, y). A common end
// of two segments has the same coordinates in both.
func lineOf(o Point, s *seg, x, y float64) line {
	return line{
		inCells(o.X+int64(s.a.x())) - x, inCells(o.Y+int64(s.a.y())) - y,
		inCells(o.X+int64(s.b.x())) - x, inCells(o.Y+int64(s.b.y())) - y,
	}
}

// pointAt returns the point at fraction t of s, 0 to 1, in cells. It is exact at the ends, and
// exactly on the line of an axis-aligned segment.
func (s *Segment) pointAt(t float64) (x, y float64) {
	return inCells(s.A.X) + float64(t*inCells(s.B.X-s.A.X)), inCells(s.A.Y) + float64(t*inCells(s.B.Y-s.A.Y))
}

// cellOf returns the cell coordinate of x, |x| <= farOut, clamped to the range of int32.
func cellOf(x float64) int32 {
	return int32(max(-1<<31, min(1<<31-1, int64(math.Floor(x)))))
}

// chunkStart returns the lower end of the chunk coordinate c, in cells.
func chunkStart(c int32) float64 { return float64(int64(c) << chunkBits) }

// span returns the distance from x to the closed interval [lo, lo+size].
func span(x, lo, size float64) float64 { return max(lo-x, x-(lo+size), 0) }
