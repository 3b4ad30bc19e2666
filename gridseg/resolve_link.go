package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Segments meet at vertices of three kinds: inside of a cell, within a side (where two cells meet),
// and at a corner (where up to four meet). Most vertices are corners: each corner is linked once
// for all its segments. At the other vertices each segment is linked by itself.
//
// The links at a vertex change only if a cell that has the vertex in its closed square was edited,
// since segments change only in edited cells and on their borders.

// cornersOf lists, for each corner of a cell, two sets of the 3x3 cells around the cell, as bits by
// row: the cells that meet at the corner, and those among them that come before the cell itself.
// The first cell that has segments links the corner.
var cornersOf = [4]struct {
	x, y           int
	round, earlier uint32
}{
	{0, 0, 1<<0 | 1<<1 | 1<<3 | 1<<4, 1<<0 | 1<<1 | 1<<3},
	{1, 0, 1<<1 | 1<<2 | 1<<4 | 1<<5, 1<<1 | 1<<2},
	{0, 1, 1<<3 | 1<<4 | 1<<6 | 1<<7, 1 << 3},
	{1, 1, 1<<4 | 1<<5 | 1<<7 | 1<<8, 0},
}

// linkRow links the segments of the flagged slow cells of a row.
func (g *Grid) linkRow(c *chunk, y int) {
	m := c.work.relink[y] & c.flag[hasSegments][y] & c.work.slow[y]
	if m == 0 {
		return
	}
	d0, d1, d2 := c.wide(dirty, y-1), c.wide(dirty, y), c.wide(dirty, y+1)
	s0, s1, s2 := c.wide(hasSegments, y-1), c.wide(hasSegments, y), c.wide(hasSegments, y+1)
	o0, o1, o2 := c.wide(nonPlain, y-1), c.wide(nonPlain, y), c.wide(nonPlain, y+1)
	if g.layers.any() {
		o0, o1, o2 = ^uint32(0), ^uint32(0), ^uint32(0)
	}
	for ; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		edits := d0>>x&7 | d1>>x&7<<3 | d2>>x&7<<6
		segs := s0>>x&7 | s1>>x&7<<3 | s2>>x&7<<6
		nonPlains := o0>>x&7 | o1>>x&7<<3 | o2>>x&7<<6
		for k := range cornersOf {
			at := &cornersOf[k]
			// At a corner of plain forms the first cell may not be slow, and then linkRow does not
			// visit it; so do not leave the corner to that cell.
			if edits&at.round != 0 && (segs&at.earlier == 0 || nonPlains&at.round == 0) {
				g.linkCorner(c, i, at.x, at.y, segs)
			}
		}
		if c.at[i].sides {
			g.linkSides(c, i, edits)
		}
	}
}

// segmentEnd is a segment that starts or ends at the current vertex.
type segmentEnd struct {
	s      *seg
	far    spot
	dir    vec // to the far end
	dx, dy int // offset of its cell
	layer  uint8
}

// linkEnds is linkCorner for any segments and layers.
func (g *Grid) linkEnds(c *chunk, i, x, y int, segs uint32) {
	g.in, g.out = g.in[:0], g.out[:0]
	for dy := y - 1; dy <= y; dy++ {
		for dx := x - 1; dx <= x; dx++ {
			if segs>>(dy*3+dx+4)&1 == 0 {
				continue
			}
			o, k := c.neighbour(i, dx, dy)
			vx, vy := (x-dx)*Unit, (y-dy)*Unit // the corner in that cell's coordinates
			v := spotAt(uint16(vx), uint16(vy))
			list := o.segments(k)
			for j := range list {
				s := &list[j]
				if s.b == v {
					dir := vec{X: int64(s.a.x() - vx), Y: int64(s.a.y() - vy)}
					g.in = append(g.in, segmentEnd{s, s.a, dir, dx, dy, 0})
				} else if s.a == v {
					dir := vec{X: int64(s.b.x() - vx), Y: int64(s.b.y() - vy)}
					g.out = append(g.out, segmentEnd{s, s.b, dir, dx, dy, 0})
				} else {
					continue
				}
				if g.layers.any() {
					if s.b == v {
						g.in[len(g.in)-1].layer = g.layerOf(o, k, s.owner)
					} else {
						g.out[len(g.out)-1].layer = g.layerOf(o, k, s.owner)
					}
				}
			}
		}
	}
	for k := range g.out {
		e := &g.out[k]
		f := g.firstOf(e, g.in, -1)
		e.s.relink(&e.s.prev, e.linkTo(f))
		if f != nil && !g.layers.any() {
			f.s.relink(&f.s.next, f.linkTo(e)) // the match is mutual
		}
	}
	if g.layers.any() {
		for k := range g.in {
			e := &g.in[k]
			e.s.relink(&e.s.next, e.linkTo(g.firstOf(e, g.out, 1)))
		}
	}
}

