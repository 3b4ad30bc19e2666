package gridseg

import (
	"math/bits"
	"slices"
)

// appendFaces appends the faces of one side of a tile, cut at every vertex of either tile on the
// side, without the parts that the neighbour's faces cover. other is the neighbour's profile of the
// same border, or nil if the neighbour is empty; preserved keeps the covered parts.
func appendFaces(dst []seg, side int, mine, other *profile, preserved bool) []seg {
	if mine.faceless {
		return dst
	}
	if other == nil || other.plain {
		if other != nil && other.whole && !preserved {
			return dst
		}
		for i, e := range mine.edge {
			if e >= 0 {
				dst = append(dst, face(side, mine.at[i], mine.at[i+1], e))
			}
		}
		return dst
	}
	k := 0 // other.at[:k] are at or below lo
	for i, e := range mine.edge {
		if e < 0 {
			continue
		}
		for lo, end := mine.at[i], mine.at[i+1]; lo < end; {
			for k < len(other.at) && other.at[k] <= lo {
				k++
			}
			hi := end
			if k < len(other.at) {
				hi = min(hi, other.at[k])
			}
			covered := k > 0 && k < len(other.at) && other.edge[k-1] >= 0
			if preserved || !covered {
				dst = append(dst, face(side, lo, hi, e))
			}
			lo = hi
		}
	}
	return dst
}

// appendMixed is appendFaces where the polygons of a side may preserve against different layers: t
// and u are the raw tiles of mine and other.
func (g *Grid) appendMixed(dst []seg, side int, mine, other *profile, t, u Tile) []seg {
	for i, e := range mine.edge {
		if e < 0 {
			continue
		}
		for lo, end := mine.at[i], mine.at[i+1]; lo < end; {
			k, exact := slices.BinarySearch(other.at, lo)
			if exact {
				k++
			}
			hi, o := end, noFace
			if k < len(other.at) {
				hi = min(hi, other.at[k])
				if k > 0 {
					o = other.edge[k-1]
				}
			}
			if o < 0 || g.layers.preserved(g.tileOf(t, e.owner()).Layer, g.tileOf(u, o.owner()).Layer) {
				dst = append(dst, face(side, lo, hi, e))
			}
			lo = hi
		}
	}
	return dst
}

// face returns the segment of a side between positions lo and hi.
func face(side int, lo, hi uint16, t tag) seg {
	s := seg{edge: t.edge(), owner: t.owner()}
	switch side {
	case bottom:
		s.a, s.b = spotAt(lo, 0), spotAt(hi, 0)
	case right:
		s.a, s.b = spotAt(Unit, lo), spotAt(Unit, hi)
	case top:
		s.a, s.b = spotAt(hi, Unit), spotAt(lo, Unit)
	default:
		s.a, s.b = spotAt(0, hi), spotAt(0, lo)
	}
	return s
}

// nearOrder lists the sides in an order that leaves little to sort.
var nearOrder = [sides]int{bottom, right, left, top}

// sideStep is the offset of the neighbour beyond each side.
var sideStep = [sides][2]int{bottom: {0, -1}, right: {1, 0}, top: {0, 1}, left: {-1, 0}}

// appendCellSegments appends all segments of cell i, in the order of N, without links. dst must be
// empty.
func (g *Grid) appendCellSegments(dst []seg, c *chunk, i int) []seg {
	f := g.formAt(c, i)
	// Most cells have all their neighbours in the same chunk.
	x, y := i&chunkMask, i>>chunkBits
	interior := uint(x-1) < chunkSide-2 && uint(y-1) < chunkSide-2
	for _, side := range f.faced {
		dst = g.appendSide(dst, f, c, i, int(side), interior)
	}
	for k := range f.inner {
		e := &f.inner[k]
		dst = append(dst, seg{a: e.a, b: e.b, edge: e.edge.edge(), owner: e.edge.owner()})
	}
	sortSegs(dst)
	return dst
}

// appendSide appends the segments of one side of cell i, which has form f. interior reports that
// all neighbours of the cell are in c.
func (g *Grid) appendSide(dst []seg, f *form, c *chunk, i, side int, interior bool) []seg {
	mine := &f.side[side]
	var other *profile
	preserved := false
	o, k := c, i+sideStep[side][1]<<chunkBits+sideStep[side][0]
	if !interior {
		o, k = c.neighbour(i, sideStep[side][0], sideStep[side][1])
	}
	if o != nil && o.form[k] != 0 {
		other = &g.formAt(o, k).side[side^2]
		if g.layers.any {
			if c.form[i] == patchForm || o.form[k] == patchForm {
				return g.appendMixed(dst, side, mine, other, c.tile(i), o.tile(k))
			}
			preserved = g.layers.preserved(c.attrAt(i).layer, o.attrAt(k).layer)
		}
		if mine.whole && other.plain {
			// Whether the face is covered is unpredictable, so avoid a branch.
			dst = append(dst, mine.one)
			gone := 0
			if other.whole && !preserved {
				gone = 1
			}
			return dst[:len(dst)-gone]
		}
	} else if mine.whole {
		return append(dst, mine.one)
	}
	return appendFaces(dst, side, mine, other, preserved)
}

// appendBorders is appendCellSegments for a cell that was not edited: it makes the segments on the
// given sides again and copies the others.
func (g *Grid) appendBorders(dst []seg, c *chunk, i int, sides uint32) []seg {
	for _, s := range c.segments(i) {
		if sides&s.onSides() == 0 {
			dst = append(dst, s)
		}
	}
	f := g.formAt(c, i)
	for ; sides != 0; sides &= sides - 1 {
		dst = g.appendSide(dst, f, c, i, bits.TrailingZeros32(sides), false)
	}
	sortSegs(dst)
	return dst
}

// onFaces returns those of the sides, as bits, on which f has a face.
func (f *form) onFaces(sides uint32) uint32 {
	for m := sides; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros32(m); f.side[k].faceless {
			sides &^= 1 << k
		}
	}
	return sides
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
