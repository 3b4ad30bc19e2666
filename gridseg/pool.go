package gridseg

import "math/bits"

// seg is a segment as it rests in a chunk: 28 bytes, local to its cell. The links
// carry what a contact wants (the ghost points) beside the ids, so that reading
// a segment does not visit its neighbours.
type seg struct {
	ax, ay, bx, by uint16 // 0..Unit
	n              uint16 // SegmentID.N
	prev, next     link
	edge           uint8
	mark           uint8 // for Resolve alone
}

// link names the segment that s is linked to, and the far end of it.
type link struct {
	x, y int16  // relative to the cell of s: -Unit..2*Unit
	n    uint16 // SegmentID.N
	cell uint16 // 0 none, else 1 + place in the 3x3 cells round the cell of s, rows first
}

// Marks of a seg during Resolve.
const (
	added   = 1 << iota // was not there before
	altered             // its tile or edge number is another
)

// block is a run of a pool: the segments of one cell. Its room is the next power
// of two of n.
type block struct {
	first uint32
	n     uint16
}

// pool holds the segments of a chunk in runs of 1, 2, 4.. segments. A run that is
// given back waits in a list for the next of its size: a chain through field n
// and edge of its first segment would save nothing, so ax and ay hold it.
type pool struct {
	segs []seg
	free [12]uint32 // by the binary logarithm of the size: 1 + first, 0 for none
}

func class(n int) int { return bits.Len(uint(n - 1)) }

// alloc returns the start of a run for n > 0 segments.
func (p *pool) alloc(n int) uint32 {
	k := class(n)
	if f := p.free[k]; f != 0 {
		s := &p.segs[f-1]
		p.free[k] = uint32(s.ax) | uint32(s.ay)<<16
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
	s.ax, s.ay = uint16(p.free[k]), uint16(p.free[k]>>16)
	p.free[k] = first + 1
}

// reset forgets all runs and keeps the memory.
func (p *pool) reset() { p.segs, p.free = p.segs[:0], [12]uint32{} }

// store puts the segments of cell i, in the place of those it had.
func (c *chunk) store(i int, segs []seg) {
	if c.at == nil {
		if len(segs) == 0 {
			return
		}
		c.at = new([chunkCells]block)
	}
	b := &c.at[i]
	if b.n == 0 || len(segs) == 0 || class(int(b.n)) != class(len(segs)) {
		if b.n > 0 {
			c.pool.release(b.first, int(b.n))
		}
		if len(segs) > 0 {
			b.first = c.pool.alloc(len(segs))
		}
	}
	b.n = uint16(len(segs))
	copy(c.pool.segs[b.first:], segs)
	c.segs.put(i, len(segs) > 0)
}
