package gridseg

import (
	"math/bits"
	"slices"
)

// Resolve brings the segments up to date with the edits since the last Resolve. It cuts the edited
// cells and their four neighbours again, links the segments again at all vertices of edited cells,
// and returns the changes.
func (g *Grid) Resolve() Delta {
	g.delta.reset(g, &g.small)
	g.added = 0
	if len(g.pending) == 0 {
		return g.delta
	}
	if g.moments != nil {
		g.countEdits(g.moments, 1)
	}
	if c, i := g.single(); c != nil {
		g.resolveSingle(c, i)
		return g.delta
	}
	slow := g.collectWork()
	g.delta.removed = slices.Grow(g.delta.removed, g.countCleared())
	g.eachRow((*Grid).recutRow)
	if slow {
		g.eachRow((*Grid).linkRow)
	}
	g.commitEdits()
	g.delta.added = slices.Grow(g.delta.added, g.added)
	g.eachRow((*Grid).reportRow)
	g.delta.coverRemoved()
	for _, c := range g.active {
		c.work.rows = 0
		c.work = nil
	}
	clear(g.active)
	g.active = g.active[:0]
	return g.delta
}

// eachRow calls f for every row of cells with work: rows of chunks upwards, rows of cells upwards,
// chunks from left to right.
func (g *Grid) eachRow(f func(*Grid, *chunk, int)) {
	for rest := g.active; len(rest) > 0; {
		band := sameRow(rest)
		rest = rest[len(band):]
		var rows uint16
		for _, c := range band {
			rows |= c.work.rows
		}
		for ; rows != 0; rows &= rows - 1 {
			y := bits.TrailingZeros16(rows)
			for _, c := range band {
				if c.work.rows>>y&1 != 0 {
					f(g, c, y)
				}
			}
		}
	}
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
			if w := g.works[len(g.active)]; o.planWork(w, g.layers.any) {
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

// recutRow cuts the flagged cells of a row again. Cells that are not slow are cut and linked as a
// whole; slow cells are cut as a whole if they were edited, otherwise on the borders with edited
// cells only.
func (g *Grid) recutRow(c *chunk, y int) {
	w := c.work
	slow := w.slow[y]
	if m := w.recut[y] | w.relink[y]&c.flag[hasSegments][y]; m&^slow == m {
		g.plainRow(c, y, m)
		return
	}
	own := c.flag[dirty][y]
	below, here, above := c.wide(dirty, y-1), c.wide(dirty, y), c.wide(dirty, y+1)
	for m := w.recut[y] | w.relink[y]&c.flag[hasSegments][y]&^slow; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if slow>>x&1 == 0 {
			w.knownLinks = 0
			g.plainRow(c, y, m&-m)
			continue
		}
		g.scratch = g.scratch[:0]
		if own>>x&1 == 0 {
			edits := below>>(x+1)&1<<bottom | here>>(x+2)&1<<right | above>>(x+1)&1<<top | here>>x&1<<left
			if edits = g.formAt(c, i).onFaces(edits); edits == 0 {
				continue
			}
			g.scratch = g.appendBorders(g.scratch, c, i, edits)
		} else if c.form[i] != 0 {
			g.scratch = g.appendCellSegments(g.scratch, c, i)
		}
		g.recutCell(c, i)
	}
}

// plainRow cuts and links the given cells of a row; none of them is slow.
func (g *Grid) plainRow(c *chunk, y int, cells uint16) {
	var forms [3][chunkSide + 2]formID
	for k := range forms {
		c.wideForms(&forms[k], y+k-1)
	}
	g.vertices.reserve(2 * (chunkSide + 1))
	w := c.work
	if w.linksForRow != y-1 || w.tableGeneration != g.vertices.generation {
		w.knownLinks = 0
	}
	below, above := w.knownLinks, uint32(0)
	var at [4]*vertexLinks // at the corners of the current cell
	last := -2
	for m := cells; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if x == last+1 {
			at[0], at[2] = at[1], at[3]
		} else {
			if at[0] = w.topLinks[x]; below>>x&1 == 0 {
				at[0] = g.linksAt(vertexKey(forms[0][x], forms[0][x+1], forms[1][x], forms[1][x+1]))
			}
			at[2] = g.linksAt(vertexKey(forms[1][x], forms[1][x+1], forms[2][x], forms[2][x+1]))
		}
		if at[1] = w.topLinks[x+1]; below>>(x+1)&1 == 0 {
			at[1] = g.linksAt(vertexKey(forms[0][x+1], forms[0][x+2], forms[1][x+1], forms[1][x+2]))
		}
		at[3] = g.linksAt(vertexKey(forms[1][x+1], forms[1][x+2], forms[2][x+1], forms[2][x+2]))
		w.topLinks[x], w.topLinks[x+1] = at[2], at[3]
		above |= 3 << x
		last = x
		f := forms[1][x+1]
		t := g.shapes.traits
		covered := t[forms[0][x+1]].whole(top)<<bottom | t[forms[1][x+2]].whole(left)<<right |
			t[forms[2][x+1]].whole(bottom)<<top | t[forms[1][x]].whole(right)<<left
		n, stubs := cutPlain(&g.plain, g.shapes.segments[f], covered, &at)
		now := g.plain[:n]
		if !c.flag[hasSegments].has(i) {
			if n > 0 {
				w.fresh[y] |= 1 << x
				g.added += n
				g.segments += n
				c.storeWithStubs(i, now, stubs, g.shapes.traits[f]&innerForm != 0)
			}
		} else if was := c.segments(i); g.compare(c, i, now, was, true) {
			w.changed[y] |= 1 << x
			g.segments += n - len(was)
			c.storeWithStubs(i, now, stubs, g.shapes.traits[f]&innerForm != 0)
		}
	}
	w.knownLinks, w.linksForRow, w.tableGeneration = above, y, g.vertices.generation
}

