package gridseg

import "math/bits"

// work is the work of one Resolve in a chunk.
type work struct {
	rows          uint16 // rows with work; the flags are valid in these rows only
	recut, relink flags  // cells whose segments are cut again; cells whose segments are linked again
	slow          flags  // cells with a non-plain form in their 3x3 cells
	fresh         flags  // not slow, and without segments before: all segments are new
	changed       flags  // not slow, with marked segments
	anySlow       bool   // slow is not empty

	// The vertex links above the current row, for the row above it, which is linksForRow. Bit k of
	// knownLinks is set if topLinks[k] was looked up in this generation of the table. Slow cells
	// have none.
	topLinks        [chunkSide + 1]*vertexLinks
	knownLinks      uint32
	linksForRow     int
	tableGeneration int
}

// collectWork lists the chunks near an edit and flags their cells to cut and to link. It returns
// whether any of these is slow. Each chunk gathers its flags from the edits of the nine chunks
// around it.
func (g *Grid) collectWork() (slow bool) {
	for _, c := range g.pending {
		near := c.editedNeighbours()
		for k, o := range c.near {
			if near>>k&1 == 0 || o == nil || o.work != nil {
				continue
			}
			if len(g.works) == len(g.active) {
				g.works = append(g.works, new(work))
			}
			if w := g.works[len(g.active)]; o.planWork(w, g.layers.any()) {
				o.work = w
				g.active = append(g.active, o)
				slow = slow || w.anySlow
			}
		}
	}
	sortChunks(g.active)
	return slow
}

// countCleared returns the number of segments in edited cells that are now empty. The delta must
// have room for all of them.
func (g *Grid) countCleared() (n int) {
	for _, c := range g.pending {
		for rows := c.edited; rows != 0; rows &= rows - 1 {
			y := bits.TrailingZeros16(rows)
			for m := c.flag[dirty][y] & c.flag[hasSegments][y] &^ c.occupied[y]; m != 0; m &= m - 1 {
				n += int(c.at[y<<chunkBits|bits.TrailingZeros16(m)].n)
			}
		}
	}
	return n
}

// editedNeighbours returns which of the 3x3 chunks around c have cells next to an edited cell of c,
// as bits, by row.
func (c *chunk) editedNeighbours() uint {
	var columns uint16
	for rows := c.edited; rows != 0 && columns != 1<<chunkSide-1; rows &= rows - 1 {
		columns |= c.flag[dirty][bits.TrailingZeros16(rows)]
	}
	row := uint(1 << 1) // left, middle, right
	if columns&1 != 0 {
		row |= 1 << 0
	}
	if columns>>chunkMask != 0 {
		row |= 1 << 2
	}
	near := row << 3
	if c.edited&1 != 0 {
		near |= row
	}
	if c.edited>>chunkMask != 0 {
		near |= row << 6
	}
	return near
}

// editedNear returns the rows of c that are edited or next to an edited row, in c or the chunks
// around it.
func (c *chunk) editedNear() uint16 {
	var rows [3]uint16 // below, beside, above
	for k, o := range c.near {
		if o != nil {
			rows[k/3] |= o.edited
		}
	}
	m := rows[1]
	return m | m<<1 | m>>1 | rows[0]>>chunkMask | rows[2]<<chunkMask
}

// planWork sets the flags of w from the dirty cells of the chunks near c, and returns whether any
// row has work. layered reports whether the grid has preserved layers.
func (c *chunk) planWork(w *work, layered bool) bool {
	w.rows, w.anySlow, w.knownLinks = 0, false, 0
	if !layered && c.allBuried() {
		return false
	}
	anyNonPlain := false
	for _, o := range c.near {
		anyNonPlain = anyNonPlain || o != nil && o.nonPlainCount > 0
	}
	last := -2 // the previous row, whose words are reused by the row above it
	var below, here, above uint32
	for near := c.editedNear(); near != 0; near &= near - 1 {
		y := bits.TrailingZeros16(near)
		if y == last+1 {
			below, here = here, above
		} else {
			below, here = c.wide(dirty, y-1), c.wide(dirty, y)
		}
		above = c.wide(dirty, y+1)
		last = y
		all := below | here | above
		if all == 0 {
			continue
		}
		relink := around(all)
		recut := uint16((here | here<<1 | here>>1 | below | above) >> 1)
		segs := c.flag[hasSegments][y]
		recut &= c.occupied[y] | segs
		if recut != 0 && !layered {
			// A buried block has no surface. If it had none before either, it needs no work; this
			// holds for most cells of a large fill.
			recut &^= c.buried(y) &^ segs
		}
		if recut == 0 && relink&segs == 0 {
			continue
		}
		w.rows |= 1 << y
		w.recut[y], w.relink[y], w.fresh[y], w.changed[y] = recut, relink, 0, 0
		w.slow[y] = 0
		if layered {
			w.slow[y] = 1<<chunkSide - 1
		} else if anyNonPlain {
			w.slow[y] = around(c.wide(nonPlain, y-1) | c.wide(nonPlain, y) | c.wide(nonPlain, y+1))
		}
		w.anySlow = w.anySlow || w.slow[y] != 0
	}
	return w.rows != 0
}

// around returns the columns of a chunk that are set in wide, or next to a set column.
func around(wide uint32) uint16 { return uint16((wide | wide<<1 | wide>>1) >> 1) }

// allBuried reports whether c and its four neighbours consist of blocks only and c never had a
// segment: the inside of a large fill needs no further look.
func (c *chunk) allBuried() bool {
	if c.at != nil {
		return false
	}
	for k := 1; k < 9; k += 2 {
		if o := c.near[k]; o == nil || o.solid != chunkCells {
			return false
		}
	}
	return c.solid == chunkCells
}

// buried returns the cells of row y that are blocks with blocks on all four sides.
func (c *chunk) buried(y int) uint16 {
	f := c.flag[blocks][y]
	if f == 0 {
		return 0
	}
	// c.wide would do, but makes a fill of blocks a fifth slower.
	var w, e, s, n uint16
	if o := c.near[3]; o != nil {
		w = o.flag[blocks][y] >> chunkMask
	}
	if o := c.near[5]; o != nil {
		e = o.flag[blocks][y] << chunkMask
	}
	if y > 0 {
		s = c.flag[blocks][y-1]
	} else if o := c.near[1]; o != nil {
		s = o.flag[blocks][chunkMask]
	}
	if y < chunkMask {
		n = c.flag[blocks][y+1]
	} else if o := c.near[7]; o != nil {
		n = o.flag[blocks][0]
	}
	return f & (f<<1 | w) & (f>>1 | e) & s & n
}
