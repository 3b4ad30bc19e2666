package gridseg

import (
	"math/bits"
	"slices"
)

// Resolve brings the segments up to date with the edits since the last Resolve:
// it cuts the edited cells and the four neighbours of each anew, links what meets
// at a vertex of an edited cell anew, and returns the difference.
func (g *Grid) Resolve() Delta {
	g.delta.reset()
	g.added = 0
	if len(g.pending) == 0 {
		return g.delta
	}
	if c, i := g.single(); c != nil {
		g.resolveSingle(c, i)
		return g.delta
	}
	g.spread()
	g.eachRow((*Grid).recutRow)
	g.eachRow((*Grid).linkRow)
	g.delta.Added = slices.Grow(g.delta.Added, g.added)
	g.eachRow((*Grid).reportRow)
	g.settle()
	return g.delta
}

// eachRow calls f for every row of cells that has something to do: rows of chunks
// upwards, rows of cells upwards, chunks from left to right.
func (g *Grid) eachRow(f func(*Grid, *chunk, int)) {
	for rest := g.active; len(rest) > 0; {
		band := sameRow(rest)
		rest = rest[len(band):]
		var rows uint16
		for _, c := range band {
			rows |= c.rows
		}
		for ; rows != 0; rows &= rows - 1 {
			y := bits.TrailingZeros16(rows)
			for _, c := range band {
				if c.rows>>y&1 != 0 {
					f(g, c, y)
				}
			}
		}
	}
}

// spread lists the chunks near an edit and flags their cells to cut and to link.
// Flags are gathered, not scattered: a chunk takes the edits of the nine round it.
func (g *Grid) spread() {
	for _, c := range g.pending {
		reach := c.editReach()
		for k, o := range c.near {
			if reach>>k&1 != 0 && o != nil && !o.active && o.gather(g.layers.any) {
				o.active = true
				g.active = append(g.active, o)
			}
		}
	}
	sortChunks(g.active)
}

// editReach returns which of the 3x3 chunks round c have cells next to an edited
// one of c, as bits, rows first.
func (c *chunk) editReach() uint {
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
	reach := row << 3
	if c.edited&1 != 0 {
		reach |= row
	}
	if c.edited>>chunkMask != 0 {
		reach |= row << 6
	}
	return reach
}

// editedNear returns the rows of c that are edited, or next to a row that is, in c
// or the chunks round it.
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

// gather sets c.recut, c.touch and c.rows from the dirty cells of the chunks near,
// and reports whether there are any rows. keep tells that faces may be preserved.
func (c *chunk) gather(keep bool) bool {
	c.rows = 0
	if !keep && c.buried() {
		return false
	}
	last := -2 // the row done before, whose words serve this one if they are neighbours
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
		// Bit 0 of these 18 is the column left of the chunk.
		touch := uint16((all | all<<1 | all>>1) >> 1)
		recut := uint16((here | here<<1 | here>>1 | below | above) >> 1)
		segs := c.flag[segged][y]
		recut &= c.occupied[y] | segs
		if recut != 0 && !keep {
			// A block among blocks has no surface; if it had none before either,
			// there is nothing to do, which is most of a large fill.
			recut &^= c.enclosed(y) &^ segs
		}
		c.recut[y], c.touch[y] = recut, touch
		if recut != 0 || touch&segs != 0 {
			c.rows |= 1 << y
		}
	}
	return c.rows != 0
}

