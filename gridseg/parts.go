package gridseg

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Parts returns the parts of g. The first call computes them; from then on the parts follow the edits of g. There
// are no anchors at first.
func (g *Grid) Parts() *Parts {
	if g.parts == nil {
		g.parts = &Parts{grid: g, chunks: map[Cell]*partChunk{}, blocks: map[placeOfBlock]*partBlock{}}
		g.parts.all()
	}
	return g.parts
}

// SetAnchors chooses the anchored tiles: those with a cell in one of the rectangles, and those with
// User & bits other than 0. A polygon of a cell counts as a tile.
func (p *Parts) SetAnchors(cells []Rect, bits uint32) {
	if slices.Equal(p.anchors.given, cells) && p.bits == bits {
		return
	}
	p.anchors.set(cells)
	p.bits = bits
	p.all()
}

// all lists every chunk as edited.
func (p *Parts) all() {
	p.dirty = p.dirty[:0]
	for at := range p.chunks {
		p.dirty = append(p.dirty, at)
	}
	slices.SortFunc(p.dirty, byRow) // the order of a map is none
	for _, c := range p.grid.chunks {
		p.mark(c)
	}
}

// mark lists a chunk whose tiles change.
func (p *Parts) mark(c *chunk) {
	c.watched = false
	// chunks come and go, and no call uses the parts
	if len(p.dirty) == cap(p.dirty) && len(p.dirty) > 2*len(p.chunks) {
		slices.SortFunc(p.dirty, byRow)
		p.dirty = slices.Compact(p.dirty)
	}
	p.dirty = append(p.dirty, Cell{X: c.cx, Y: c.cy})
}

// AppendLoose appends the first of the loose parts, in the order of their first cells: at most n, without parts larger
// than most, and none after parts of the given area in all. more reports whether others follow these. With anchors
// (see SetAnchors), the parts without an anchored tile are loose. Without anchors, these are all parts but the one with
// the largest area, the first of several. Parts beside unloaded cells are never loose. The cost depends on the parts
// that AppendLoose appends, not on the number of loose parts; it costs nothing while no part is loose.
func (p *Parts) AppendLoose(dst []Part, n int, area, most Area) (list []Part, more bool) {
	p.update()
	kept, from, left := p.kept(), len(dst), int64(area)
	p.list = p.list[:0] // the components taken out of the order
	for len(p.order[byPlace]) > 0 {
		k := p.order[byPlace][0]
		if c := &p.comps[k]; k != kept && c.area <= most {
			if more = len(dst)-from >= n || left <= 0; more {
				break
			}
			left -= int64(c.area)
			p.stack = append(p.stack[:0], p.list...) // describe uses list
			dst = append(dst, p.describe(k))
			p.list = append(p.list[:0], p.stack...)
		}
		p.list = append(p.list, k)
		p.heap(byPlace, k, false)
	}
	for _, k := range p.list {
		p.heap(byPlace, k, true)
	}
	return dst, more
}

// kept returns the part that is not loose, if there are no anchors: the one with the largest area; otherwise -1.
func (p *Parts) kept() int32 {
	if p.anchors.given != nil || p.bits != 0 || len(p.order[byArea]) == 0 {
		return -1
	}
	return p.order[byArea][0]
}

// Append appends all parts, in the order of their first cells. It visits every chunk.
func (p *Parts) Append(dst []Part) []Part {
	p.update()
	from := len(dst)
	for _, k := range p.order[byArea] {
		dst = append(dst, p.describe(k))
	}
	slices.SortFunc(dst[from:], comparePlaces)
	return dst
}

// comparePlaces orders parts. Parts with the same first cell have different pieces of it.
func comparePlaces(a, b Part) int {
	return cmp.Or(byRow(a.First, b.First), cmp.Compare(a.piece, b.piece))
}

// describe returns the part of component k.
func (p *Parts) describe(k int32) Part {
	r := &p.comps[k]
	out := Part{
		Area: r.area, Cells: lattice.NoCells, First: cellOfKey(r.first), Anchored: r.anchor, piece: r.piece,
		comp: k, version: p.version,
	}
	for _, m := range p.membersOf(k) {
		c := p.comps[m].block.leaf
		for y := range chunkSide {
			if row := c.row(y, m); row != 0 {
				first, last := bits.TrailingZeros16(row), bits.Len16(row)-1
				out.Cells = lattice.Grow(lattice.Grow(out.Cells, c.cell(y<<chunkBits|first)), c.cell(y<<chunkBits|last))
			}
		}
	}
	return out
}

// members returns the components of a part on level 0. It panics if the grid has been edited since.
func (p *Parts) members(of Part) []int32 {
	if of.version != p.version || len(p.dirty) > 0 {
		panic("quarry: gridseg: a Part was used after an edit of its grid")
	}
	return p.membersOf(of.comp)
}

// membersOf returns the components on level 0 that belong to component k.
func (p *Parts) membersOf(k int32) []int32 {
	p.list = p.list[:0]
	p.visit(k)
	return p.list
}

// visit lists the components on level 0 that belong to component k.
func (p *Parts) visit(k int32) {
	if p.comps[k].block.level == 0 {
		p.list = append(p.list, k)
		return
	}
	for m := p.comps[k].child; m >= 0; m = p.comps[m].next {
		p.visit(m)
	}
}

// update brings the parts up to date with the edits.
func (p *Parts) update() {
	if len(p.dirty) == 0 {
		return
	}
	p.version++
	p.edited = p.edited[:0]
	for _, at := range p.dirty {
		pc, c := p.chunks[at], p.grid.table.find(at.X, at.Y)
		if c != nil {
			c.watched = true
		}
		if pc == nil {
			if c == nil || c.tiles == 0 || c.ghost {
				continue
			}
			pc = p.newChunk(at)
		}
		if pc.built != p.version {
			pc.built = p.version
			p.edited = append(p.edited, pc)
		}
	}
	p.dirty, p.changed, p.touched = p.dirty[:0], p.changed[:0], p.touched[:0]
	for _, pc := range p.edited {
		if c := p.grid.table.find(pc.at.X, pc.at.Y); c != nil && c.tiles > 0 && !c.ghost {
			p.label(pc, c)
		} else {
			p.setComps(&pc.partBlock, 0)
		}
		p.touched = append(p.touched, pc.comps...)
		p.work += len(pc.comps)
	}
	for _, pc := range p.edited {
		p.linkAround(&pc.partBlock)
	}
	p.raise()
}
