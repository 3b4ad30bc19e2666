package gridseg

import "math"

// farOut bounds the points that queries of the surface take, in cells on either
// axis: up to there a float64 still tells a thousandth of a lattice unit.
const farOut = 1 << 36

// segRef says where a stored segment rests, for queries that look at many and return
// one. The zero value is none.
type segRef struct {
	c *chunk
	i int // cell
	k int // of the cell's segments
}

func (p segRef) seg() *seg { return &p.c.segments(p.i)[p.k] }

func (p segRef) segment(g *Grid) Segment {
	s := p.seg()
	return s.expand(p.c.cell(p.i), g.tileOf(p.c.resolvedTile(p.i), s.owner))
}

// before reports whether p comes before q by row, column and N; anything does before
// none.
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

// inCells returns a lattice coordinate in cells: exactly, as those of the world have
// 44 bits. To the compiler the division is a product, which it would fuse with a
// difference that follows; the outer conversion stops it.
func inCells(x int64) float64 { return float64(float64(x) / Unit) }

// line is a segment in cells, with its ends relative to a point.
type line struct{ ax, ay, bx, by float64 }

// lineOf returns the stored segment s of the cell at o as seen from (x, y). What two
// segments have as an end in common is seen at the same place by both.
func lineOf(o Point, s *seg, x, y float64) line {
	return line{
		inCells(o.X+int64(s.a.x())) - x, inCells(o.Y+int64(s.a.y())) - y,
		inCells(o.X+int64(s.b.x())) - x, inCells(o.Y+int64(s.b.y())) - y,
	}
}

// along returns the point at fraction t of s, 0 to 1, in cells: exactly
// for an end, and on the line for one along an axis.
func (s *Segment) pointAt(t float64) (x, y float64) {
	return inCells(s.A.X) + float64(t*inCells(s.B.X-s.A.X)), inCells(s.A.Y) + float64(t*inCells(s.B.Y-s.A.Y))
}

// cellOf returns the cell of a coordinate of no more than farOut, or the nearest that
// there is.
func cellOf(x float64) int32 {
	return int32(max(-1<<31, min(1<<31-1, int64(math.Floor(x)))))
}

// chunkStart returns the lower end of a chunk's coordinate, in cells.
func chunkStart(c int32) float64 { return float64(int64(c) << chunkBits) }

// span is the distance from x to the closed interval of a given size at lo.
func span(x, lo, size float64) float64 { return max(lo-x, x-(lo+size), 0) }