// wideForms reads row y, -1 to 16, of the forms, with one more column on either side.
func (c *chunk) wideForms(row *[chunkSide + 2]formID, y int) {
	k := 4
	if y < 0 {
		k = 1
	} else if y >= chunkSide {
		k = 7
	}
	y = y & chunkMask << chunkBits
	if o := c.near[k]; o != nil {
		*(*[chunkSide]formID)(row[1:]) = *(*[chunkSide]formID)(o.form[y:])
	}
	if o := c.near[k-1]; o != nil {
		row[0] = o.form[y|chunkMask]
	}
	if o := c.near[k+1]; o != nil {
		row[chunkSide+1] = o.form[y]
	}
}

// recutCell replaces the segments of a slow cell by those in scratch. Segments that stay keep their
// links; removed segments are entered in the delta.
func (g *Grid) recutCell(c *chunk, i int) {
	now, was := g.scratch, c.segments(i)
	if len(was) == 0 {
		for j := range now {
			now[j].mark = added
		}
		g.added += len(now)
	} else {
		g.compare(c, i, now, was, false)
	}
	if len(now)+len(was) > 0 {
		g.segments += len(now) - len(was)
		c.store(i, now)
	}
}

// compare marks the new segments of a cell and enters the removed ones in the delta. It returns
// whether there is any difference. linked reports whether now has its links; otherwise the segments
// that stay keep their old links.
func (g *Grid) compare(c *chunk, i int, now, was []seg, linked bool) bool {
	tile := c.cellTile(i)
	old, stay := tile, uint8(0)
	if c.flag[dirty].has(i) {
		if old = c.old[i]; old != tile {
			stay = altered
		}
	}
	patched := stay != 0 && (tile.form == patchForm || old.form == patchForm)
	differs := len(now) != len(was)
	k := 0
	for j := range now {
		s := &now[j]
		key := s.key()
		for k < len(was) && was[k].key() < key {
			g.reportRemoved(&was[k], c.cell(i), old)
			k++
		}
		s.mark = added
		if k < len(was) && was[k].key() == key {
			// Within one tile the ends determine the edge number, so that cannot have changed
			// alone.
			o := &was[k]
			s.mark = stay
			if patched && o.edge == s.edge && g.tileOfOwner(old, o.owner) == g.tileOfOwner(tile, s.owner) {
				s.mark = 0
			}
			if !linked {
				s.prev, s.next = o.prev, o.next
			} else if s.prev != o.prev || s.next != o.next {
				s.mark |= altered
			}
			k++
		}
		differs = differs || s.mark != 0
	}
	for ; k < len(was); k++ {
		g.reportRemoved(&was[k], c.cell(i), old)
	}
	return differs
}

// reportRemoved enters a removed segment in the delta; l is the tile that it belonged to.
func (g *Grid) reportRemoved(s *seg, cell Cell, l cellTile) {
	g.delta.removed = append(g.delta.removed, removedSegment{*s, cell, g.tileOfOwner(l, s.owner)})
}

// reportRow enters the added and altered segments of a row in the delta.
func (g *Grid) reportRow(c *chunk, y int) {
	w := c.work
	fresh := w.fresh[y]
	cells := (fresh | w.changed[y] | w.relink[y]&w.slow[y]) & c.flag[hasSegments][y]
	for m := cells; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if fresh>>x&1 == 0 {
			if g.reportCell(c, i) {
				g.delta.Cells = g.delta.Cells.Grow(c.cell(i))
			}
			continue
		}
		r := deltaRef{c.slot, 0, uint8(i)}
		for n := c.at[i].n; r.n < n; r.n++ {
			g.delta.added = append(g.delta.added, r)
		}
	}
	if fresh != 0 {
		first, last := bits.TrailingZeros16(fresh), chunkMask-bits.LeadingZeros16(fresh)
		g.delta.Cells = g.delta.Cells.Grow(c.cell(y<<chunkBits | first)).Grow(c.cell(y<<chunkBits | last))
	}
}

// reportCell enters the marked segments of a cell in the delta, and returns whether there are any.
func (g *Grid) reportCell(c *chunk, i int) bool {
	b := &c.at[i]
	segs := c.pool.segs[b.first : b.first+uint32(b.n)]
	any := false
	for k := range segs {
		s := &segs[k]
		if s.mark == 0 {
			continue
		}
		r := deltaRef{c.slot, uint16(k), uint8(i)}
		if s.mark&added != 0 {
			g.delta.added = append(g.delta.added, r)
		} else {
			g.delta.relinked = append(g.delta.relinked, r)
		}
		s.mark, any = 0, true
	}
	return any
}

// maxSpareOld bounds the number of arrays of old tiles kept for reuse, 3 KiB each. A large edit
// needs one a chunk.
const maxSpareOld = 256

// commitEdits marks all edits as resolved. It removes chunks without tiles, so it must come before
// deltaRefs are made, which use chunk numbers.
func (g *Grid) commitEdits() {
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
			g.removeChunk(c)
		}
	}
	g.patches.releaseRetired()
	clear(g.pending)
	g.pending = g.pending[:0]
}
