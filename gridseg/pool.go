package gridseg

import "math/bits"

// seg is a segment as it rests in a chunk: 20 bytes, local to its cell. Since ids
// follow from ends, a link is no more than the far end of the other segment (the
// ghost point, which is what a contact wants) and its cell, and reading a segment
// does not visit its neighbours.
type seg struct {
	a, b       spot
	prev, next link
	edge       uint16
	owner      uint8 // of the polygons of a patch, see patch; 0 in a tile
	mark       uint8 // for Resolve alone
}

// key orders the segments of a cell as SegmentID.N does.
func (s *seg) key() uint64 { return uint64(s.a)<<32 | uint64(s.b) }

// spot is a local point of a cell in one word: x + y<<16, each 0..Unit. Spots
// compare by y, then x.
type spot uint32

func spotAt(x, y uint16) spot { return spot(x) | spot(y)<<16 }

func (p spot) x() int { return int(p & 0xFFFF) }
func (p spot) y() int { return int(p >> 16) }

// corner reports whether p is a corner of the cell.
func (p spot) corner() bool { return p&((Unit-1)<<16|Unit-1) == 0 }

// link names the segment that s is linked to by its cell and far end, in one word: 0 for none,
// else in the low 4 bits 1 + the place of the cell in the 3x3 cells round that of s, rows
// first; above it 14 bits of x and 14 of y, each relative to the cell of s and Unit more, so
// that they are 0 to 3*Unit.
type link uint32

// linkTo makes the link to a segment whose cell lies at (dx, dy) from this one and whose far
// end is there at far.
func linkTo(far spot, dx, dy int) link {
	return linkAt(far.x()+dx*Unit, far.y()+dy*Unit, dy*3+dx+5)
}

func linkAt(x, y, place int) link {
	return link(place | (x+Unit)<<4 | (y+Unit)<<18)
}

func (l link) place() uint32 { return uint32(l & 15) }
func (l link) x() int        { return int(l>>4&(1<<14-1)) - Unit }
func (l link) y() int        { return int(l>>18) - Unit }

// Marks of a seg during Resolve.
const (
	added   = 1 << iota // was not there before
	altered             // its tile, its edge number or a link is another
)

// block is the run of a pool that holds the segments of one cell. Its room is the next
// power of two of n. A cell without segments has the zero block, so that a chunk whose
// cells are all empty holds no index of its pool: the pool can be reset, and the chunk
// used again.
type block struct {
	first uint32
	stubs uint32 // at the corners, see cornerStubs
	n     uint16
	sides bool // some end is no corner
}

// pool holds the segments of a chunk in runs of 1, 2, 4.. segments; the first of all is
// nobody's, to be written to where that saves a branch. A run that is
// given back waits in a list for the next of its size: its first segment's
// a then holds where the list goes on.
type pool struct {
	segs []seg
	free [16]uint32 // by the binary logarithm of the size: 1 + first, 0 for none
}

func class(n int) int { return bits.Len(uint(n - 1)) }

// alloc returns the start of a run for n > 0 segments.
func (p *pool) alloc(n int) uint32 {
	k := class(n)
	if f := p.free[k]; f != 0 {
		s := &p.segs[f-1]
		p.free[k] = uint32(s.a)
		return f - 1
	}
	first := len(p.segs)
	end := first + 1<<k
	if end > cap(p.segs) {
		grown := make([]seg, first, max(2*cap(p.segs), end, 32))
		copy(grown, p.segs)
		p.segs = grown
	}
	p.segs = p.segs[:end]
	return uint32(first)
}

// release gives back the run of n > 0 segments at first.
func (p *pool) release(first uint32, n int) {
	k := class(n)
	s := &p.segs[first]
	s.a = spot(p.free[k])
	p.free[k] = first + 1
}

// reset forgets all runs and keeps the memory.
func (p *pool) reset() { p.segs, p.free = p.segs[:min(1, len(p.segs))], [16]uint32{} }

// store puts the segments of cell i, in the place of those it had.
func (c *chunk) store(i int, segs []seg) {
	stubs, sides := cornerStubs(segs)
	c.storeWithStubs(i, segs, stubs, sides)
}

// storeWithStubs is store for segments whose stubs are known.
func (c *chunk) storeWithStubs(i int, segs []seg, stubs uint32, sides bool) {
	if c.at == nil {
		if len(segs) == 0 {
			return
		}
		c.at = new([chunkCells]block)
		// Most chunks fill up at once: room for a run of two for each cell in work, and a
		// fourth more, as runs of three take four.
		n := 0
		if w := c.work; w != nil {
			for rows := w.rows; rows != 0; rows &= rows - 1 {
				n += bits.OnesCount16(w.recut[bits.TrailingZeros16(rows)])
			}
		}
		c.pool.segs = make([]seg, 1, 1+2*n+n/2)
	}
	b := &c.at[i]
	if b.n == 0 || len(segs) == 0 || class(int(b.n)) != class(len(segs)) {
		if b.n > 0 {
			c.pool.release(b.first, int(b.n))
		}
		if len(segs) == 0 {
			*b = block{}
			c.flag[hasSegments].unset(i)
			return
		}
		b.first = c.pool.alloc(len(segs))
	}
	b.n, b.stubs, b.sides = uint16(len(segs)), stubs, sides
	copy(c.pool.segs[b.first:], segs)
	c.flag[hasSegments].set(i)
}