// firstOf returns the first element of list that a turn from e meets: clockwise for way = -1,
// counter-clockwise for 1. It skips ends that e preserves against, and returns nil if none is left.
func (g *Grid) firstOf(e *segmentEnd, list []segmentEnd, way int64) *segmentEnd {
	if len(list) == 1 && !g.layers.any() {
		return &list[0]
	}
	var best *segmentEnd
	for k := range list {
		f := &list[k]
		if g.layers.any() && (f.dx != e.dx || f.dy != e.dy || f.s.owner != e.s.owner) && g.layers.preserved(e.layer,
			f.layer) {
			continue
		}
		if best == nil || lattice.Nearer(e.dir, f.dir, best.dir, way) {
			best = f
		}
	}
	return best
}

// linkTo returns the link from the segment of e to the segment of f, 0 if f is nil.
func (e *segmentEnd) linkTo(f *segmentEnd) link {
	if f == nil {
		return 0
	}
	return linkTo(f.far, f.dx-e.dx, f.dy-e.dy)
}

// linkSides links the ends of a cell's segments that are not corners. edits is the set of dirty
// cells in the 3x3 cells around the cell.
func (g *Grid) linkSides(c *chunk, i int, edits uint32) {
	segs := c.segments(i)
	for k := range segs {
		s := &segs[k]
		if !s.a.corner() && edits&roundOf(s.a) != 0 {
			s.relink(&s.prev, g.match(c, i, s, s.a, s.b, -1))
		}
		if !s.b.corner() && edits&roundOf(s.b) != 0 {
			s.relink(&s.next, g.match(c, i, s, s.b, s.a, 1))
		}
	}
}

// beyond returns the offset of the neighbour that shares vertex v, which is not a corner; (0, 0) if
// v lies inside of the cell.
func beyond(v spot) (dx, dy int) {
	switch {
	case v.x() == 0:
		dx = -1
	case v.x() == Unit:
		dx = 1
	case v.y() == 0:
		dy = -1
	case v.y() == Unit:
		dy = 1
	}
	return dx, dy
}

// roundOf returns the cells that share vertex v, which is not a corner, as bits of the 3x3 cells.
func roundOf(v spot) uint32 {
	dx, dy := beyond(v)
	return 1<<4 | 1<<(dy*3+dx+4)
}

// match returns the link of segment s of cell i at the vertex v, which is not a corner, by the
// radial match; far is the other end of s. way = 1 finds the first outgoing segment
// counter-clockwise, way = -1 the first incoming segment clockwise.
func (g *Grid) match(c *chunk, i int, s *seg, v, far spot, way int64) link {
	var best link
	var bestDir vec
	from := vec{X: int64(far.x() - v.x()), Y: int64(far.y() - v.y())}
	dx, dy := beyond(v)
	try := func(o *chunk, k, dx, dy int) {
		vx, vy := v.x()-dx*Unit, v.y()-dy*Unit
		at := spotAt(uint16(vx), uint16(vy))
		segs := o.segments(k)
		for j := range segs {
			t := &segs[j]
			near, far := t.a, t.b
			if way < 0 {
				near, far = far, near
			}
			if near != at {
				continue
			}
			if g.layers.any() && (dx != 0 || dy != 0 || t.owner != s.owner) &&
				g.layers.preserved(g.layerOf(c, i, s.owner), g.layerOf(o, k, t.owner)) {
				continue
			}
			dir := vec{X: int64(far.x() - vx), Y: int64(far.y() - vy)}
			if best != 0 && !lattice.Nearer(from, dir, bestDir, way) {
				continue
			}
			bestDir = dir
			best = linkTo(far, dx, dy)
		}
	}
	try(c, i, 0, 0)
	if dx != 0 || dy != 0 {
		if o, k := c.neighbour(i, dx, dy); o != nil {
			try(o, k, dx, dy)
		}
	}
	return best
}

// linkCorner links the segments that meet at corner (x, y) of cell i, each 0 or 1. Bit k of segs is
// set if cell k of the 3x3 cells around i has segments.
func (g *Grid) linkCorner(c *chunk, i, x, y int, segs uint32) {
	if g.layers.any() || !linkStubs(c, i, x, y, segs) {
		g.linkEnds(c, i, x, y, segs)
	}
}
