package gridseg

// innerN is the N of a cell's first segment that is no face. Below it, N is
// side*Unit + the lower end of the face along the side.
const innerN = sides * Unit

// appendFaces appends the pieces of one side of a tile, in the order of N: its
// faces, cut at every vertex of either tile on the side, without what the
// neighbour's faces cover. other is the neighbour's profile of the same border, or
// nil where it is empty; keep leaves covered pieces in.
func appendFaces(dst []seg, side int, mine, other *profile, keep bool) []seg {
	if mine.bare {
		return dst
	}
	if other == nil || other.plain {
		if other != nil && other.whole && !keep {
			return dst
		}
		for i, e := range mine.edge {
			if e >= 0 {
				dst = append(dst, face(side, mine.at[i], mine.at[i+1], e))
			}
		}
		return dst
	}
	k := 0 // other.at[:k] lies at or below the point reached
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
			if keep || !covered {
				dst = append(dst, face(side, lo, hi, e))
			}
			lo = hi
		}
	}
	return dst
}

// face makes the segment of a side from its lower to its upper end along x or y.
func face(side int, lo, hi uint16, edge int16) seg {
	s := seg{n: uint16(side*Unit) + lo, edge: uint8(edge)}
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

// sideStep is where the neighbour beyond a side lies.
var sideStep = [sides][2]int{bottom: {0, -1}, right: {1, 0}, top: {0, 1}, left: {-1, 0}}

// appendPieces appends all segments of cell i, in the order of N, not yet linked.
func (g *Grid) appendPieces(dst []seg, c *chunk, i int) []seg {
	f := &g.shapes.forms[c.form[i]]
	// Most cells have all their neighbours in the same chunk.
	x, y := i&chunkMask, i>>chunkBits
	amid := uint(x-1) < chunkSide-2 && uint(y-1) < chunkSide-2
	for side := range sides {
		mine := &f.side[side]
		if mine.bare {
			continue
		}
		var other *profile
		keep := false
		o, k := c, i+sideStep[side][1]<<chunkBits+sideStep[side][0]
		if !amid {
			o, k = c.neighbour(i, sideStep[side][0], sideStep[side][1])
		}
		if o != nil && o.form[k] != 0 {
			other = &g.shapes.forms[o.form[k]].side[side^2]
			keep = g.layers.any && g.layers.preserved(c.attrAt(i).layer, o.attrAt(k).layer)
		}
		dst = appendFaces(dst, side, mine, other, keep)
	}
	for k := range f.inner {
		e := &f.inner[k]
		dst = append(dst, seg{a: e.a, b: e.b, n: innerN + uint16(k), edge: e.edge})
	}
	return dst
}
