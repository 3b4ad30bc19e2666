package gridseg

import "slices"

// seg is a stored segment: 20 bytes, local to its cell. A segment's id follows from its ends, so a
// link only needs the far end of the other segment (which is the ghost vertex) and its cell, and
// expanding a segment reads none of its neighbours.
type seg struct {
	a, b       spot
	prev, next link
	edge       uint16
	owner      uint8 // the polygon of a patch; 0 in a tile
	mark       uint8 // used during Resolve only
}

// key orders the segments of a cell as SegmentID.N does.
func (s *seg) key() uint64 { return uint64(s.a)<<32 | uint64(s.b) }

// spot is a local point of a cell in one word: x + y<<16, each 0 to Unit. Spots compare by y, then
// x.
type spot uint32

func spotAt(x, y uint16) spot { return spot(x) | spot(y)<<16 }

func (p spot) x() int { return int(p & 0xFFFF) }

func (p spot) y() int { return int(p >> 16) }

// corner reports whether p is a corner of the cell.
func (p spot) corner() bool { return p&((Unit-1)<<16|Unit-1) == 0 }

// link refers to the previous or next segment by its cell and far end, in one word; 0 means none.
// The low 4 bits hold 1 + the place of its cell in the 3x3 cells around the cell of s, by row. Above
// are 14 bits of x and 14 of y, relative to the cell of s, plus Unit, so that they are 0 to 3*Unit.
type link uint32

// linkTo returns the link to a segment in the cell at offset (dx, dy) with the far end at far in
// that cell.
func linkTo(far spot, dx, dy int) link {
	return linkAt(far.x()+dx*Unit, far.y()+dy*Unit, dy*3+dx+5)
}

func linkAt(x, y, place int) link {
	return link(place | (x+Unit)<<4 | (y+Unit)<<18)
}

func (l link) place() uint32 { return uint32(l & 15) }

func (l link) x() int { return int(l>>4&(1<<14-1)) - Unit }

func (l link) y() int { return int(l>>18) - Unit }

// Marks of a seg during Resolve.
const (
	added   = 1 << iota // is new
	altered             // has a different tile, edge number or link
)

// sortSegs sorts the segments of a cell by key. Most cells have few segments, nearly in order.
func sortSegs(segs []seg) {
	if len(segs) > 24 {
		slices.SortFunc(segs, func(s, t seg) int {
			if s.key() < t.key() {
				return -1
			}
			return 1 // no two are equal
		})
		return
	}
	for i := 1; i < len(segs); i++ {
		s := segs[i]
		k, key := i, s.key()
		for ; k > 0 && segs[k-1].key() > key; k-- {
			segs[k] = segs[k-1]
		}
		segs[k] = s
	}
}

// onSides returns the side that s lies on, as a bit; 0 if s lies on none.
func (s *seg) onSides() uint32 {
	switch {
	case (s.a|s.b)>>16 == 0:
		return 1 << bottom
	case (s.a|s.b)&0xFFFF == 0:
		return 1 << left
	case s.a&s.b>>16 == Unit:
		return 1 << top
	case s.a&s.b&0xFFFF == Unit:
		return 1 << right
	}
	return 0
}

// stubShift returns the position of the corner's byte in the stubs of its cell.
func (p spot) stubShift() uint32 { return uint32(p>>12&1|p>>28&1<<1) << 3 }

// manyStubs marks a corner at which more than one of a cell's segments end (or start), or a segment
// with a number of manyStubs or more. Tiles need non-convex shapes to have either.
const manyStubs = 15

// cornerStubs packs the numbers of the segments that start and end at each corner of a cell: one
// byte a corner, from the bottom left by row; the segment that ends there in the lower half. A
// number is the index of the segment + 1, or 0 for none. others reports whether a segment has an
// end that is not a corner.
func cornerStubs(segs []seg) (t uint32, others bool) {
	for j := range segs {
		var other bool
		t, other = addStubs(t, &segs[j], uint32(min(j+1, manyStubs)))
		others = others || other
	}
	return t, others
}

// addStubs adds both ends of segment n to the stubs t; other reports whether an end is not a
// corner.
func addStubs(t uint32, s *seg, n uint32) (_ uint32, other bool) {
	if s.a.corner() {
		t = addStub(t, s.a.stubShift()+4, n)
	} else {
		other = true
	}
	if s.b.corner() {
		t = addStub(t, s.b.stubShift(), n)
	} else {
		other = true
	}
	return t, other
}

func addStub(t, shift, n uint32) uint32 {
	if t>>shift&15 != 0 {
		n = manyStubs
	}
	return t | n<<shift
}

// relink changes a link of s and marks s as altered. It returns false if the link is the same.
func (s *seg) relink(l *link, to link) bool {
	if *l == to {
		return false
	}
	*l = to
	s.mark |= altered
	return true
}

// The sides of a cell, in counter-clockwise order, with the direction of a counter-clockwise
// outline along them.
const (
	bottom = iota // +x at y = 0
	right         // +y at x = Unit
	top           // -x at y = Unit
	left          // -y at x = 0
	sides
)
