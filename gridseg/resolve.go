package gridseg

import (
	"math/bits"
	"slices"
)

// Resolve brings the segments up to date with the edits since the last Resolve:
// it cuts the edited cells and the four neighbours of each anew, links what meets
// at a vertex of an edited cell anew, and returns the difference.
func (g *Grid) Resolve() Delta {
	g.delta.reset(g, &g.small)
	g.added = 0
	if len(g.pending) == 0 {
		return g.delta
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

// eachRow calls f for every row of cells that has something to do: rows of chunks
// upwards, rows of cells upwards, chunks from left to right.
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

// collectWork lists the chunks near an edit and flags their cells to cut and to link; it reports
// whether some of these are slow. Flags are gathered, not scattered: a chunk takes the edits
// of the nine round it.
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

// countCleared returns the number of segments in edited cells that are empty now: all of these
// go, so that there must be room for them in the delta.
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

// editedNeighbours returns which of the 3x3 chunks round c have cells next to an edited
// one of c, as bits, rows first.
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

// planWork sets the flags of w from the dirty cells of the chunks near, and reports whether
// there are any rows. keep tells that faces may be preserved.
func (c *chunk) planWork(w *work, layered bool) bool {
	w.rows, w.anySlow, w.knownLinks = 0, false, 0
	if !layered && c.allBuried() {
		return false
	}
	anyNonPlain := false
	for _, o := range c.near {
		anyNonPlain = anyNonPlain || o != nil && o.nonPlainCount > 0
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
		touch := around(all)
		recut := uint16((here | here<<1 | here>>1 | below | above) >> 1)
		segs := c.flag[hasSegments][y]
		recut &= c.occupied[y] | segs
		if recut != 0 && !layered {
			// A block among blocks has no surface; if it had none before either,
			// there is nothing to do, which is most of a large fill.
			recut &^= c.buried(y) &^ segs
		}
		if recut == 0 && touch&segs == 0 {
			continue
		}
		w.rows |= 1 << y
		w.recut[y], w.touch[y], w.fresh[y], w.changed[y] = recut, touch, 0, 0
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

// around returns the columns of a chunk that are in wide, or beside one that is.
func around(wide uint32) uint16 { return uint16((wide | wide<<1 | wide>>1) >> 1) }

// allBuried reports whether c holds nothing but blocks, lies amid four chunks of that
// kind and never had a segment: the inside of a large fill, done with one look.
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

// buried returns the cells of row y that are blocks with blocks on all four
// sides.
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

// recutRow makes the segments of the flagged cells of a row anew. Of cells that are not slow
// it makes them whole, links and all; of slow ones, where they were edited all, else those on
// the borders with edited cells.
func (g *Grid) recutRow(c *chunk, y int) {
	w := c.work
	slow := w.slow[y]
	if m := w.recut[y] | w.touch[y]&c.flag[hasSegments][y]; m&^slow == m {
		g.plainRow(c, y, m)
		return
	}
	own := c.flag[dirty][y]
	below, here, above := c.wide(dirty, y-1), c.wide(dirty, y), c.wide(dirty, y+1)
	for m := w.recut[y] | w.touch[y]&c.flag[hasSegments][y]&^slow; m != 0; m &= m - 1 {
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

// plainRow makes the segments of some cells of a row anew that are not slow.
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
	var at [4]*vertexLinks // at the left of the cell in work and at its right
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

// wideForms reads row y, -1 to 16, of the forms, with one column more on either side.
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

// recutCell puts the segments in scratch in the place of those of a slow cell. Those that
// stay take their links along; those that go are entered in the delta.
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

// compare tells the new segments of a cell from those that stay, and reports whether there is
// any difference. linked tells that the new ones have their links; otherwise those that stay
// take theirs along.
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
			// Within one tile the ends decide on the edge number, so that cannot have
			// changed alone.
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

// reportRemoved enters a segment in the delta that was of what l was.
func (g *Grid) reportRemoved(s *seg, cell Cell, l cellTile) {
	g.delta.removed = append(g.delta.removed, removedSegment{*s, cell, g.tileOfOwner(l, s.owner)})
}

// reportRow enters the segments of a row in the delta that are new or altered.
func (g *Grid) reportRow(c *chunk, y int) {
	w := c.work
	fresh := w.fresh[y]
	cells := (fresh | w.changed[y] | w.touch[y]&w.slow[y]) & c.flag[hasSegments][y]
	for m := cells; m != 0; m &= m - 1 {
		x := bits.TrailingZeros16(m)
		i := y<<chunkBits | x
		if fresh>>x&1 == 0 {
			if g.reportCell(c, i) {
				g.delta.Cells = g.delta.Cells.grow(c.cell(i))
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
		g.delta.Cells = g.delta.Cells.grow(c.cell(y<<chunkBits | first)).grow(c.cell(y<<chunkBits | last))
	}
}

// reportCell enters the marked segments of a cell in the delta, and reports whether there are
// any.
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

// maxSpareOld bounds what is kept of the memory that a large edit needs for the
// tiles before it, 3 KiB a chunk.
const maxSpareOld = 256

// commitEdits makes what was edited count as resolved. Chunks without tiles go, so it comes
// before segments are named by the numbers of their chunks.
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
