package gridseg

import "math/bits"

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
	var keeps func(e, o tag) bool
	o, k := c, i+sideStep[side][1]<<chunkBits+sideStep[side][0]
	if !interior {
		o, k = c.neighbour(i, sideStep[side][0], sideStep[side][1])
	}
	if o != nil && o.form[k] != 0 {
		other = &g.formAt(o, k).side[side^2]
		if g.layers.any() {
			t, u := c.tile(i), o.tile(k)
			keeps = func(e, o tag) bool {
				return g.layers.preserved(g.tileOf(t, e.owner()).Layer, g.tileOf(u, o.owner()).Layer)
			}
		}
		if mine.whole && other.plain {
			// Whether the face is covered is unpredictable, so avoid a branch.
			dst = append(dst, mine.one)
			gone := 0
			if other.whole && (keeps == nil || !keeps(mine.edge[0], other.edge[0])) {
				gone = 1
			}
			return dst[:len(dst)-gone]
		}
	} else if mine.whole {
		return append(dst, mine.one)
	}
	return appendFaces(dst, side, mine, other, keeps)
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

// onFaces returns the sides, as bits, on which f has a face.
func (f *form) onFaces(sides uint32) uint32 {
	for m := sides; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros32(m); f.side[k].faceless {
			sides &^= 1 << k
		}
	}
	return sides
}
