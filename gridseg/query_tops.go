package gridseg

// Tops of blocks, found by rows of bits, 16 cells at a time. A top is the upper face of a block
// with an empty cell above.

// tops returns the cells of row y whose tops are one segment each, linked to the tops beside them.
// It returns none if there are unresolved edits in c or the chunk above.
func (c *chunk) tops(y int) uint16 {
	var on uint16
	o := c
	if y < chunkMask {
		on = c.occupied[y+1]
	} else if o = c.near[7]; o != nil {
		on = o.occupied[0]
	}
	if c.pending || o != nil && o.pending {
		return 0
	}
	return c.flag[blocks][y] &^ on
}

// between returns the cells of row y whose only segment is a top that continues the top of the cell
// to the right: the cell to the left and the cell below hold blocks.
func (c *chunk) between(y int) uint16 {
	var below uint16
	o := c
	if y > 0 {
		below = c.flag[blocks][y-1]
	} else if o = c.near[1]; o != nil {
		below = o.flag[blocks][chunkMask]
	}
	if o == nil || o.pending {
		return 0
	}
	t := c.tops(y)
	before, after := t>>1, c.flag[blocks][y]<<1
	if r := c.near[5]; r != nil {
		before |= r.tops(y) << chunkMask
	}
	if l := c.near[3]; l != nil && !l.pending {
		after |= l.flag[blocks][y] >> chunkMask
	}
	return t & before & after & below
}

// resolvedBuried returns the cells of row y, from the columns in, that are blocks with blocks on all four sides, in
// chunks without unresolved edits.
func (c *chunk) resolvedBuried(y int, in uint16) uint16 {
	below, here, above := c.resolvedRow(y-1, in), c.resolvedRow(y, in).full, c.resolvedRow(y+1, in)
	return uint16((here & (here << 1) & (here >> 1) & below.full & above.full) >> 1)
}
