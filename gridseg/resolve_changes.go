package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

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
				g.delta.Cells = lattice.Grow(g.delta.Cells, c.cell(i))
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
		g.delta.Cells = lattice.Grow(lattice.Grow(g.delta.Cells, c.cell(y<<chunkBits|first)), c.cell(y<<chunkBits|last))
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

// maxSpareOld bounds the number of arrays of old tiles kept for reuse, 3 KiB each. A large edit
// needs one a chunk.
const maxSpareOld = 256
