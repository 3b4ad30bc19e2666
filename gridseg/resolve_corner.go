package gridseg

import "math/bits"

// Most vertices are corners of cells. At most corners all directions are axes or diagonals, or no
// two directions lie in the same eighth of a turn. Such corners are linked by the direction classes
// alone, without a product; linkEnds links the others.

// cornerStub is a segment that starts or ends at the corner being linked.
type cornerStub struct {
	s        *seg
	x, y     int16 // from the corner to the far end
	place    int16 // place of its cell in the 3x3 cells
	quadrant uint8 // position of its cell around the corner, by row
}

// quadrants holds, for each of the four cells around a corner, by row, the corner in that cell's
// coordinates.
var quadrants = [4]struct {
	at   spot
	x, y int16
}{
	{spotAt(Unit, Unit), Unit, Unit},
	{spotAt(0, Unit), 0, Unit},
	{spotAt(Unit, 0), Unit, 0},
	{0, 0, 0},
}

// classes numbers the directions counter-clockwise from +x: axes and diagonals are even, the
// sectors between them odd. The index is computed from the signs of x, y and |x|-|y|.
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

// signOf returns -1, 0 or 1 without a branch.
func signOf(v int) int { return v>>63 | int(uint(-v)>>63) }

func (t *cornerStub) class() uint8 { return classes[classIndex(int(t.x), int(t.y))] }

// linkStubs is linkCorner without preserved layers. It returns false, and leaves the corner to
// linkEnds, if two directions share an odd class or a cell's stubs are incomplete.
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
		// The directions clockwise of this one come at the top, this direction itself last.
		turned := bits.RotateLeft16(mask, -int(class))
		if turned&1 != 0 && class&1 != 0 {
			return false
		}
		f := which[(int(class)+15-bits.LeadingZeros16(turned))&15]
		linkPair(&in[f&3], &out[k])
	}
	return true
}

// linkPair links in, which ends at a corner, to out, which continues there.
func linkPair(in, out *cornerStub) {
	step := int(in.place-out.place) + 5
	q := &quadrants[out.quadrant&3]
	out.s.relink(&out.s.prev, linkAt(int(q.x+in.x), int(q.y+in.y), step))
	q = &quadrants[in.quadrant&3]
	in.s.relink(&in.s.next, linkAt(int(q.x+out.x), int(q.y+out.y), 10-step))
}
