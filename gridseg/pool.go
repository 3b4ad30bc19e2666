package gridseg

import "math/bits"

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
// The low 4 bits hold 1 + the place of its cell in the 3x3 cells around that of s, by row. Above
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
func (l link) x() int        { return int(l>>4&(1<<14-1)) - Unit }
func (l link) y() int        { return int(l>>18) - Unit }

// Marks of a seg during Resolve.
const (
	added   = 1 << iota // is new
	altered             // has a different tile, edge number or link
)

// block is the run of a pool that holds the segments of one cell. Its size is n rounded up to a
// power of two. A cell without segments has the zero block, so a chunk without segments refers to
// nothing in its pool, and both can be reused.
type block struct {
	first uint32
	stubs uint32 // see cornerStubs
	n     uint16
	sides bool // some segment has an end that is not a corner
}

// pool holds the segments of a chunk in runs of 1, 2, 4... segments. The first segment of the pool
// belongs to no cell; code without branches writes to it. Released runs of one size form a list:
// the a of a run's first segment refers to the next run.
type pool struct {
	segs []seg
	free [16]uint32 // by log2 of the size: 1 + start of the first free run, 0 for none
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

// release frees the run of n > 0 segments at first.
func (p *pool) release(first uint32, n int) {
	k := class(n)
	s := &p.segs[first]
	s.a = spot(p.free[k])
	p.free[k] = first + 1
}

// reset drops all runs and keeps the memory.
func (p *pool) reset() { p.segs, p.free = p.segs[:min(1, len(p.segs))], [16]uint32{} }

// store replaces the segments of cell i.
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
		// Most chunks fill up at once. Reserve a run of two for each cell to be cut, and a quarter
		// more, since a run of three takes four.
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
