package gridseg

import "math/bits"

// Corners are most of all vertices, and at most of them all directions are axes or
// diagonals, or at least no two lie in the same eighth of a turn. Those are matched by
// the class of each direction and no product; linkEnds takes the others.

// cornerStub is a segment that ends or starts at the corner in work.
type cornerStub struct {
	s        *seg
	x, y     int16 // from the corner to the far end
	place    int16 // of its cell in the 3x3 cells
	quadrant uint8 // of its cell round the corner, rows first
}

// manyStubs stands in the stubs of a cell for more than one segment, or one with a high
// number. Without polygons it takes non-convex shapes to have that.
const manyStubs = 15

// cornerStubs tells which of a cell's segments end and start at each of its corners: from the
// bottom left, rows first, a byte each, the one that ends in the lower half. It is the
// number of the segment and 1, 0 for none. others tells that some end is no corner.
func cornerStubs(segs []seg) (t uint32, others bool) {
	for j := range segs {
		var other bool
		t, other = addStubs(t, &segs[j], uint32(min(j+1, manyStubs)))
		others = others || other
	}
	return t, others
}

// addStubs puts both ends of segment n into stubs; other tells that one is no corner.
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

// stubShift is where the byte of a corner is in the stubs of its cell.
func (p spot) stubShift() uint32 { return uint32(p>>12&1|p>>28&1<<1) << 3 }

// quadrants is, for each of the four cells round a corner, rows first, that corner as the
// cell sees it.
var quadrants = [4]struct {
	at   spot
	x, y int16
}{
	{spotAt(Unit, Unit), Unit, Unit},
	{spotAt(0, Unit), 0, Unit},
	{spotAt(Unit, 0), Unit, 0},
	{0, 0, 0},
}

// classes numbers the directions counter-clockwise from +x: the axes and diagonals are
// even, what lies between them is odd. It goes by the signs of x, y and |x|-|y|.
var classes = func() (t [27]uint8) {
	for class, d := range [16][2]int{
		{2, 0},
		{2, 1},
		{1, 1},
		{1, 2},
		{0, 2},
		{-1, 2},
		{-1, 1},
		{-2, 1},
		{-2, 0},
		{-2, -1},
		{-1, -1},
		{-1, -2},
		{0, -2},
		{1, -2},
		{1, -1},
		{2, -1},
	} {
		t[classIndex(d[0], d[1])] = uint8(class)
	}
	return t
}()

func classIndex(x, y int) int {
	ax, ay := (x^x>>63)-x>>63, (y^y>>63)-y>>63
	return 13 + 9*signOf(x) + 3*signOf(y) + signOf(ax-ay)
}

// signOf is -1, 0 or 1 without a branch.
func signOf(v int) int { return v>>63 | int(uint(-v)>>63) }

func (t *cornerStub) class() uint8 { return classes[classIndex(int(t.x), int(t.y))] }

// linkCorner links what meets at the corner of cell i that lies at (x, y), each 0 or
// 1. segs tells which of the 3x3 cells round i have segments.
func (g *Grid) linkCorner(c *chunk, i, x, y int, segs uint32) {
	if g.layers.any || !linkStubs(c, i, x, y, segs) {
		g.linkEnds(c, i, x, y, segs)
	}
}

// linkStubs is linkCorner where no layers are preserved. It reports false where it cannot
// tell the order of the directions, or a cell has more there than its stubs tell.
func linkStubs(c *chunk, i, x, y int, segs uint32) bool {
	var cells [4]cellRef
	var w uint32 // the stubs of the four cells, a byte each
	cx, cy := i&chunkMask+x, i>>chunkBits+y
	if uint(cx-1) < chunkMask && uint(cy-1) < chunkMask {
		k := (cy-1)<<chunkBits + cx - 1
		for q := range cells {
			j := (k + q&1 + q>>1<<chunkBits) & (chunkCells - 1)
			cells[q] = cellRef{c, j}
			w |= c.at[j].stubs >> (24 - 8*q) & 0xFF << (8 * q)
		}
	} else {
		for q := range cells {
			dx, dy := x-1+q&1, y-1+q>>1
			if segs>>(dy*3+dx+4)&1 != 0 {
				o, j := c.neighbour(i, dx, dy)
				cells[q] = cellRef{o, j}
				w |= o.at[j].stubs >> (24 - 8*q) & 0xFF << (8 * q)
			}
		}
	}
	var in, out [4]cornerStub
	ins, outs := 0, 0
	for m := w; m != 0; {
		sh := bits.TrailingZeros32(m) &^ 3
		n := m >> sh & 15
		m &^= 15 << sh
		if n == manyStubs {
			return false
		}
		q := sh >> 3
		o, quadrant := cells[q].c, &quadrants[q]
		s := &o.pool.segs[o.at[cells[q].i].first+n-1]
		place := int16((y+q>>1)*3 + x + q&1)
		if sh&4 == 0 {
			in[ins&3] = cornerStub{s, int16(s.a.x()) - quadrant.x, int16(s.a.y()) - quadrant.y, place, uint8(q)}
			ins++
		} else {
			out[outs&3] = cornerStub{s, int16(s.b.x()) - quadrant.x, int16(s.b.y()) - quadrant.y, place, uint8(q)}
			outs++
		}
	}
	switch ins {
	case 0:
		for k := range out[:outs] {
			s := out[k].s
			s.relink(&s.prev, 0)
		}
		return true
	case 1:
		for k := range out[:outs] {
			linkPair(&in[0], &out[k])
		}
		return true
	}
	var which [16]uint8
	var mask uint16
	for k := range in[:ins] {
		class := in[k].class()
		if mask>>class&1 == 0 {
			mask |= 1 << class
			which[class&15] = uint8(k)
		} else if class&1 != 0 {
			return false
		}
	}
	for k := range out[:outs] {
		class := out[k].class()
		// What lies clockwise comes at the top, the direction itself last.
		turned := bits.RotateLeft16(mask, -int(class))
		if turned&1 != 0 && class&1 != 0 {
			return false
		}
		f := which[(int(class)+15-bits.LeadingZeros16(turned))&15]
		linkPair(&in[f&3], &out[k])
	}
	return true
}

// linkPair links a segment that ends at a corner to the one that goes on there.
func linkPair(in, out *cornerStub) {
	step := int(in.place-out.place) + 5
	q := &quadrants[out.quadrant&3]
	out.s.relink(&out.s.prev, linkAt(int(q.x+in.x), int(q.y+in.y), step))
	q = &quadrants[in.quadrant&3]
	in.s.relink(&in.s.next, linkAt(int(q.x+out.x), int(q.y+out.y), 10-step))
}
