package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// SegmentID identifies a segment by its cell and its ends alone: no two segments of a cell have the
// same start and end, and a segment that stays in its place keeps its id, even if its tile
// changes.
type SegmentID struct {
	Cell Cell
	// N packs the ends, local to the cell (0 to Unit, 13 bits each), from the top: start.Y,
	// start.X, end.Y, end.X. It fits in the 53 bits of a float64.
	N uint64
}

// idAt returns the id of the segment from a to b, local to its cell.
func idAt(cell Cell, a, b spot) SegmentID {
	return SegmentID{cell, uint64(a>>16<<13|a&0xFFFF)<<26 | uint64(b>>16<<13|b&0xFFFF)}
}

// ends is the inverse of idAt; ok is false if id is not the id of two points of a cell.
func (id SegmentID) ends() (a, b spot, ok bool) {
	const mask = 1<<13 - 1
	a = spotAt(uint16(id.N>>26&mask), uint16(id.N>>39&mask))
	b = spotAt(uint16(id.N&mask), uint16(id.N>>13&mask))
	return a, b, id.N < 1<<52
}

// Segment is an edge of the surface: solid on the left of A->B. Ghost1 is the start of Prev, the
// previous segment along the surface, and Ghost2 the end of Next. Each link is valid only if its
// flag is set; without preserved layers both flags always are.
type Segment struct {
	ID         SegmentID
	A, B       Point
	Ghost1     Point
	Ghost2     Point
	Prev, Next SegmentID
	Tile       Tile // its tile; for a polygon, the attributes with Shape 0
	// Number in the shape as registered, or in the polygon as Polygons yields it, counted through the loops.
	Edge      uint16
	HasGhost1 bool
	HasGhost2 bool
}

// expand returns the public form of a stored segment of tile t at cell.
func (s *seg) expand(cell Cell, t Tile) Segment {
	var out Segment
	s.expandTo(&out, cell, t)
	return out
}

// expandTo is expand in place; a Segment is large.
func (s *seg) expandTo(out *Segment, cell Cell, t Tile) {
	o := lattice.OriginOf(cell)
	out.ID = idAt(cell, s.a, s.b)
	out.A = Point{X: o.X + int64(s.a.x()), Y: o.Y + int64(s.a.y())}
	out.B = Point{X: o.X + int64(s.b.x()), Y: o.Y + int64(s.b.y())}
	out.Tile, out.Edge = t, s.edge
	if l := s.prev; l != 0 {
		at, off := l.step()
		out.Prev = idAt(Cell{X: cell.X + at.X, Y: cell.Y + at.Y}, l.far()-off, s.a-off)
		out.Ghost1, out.HasGhost1 = Point{X: o.X + int64(l.x()), Y: o.Y + int64(l.y())}, true
	} else {
		out.Prev, out.Ghost1, out.HasGhost1 = SegmentID{}, Point{}, false
	}
	if l := s.next; l != 0 {
		at, off := l.step()
		out.Next = idAt(Cell{X: cell.X + at.X, Y: cell.Y + at.Y}, s.b-off, l.far()-off)
		out.Ghost2, out.HasGhost2 = Point{X: o.X + int64(l.x()), Y: o.Y + int64(l.y())}, true
	} else {
		out.Next, out.Ghost2, out.HasGhost2 = SegmentID{}, Point{}, false
	}
}

// linkSteps holds, for each place of a link, the offset of the cell, and the difference of the two
// cells' local coordinates as a spot. Spots are added and subtracted as whole words: the borrow of
// a negative x cancels once the sum is inside a cell again.
var linkSteps = func() (steps [10]struct {
	at  Cell
	off spot
},
) {
	for k := 1; k < 10; k++ {
		x, y := (k-1)%3-1, (k-1)/3-1
		steps[k].at = Cell{X: int32(x), Y: int32(y)}
		steps[k].off = spot(uint32(x*Unit + y*Unit<<16))
	}
	return steps
}()

// step returns the offset of the other segment's cell, see linkSteps.
func (l link) step() (Cell, spot) {
	s := &linkSteps[l.place()]
	return s.at, s.off
}

// far returns the far end in the coordinates of the link's own cell; it may lie beyond that cell,
// see linkSteps.
func (l link) far() spot { return spot(uint32(l.x()) + uint32(l.y())<<16) }

// appendSegment appends the public form of a stored segment.
func appendSegment(dst []Segment, s *seg, cell Cell, t Tile) []Segment {
	n := len(dst)
	if n < cap(dst) {
		dst = dst[:n+1]
	} else {
		dst = append(dst, Segment{})
	}
	s.expandTo(&dst[n], cell, t)
	return dst
}

// Segment returns the segment with an id, as of the last Resolve, and false if there is none.
func (g *reader) Segment(id SegmentID) (Segment, bool) {
	c := g.find(id.Cell.X>>chunkBits, id.Cell.Y>>chunkBits)
	if c == nil {
		return Segment{}, false
	}
	i := cellIndex(id.Cell.X, id.Cell.Y)
	segs := c.segments(i)
	a, b, ok := id.ends()
	for k := range segs {
		if ok && segs[k].a == a && segs[k].b == b {
			return segs[k].expand(id.Cell, g.tileOf(c.resolvedTile(i), segs[k].owner)), true
		}
	}
	return Segment{}, false
}

// AppendSegments appends the segments of all cells in r, as of the last Resolve, ordered by row,
// column and N. The cost depends on the chunks in r, not on the size of r.
func (g *reader) AppendSegments(dst []Segment, r Rect) []Segment {
	var room [16]*chunk
	found := g.appendChunks(room[:0], r)
	for len(found) > 0 {
		band := sameRow(found)
		found = found[len(band):]
		_, y0, _, y1 := band[0].clip(r)
		for y := y0; y <= y1; y++ {
			for _, c := range band {
				x0, _, x1, _ := c.clip(r)
				for m := c.flag[hasSegments][y] & uint16(1<<(x1+1)-1<<x0); m != 0; m &= m - 1 {
					i := y<<chunkBits | bits.TrailingZeros16(m)
					segs := c.segments(i)
					cell, t := c.cell(i), c.resolvedTile(i)
					for k := range segs {
						dst = appendSegment(dst, &segs[k], cell, g.tileOf(t, segs[k].owner))
					}
				}
			}
		}
	}
	return dst
}
