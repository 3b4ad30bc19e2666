package gridseg

import "math/bits"

// Corners are most of all vertices, and at most of them all directions are axes or
// diagonals, or at least no two lie in the same eighth of a turn. Those are matched by
// the class of each direction and no product; linkEnds takes the others.

// tip is a segment that ends or starts at the corner in work.
type tip struct {
	s     *seg
	x, y  int16 // from the corner to the far end
	place int16 // of its cell in the 3x3 cells
	quad  uint8 // of its cell round the corner, rows first
}

// maxTips bounds what is matched by class. Without polygons it takes cells of non-convex
// shapes to have more.
const maxTips = 4

// quads is, for each of the four cells round a corner, rows first, that corner as the
// cell sees it.
var quads = [4]struct {
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

func (t *tip) class() uint8 { return classes[classIndex(int(t.x), int(t.y))] }

// linkCorner links what meets at the corner of cell i that lies at (x, y), each 0 or
// 1. segs tells which of the 3x3 cells round i have segments.
func (g *Grid) linkCorner(c *chunk, i, x, y int, segs uint32) {
	if g.layers.any || !linkTips(c, i, x, y, segs) {
		g.linkEnds(c, i, x, y, segs)
	}
}

// linkTips is linkCorner where no layers are preserved. It reports false where it cannot
// tell the order of the directions, or there are too many.
func linkTips(c *chunk, i, x, y int, segs uint32) bool {
	var in, out [maxTips]tip
	ins, outs := 0, 0
	cx, cy := i&chunkMask+x, i>>chunkBits+y
	amid := uint(cx-1) < chunkMask && uint(cy-1) < chunkMask
	first := y*3 + x // place of quad 0
	for m := segs >> first & (1<<0 | 1<<1 | 1<<3 | 1<<4); m != 0; m &= m - 1 {
		place := bits.TrailingZeros32(m) // less first
		q := place - place/3
		o, k := c, i+(y-1+place/3)<<chunkBits+x-1+place%3
		if !amid {
			o, k = c.neighbour(i, x-1+place%3, y-1+place/3)
		}
		quad := &quads[q]
		b := o.at[k]
		list := o.pool.segs[b.first : b.first+uint32(b.n)]
		for j := range list {
			s := &list[j]
			if s.b == quad.at {
				if ins == maxTips {
					return false
				}
				in[ins] = tip{s, int16(s.a.x()) - quad.x, int16(s.a.y()) - quad.y, int16(first + place), uint8(q)}
				ins++
			} else if s.a == quad.at {
				if outs == maxTips {
					return false
				}
				out[outs] = tip{s, int16(s.b.x()) - quad.x, int16(s.b.y()) - quad.y, int16(first + place), uint8(q)}
				outs++
			}
		}
	}
	switch ins {
	case 0:
		for k := range out[:outs] {
			s := out[k].s
			s.relink(&s.prev, link{})
		}
		return true
	case 1:
		for k := range out[:outs] {
			join(&in[0], &out[k])
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
		join(&in[f&(maxTips-1)], &out[k])
	}
	return true
}

// join links a segment that ends at a corner to the one that goes on there.
func join(in, out *tip) {
	step := uint16(in.place-out.place) + 5
	q := &quads[out.quad&3]
	out.s.relink(&out.s.prev, link{q.x + in.x, q.y + in.y, step})
	q = &quads[in.quad&3]
	in.s.relink(&in.s.next, link{q.x + out.x, q.y + out.y, 10 - step})
}