// buried reports whether c holds nothing but blocks, lies amid four chunks of that
// kind and never had a segment: the inside of a large fill, done with one look.
func (c *chunk) buried() bool {
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

// enclosed returns the cells of row y that are blocks with blocks on all four
// sides.
func (c *chunk) enclosed(y int) uint16 {
	f := c.flag[blocks][y]
	if f == 0 {
		return 0
	}
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

// recutRow makes the segments of the flagged cells of a row anew: of the edited ones
// all, of their neighbours those on the borders with edited ones.
func (g *Grid) recutRow(c *chunk, y int) {
	m := c.recut[y]
	if m == 0 {
		return
	}
	own := c.flag[dirty][y]
	var below, here, above uint32
	if m&^own != 0 {
		below, here, above = c.wide(dirty, y-1), c.wide(dirty, y), c.wide(dirty, y+1)
	}
	for ; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		g.scratch = g.scratch[:0]
		if own>>x&1 == 0 {
			edits := below>>(x+1)&1<<bottom | here>>(x+2)&1<<right | above>>(x+1)&1<<top | here>>x&1<<left
			if edits = g.formAt(c, i).onFaces(edits); edits == 0 {
				continue
			}
			g.scratch = g.appendBorders(g.scratch, c, i, edits)
		} else if c.form[i] != 0 {
			g.scratch = g.appendPieces(g.scratch, c, i)
		}
		g.recutCell(c, i)
	}
}

// recutCell puts the segments in scratch in the place of those of a cell. Those that
// stay take their links along; those that go are entered in the delta.
func (g *Grid) recutCell(c *chunk, i int) {
	now, was := g.scratch, c.segments(i)
	if len(was) == 0 {
		for j := range now {
			now[j].mark = added
		}
		g.added += len(now)
	} else {
		g.compare(c, i, now, was)
	}
	if len(now)+len(was) > 0 {
		g.segments += len(now) - len(was)
		c.store(i, now)
	}
}

// compare tells the new segments of a cell from those that stay.
func (g *Grid) compare(c *chunk, i int, now, was []seg) {
	tile := c.tile(i)
	old, stay := tile, uint8(0)
	if c.flag[dirty].has(i) {
		if old = c.resolvedTile(i); old != tile {
			stay = altered
		}
	}
	patched := stay != 0 && (tile.Shape == Patch || old.Shape == Patch)
	k := 0
	for j := range now {
		s := &now[j]
		for k < len(was) && was[k].key() < s.key() {
			g.delta.add(&g.delta.Removed, &was[k], c.cell(i), g.tileOf(old, was[k].owner))
			k++
		}
		s.mark = added
		if k < len(was) && was[k].key() == s.key() {
			// Within one tile the ends decide on the edge number, so that cannot have
			// changed alone.
			o := &was[k]
			s.prev, s.next, s.mark = o.prev, o.next, stay
			if patched && o.edge == s.edge && g.tileOf(old, o.owner) == g.tileOf(tile, s.owner) {
				s.mark = 0
			}
			k++
		}
	}
	for ; k < len(was); k++ {
		g.delta.add(&g.delta.Removed, &was[k], c.cell(i), g.tileOf(old, was[k].owner))
	}
}

// reportRow enters the segments of a row in the delta that are new or altered.
func (g *Grid) reportRow(c *chunk, y int) {
	for m := c.touch[y] & c.flag[segged][y]; m != 0; m &= m - 1 {
		g.reportCell(c, y<<chunkBits|bits.TrailingZeros16(m))
	}
}

// reportCell is reportRow for one cell, which has segments.
func (g *Grid) reportCell(c *chunk, i int) {
	b := c.at[i]
	segs := c.pool.segs[b.first : b.first+uint32(b.n)]
	for k := range segs {
		s := &segs[k]
		if s.mark == 0 {
			continue
		}
		list := &g.delta.Relinked
		if s.mark&added != 0 {
			list = &g.delta.Added
		}
		s.mark = 0
		g.delta.add(list, s, c.cell(i), g.tileOf(c.tile(i), s.owner))
	}
}

// maxSpareOld bounds what is kept of the memory that a large edit needs for the
// tiles before it, 3 KiB a chunk.
const maxSpareOld = 256

// settle ends a Resolve: what was edited counts as resolved, and chunks without
// tiles go.
func (g *Grid) settle() {
	for _, c := range g.active {
		c.active, c.rows = false, 0
	}
	for _, c := range g.pending {
		c.pending, c.edited, c.flag[dirty] = false, 0, flags{}
		if c.old != nil {
			if len(g.spareOld) < maxSpareOld {
				g.spareOld = append(g.spareOld, c.old)
			}
			c.old = nil
		}
		if c.tiles == 0 {
			if c.attrs != nil {
				g.spareAttrs = append(g.spareAttrs, c.attrs)
				c.attrs = nil
			}
			g.drop(c)
		}
	}
	g.patches.settle()
	clear(g.active)
	clear(g.pending)
	g.active, g.pending = g.active[:0], g.pending[:0]
}
