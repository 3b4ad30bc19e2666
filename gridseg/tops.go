package gridseg

// What rows of bits tell of the tops of blocks, 16 cells at a time.

// tops returns the cells of row y that hold a block with nothing on it: whose top is
// one segment, and linked to that of the next. There are none in a grid with edits
// still to be resolved near by.
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

// between returns the cells of row y that have one segment alone, the top of a block,
// which goes on from that of the cell to the right. The chunks to the left and right of c
// are l and r, or nil where there is none. Either may be c itself, if its border is not
// worth a look: the cell there is then left out.
func (c *chunk) between(y int, l, r *chunk) uint16 {
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
	if r != c && r != nil {
		before |= r.tops(y) << chunkMask
	}
	if l != c && l != nil && !l.pending {
		after |= l.flag[blocks][y] >> chunkMask
	}
	return t & before & after & below
}

// resolvedBuried returns the cells of row y that hold a block with blocks on all four sides.
// There are none in a grid with edits still to be resolved near by.
func (c *chunk) resolvedBuried(y int) uint16 {
	if c.pending {
		return 0
	}
	here := c.flag[blocks][y]
	l, r := here<<1, here>>1
	if o := c.near[3]; o != nil && !o.pending {
		l |= o.flag[blocks][y] >> chunkMask
	}
	if o := c.near[5]; o != nil && !o.pending {
		r |= o.flag[blocks][y] << chunkMask
	}
	side := func(o *chunk, y int) uint16 {
		if o == nil || o.pending {
			return 0
		}
		return o.flag[blocks][y&chunkMask]
	}
	above, below := c, c
	if y == chunkMask {
		above = c.near[7]
	}
	if y == 0 {
		below = c.near[1]
	}
	return here & l & r & side(above, y+1) & side(below, y-1)
}

// AppendMaterials appends the materials of the tiles along run, one of List, which is of
// tops of blocks: one for each tile, or one for all that are sure to be alike.
func (rs *Runs) AppendMaterials(dst []uint16, run *Run) []uint16 {
	for k := run.from; k < run.to; k++ {
		st := &rs.strips[k]
		c, x := st.c, int(st.i&chunkMask)
		row := int(st.i) &^ chunkMask
		for n := int(st.n); n > 0; c, x = c.near[3], chunkMask {
			here := min(n, x+1) // in this chunk
			if c.attrs == nil && !c.pending {
				dst = append(dst, c.attr.material)
			} else {
				for i := row | x; i > (row|x)-here; i-- {
					dst = append(dst, rs.materialOf(st, c, i))
				}
			}
			n -= here
		}
	}
	return dst
}

// materialOf returns the material of the tile in cell i of c, of which st is.
func (rs *Runs) materialOf(st *strip, c *chunk, i int) uint16 {
	l := c.resolvedAt(i)
	if l.form == patchForm {
		return rs.grid.tileOfOwner(l, st.seg().owner).Material
	}
	return l.attr.material
}
