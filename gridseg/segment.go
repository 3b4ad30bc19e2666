package gridseg

import "math/bits"

// SegmentID names a segment by its tile and its place on it: a face by side and
// lower end, any other by its number in the shape. It depends on tiles alone; it
// names the same segment for as long as that has the same ends.
type SegmentID struct {
	Cell Cell
	N    uint16
}

// Segment is a piece of the surface: solid on the left of A->B. Ghost1 is the
// start of the segment before it along the surface, which is Prev, and Ghost2 the
// end of Next. Each pair is valid only where its flag is set; without preserved
// layers both always are.
type Segment struct {
	ID         SegmentID
	A, B       Point
	Ghost1     Point
	Ghost2     Point
	HasGhost1  bool
	HasGhost2  bool
	Prev, Next SegmentID
	Tile       Tile   // that it belongs to
	Edge       uint16 // of the shape as registered: counted on through its polygons
}

// expand makes the public form of a stored segment of a tile at cell.
func (s *seg) expand(cell Cell, t Tile) Segment {
	o := cell.origin()
	out := Segment{
		ID:   SegmentID{cell, s.n},
		A:    Point{o.X + int64(s.a.x()), o.Y + int64(s.a.y())},
		B:    Point{o.X + int64(s.b.x()), o.Y + int64(s.b.y())},
		Tile: t,
		Edge: uint16(s.edge),
	}
	out.Ghost1, out.Prev, out.HasGhost1 = s.prev.expand(cell)
	out.Ghost2, out.Next, out.HasGhost2 = s.next.expand(cell)
	return out
}

func (l link) expand(cell Cell) (Point, SegmentID, bool) {
	if l.cell == 0 {
		return Point{}, SegmentID{}, false
	}
	o := cell.origin()
	k := int32(l.cell - 1)
	at := Cell{cell.X + k%3 - 1, cell.Y + k/3 - 1}
	return Point{o.X + int64(l.x), o.Y + int64(l.y)}, SegmentID{at, l.n}, true
}

// Segment returns the segment of an id, as of the last Resolve.
func (g *Grid) Segment(id SegmentID) (Segment, bool) {
	c := g.table.find(id.Cell.X>>chunkBits, id.Cell.Y>>chunkBits)
	if c == nil {
		return Segment{}, false
	}
	i := cellIndex(id.Cell.X, id.Cell.Y)
	segs := c.segments(i)
	for k := range segs {
		if segs[k].n == id.N {
			return segs[k].expand(id.Cell, c.resolvedTile(i)), true
		}
	}
	return Segment{}, false
}

// AppendSegments appends the segments of all cells in r, as of the last Resolve:
// by row, then column, then N. It costs what r holds, or the number of chunks if
// that is less than r would have.
func (g *Grid) AppendSegments(dst []Segment, r Rect) []Segment {
	var room [16]*chunk
	found := g.appendChunks(room[:0], r)
	for len(found) > 0 {
		band := sameRow(found)
		found = found[len(band):]
		_, y0, _, y1 := band[0].clip(r)
		for y := y0; y <= y1; y++ {
			for _, c := range band {
				x0, _, x1, _ := c.clip(r)
				for m := c.flag[segged][y] & uint16(1<<(x1+1)-1<<x0); m != 0; m &= m - 1 {
					i := y<<chunkBits | bits.TrailingZeros16(m)
					segs := c.segments(i)
					cell, t := c.cell(i), c.resolvedTile(i)
					for k := range segs {
						dst = append(dst, segs[k].expand(cell, t))
					}
				}
			}
		}
	}
	return dst
}
