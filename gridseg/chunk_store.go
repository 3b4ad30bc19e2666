package gridseg

import "math/bits"

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

// segments returns the stored segments of a cell.
func (c *chunk) segments(i int) []seg {
	if !c.flag[hasSegments].has(i) {
		return nil
	}
	b := c.at[i]
	return c.pool.segs[b.first : b.first+uint32(b.n)]
}

// find returns the index of the segment from a to b in cell i. It panics if there is none.
func (c *chunk) find(i int, a, b spot) int {
	at := &c.at[i]
	segs := c.pool.segs[at.first : at.first+uint32(at.n)]
	for k := range segs {
		if segs[k].a == a && segs[k].b == b {
			return k
		}
	}
	panic("quarry: gridseg: no segment for a link")
}

// repack gives back the room that the segments of c have left.
func (c *chunk) repack() {
	n := 0
	for y, row := range c.flag[hasSegments] {
		for ; row != 0; row &= row - 1 {
			n += 1 << class(int(c.at[y<<chunkBits|bits.TrailingZeros16(row)].n))
		}
	}
	if n == 0 {
		c.at, c.pool = nil, pool{}
		return
	}
	if cap(c.pool.segs) <= 32+2*n {
		return
	}
	was := c.pool
	c.pool = pool{segs: make([]seg, 1, 1+n)}
	for y, row := range c.flag[hasSegments] {
		for ; row != 0; row &= row - 1 {
			b := &c.at[y<<chunkBits|bits.TrailingZeros16(row)]
			first := b.first
			b.first = c.pool.alloc(int(b.n))
			copy(c.pool.segs[b.first:], was.segs[first:first+uint32(b.n)])
		}
	}
}
