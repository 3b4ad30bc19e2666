package grid

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// maxCell bounds the cells of objects on every level: |cx|, |cy| <= 2^30, so
// that neighbours and widths of ranges fit in an int32.
const maxCell = 1 << 30

// span is a range of cells, closed on all sides; empty if x1 < x0 or y1 < y0.
type span struct{ x0, y0, x1, y1 int32 }

// noSpan is the empty range that grow leaves no trace of.
var noSpan = span{maxCell, maxCell, -maxCell, -maxCell}

func (s span) has(cx, cy int32) bool { return s.x0 <= cx && cx <= s.x1 && s.y0 <= cy && cy <= s.y1 }

func (s span) grow(cx, cy int32) span {
	return span{min(s.x0, cx), min(s.y0, cy), max(s.x1, cx), max(s.y1, cy)}
}

// cells returns the number of cells of s, which must not be empty.
func (s span) cells() int64 {
	return (int64(s.x1) - int64(s.x0) + 1) * (int64(s.y1) - int64(s.y0) + 1)
}

// fine is a range of finest cells, closed on all sides, as far out as Limit and
// a bit further. The cells of every other level follow from it by shifts, so
// that all levels agree on the side of a grid line that a coordinate is on,
// down to the smallest denormals (which a product with a small 1/side would
// take to zero).
type fine struct{ x0, y0, x1, y1 int64 }

// fine returns the finest cells of a box, which may be infinite, but not NaN.
func (g *Grid) fine(b geom.AABB) fine {
	return fine{
		fineCell(b.Min.X * g.inv), fineCell(b.Min.Y * g.inv),
		fineCell(b.Max.X * g.inv), fineCell(b.Max.Y * g.inv),
	}
}

// fineCell returns floor(x), held within twice Limit so that the conversion
// is defined.
func fineCell(x float64) int64 {
	return int64(math.Floor(max(-2*Limit, min(2*Limit, x))))
}

// fits returns the cells of f on the level at, or false if they are more than
// 2x2 or out of the range that cells can be in.
func (f fine) fits(at int) (span, bool) {
	x0, y0, x1, y1 := f.x0>>at, f.y0>>at, f.x1>>at, f.y1>>at
	if x1-x0 > 1 || y1-y0 > 1 || x0 < -maxCell || x1 > maxCell || y0 < -maxCell || y1 > maxCell {
		return noSpan, false
	}
	return span{int32(x0), int32(y0), int32(x1), int32(y1)}, true
}

// within returns the cells of f on the level at that are in b, false if there
// are none.
func (f fine) within(at int, b span) (span, bool) {
	x0, y0 := max(f.x0>>at, int64(b.x0)), max(f.y0>>at, int64(b.y0))
	x1, y1 := min(f.x1>>at, int64(b.x1)), min(f.y1>>at, int64(b.y1))
	if x0 > x1 || y0 > y1 {
		return noSpan, false
	}
	return span{int32(x0), int32(y0), int32(x1), int32(y1)}, true
}

// level is the cells of one size.
type level struct {
	size, inv float64 // side of a cell, and its inverse
	count     int     // objects
	cells     table   // those with objects; see slot.head and slot.length
	blocks    [tiers]table
	// bounds holds all cells in use. It grows at once, but shrinks only when
	// cells on its border have been given up as often as the table has
	// slots, so that shrinking costs a constant a change.
	bounds span
	stale  int
}

// corner returns which link of an object belongs to the cell.
func corner(cx, cy int32) int { return int(cx&1 | cy&1<<1) }

// A cell's value is the first object of its list, which object.next continues,
// in the low half, and the list's length in the high one.

func (s *slot) head() ID      { return ID(int32(uint32(s.val))) }
func (s *slot) length() int32 { return int32(s.val >> 32) }

func (s *slot) setList(head ID, length int32) {
	s.val = uint64(uint32(length))<<32 | uint64(uint32(head))
}

// link puts an object at the head of a cell's list.
func (l *level) link(objects []object, id ID, cx, cy int32) {
	c := l.cells.insert(cellKey(cx, cy))
	next := none
	if c.val == 0 {
		l.bounds = l.bounds.grow(cx, cy)
		l.use(cx, cy)
	} else {
		next = c.head()
	}
	objects[id].next[corner(cx, cy)] = next
	c.setList(id, c.length()+1)
}

// unlink takes an object out of a cell's list, and the cell out of the table
// if that was its last one.
func (l *level) unlink(objects []object, id ID, cx, cy int32) {
	i := l.cells.index(cellKey(cx, cy))
	c := &l.cells.slots[i]
	k := corner(cx, cy)
	next, n := objects[id].next[k], c.length()-1
	if n > 0 {
		if c.head() == id {
			c.setList(next, n)
			return
		}
		before := c.head()
		for objects[before].next[k] != id {
			before = objects[before].next[k]
		}
		objects[before].next[k] = next
		c.setList(c.head(), n)
		return
	}
	l.cells.remove(i)
	l.disuse(cx, cy)
	if l.cells.used == 0 {
		l.bounds, l.stale = noSpan, 0
		return
	}
	b := l.bounds
	if cx == b.x0 || cx == b.x1 || cy == b.y0 || cy == b.y1 {
		l.stale++
		if l.stale >= len(l.cells.slots) {
			l.shrinkBounds()
		}
	}
}

// shrinkBounds makes bounds exact.
func (l *level) shrinkBounds() {
	b := noSpan
	for i := range l.cells.slots {
		if c := &l.cells.slots[i]; c.val != 0 {
			b = b.grow(c.key.cell())
		}
	}
	l.bounds, l.stale = b, 0
}
