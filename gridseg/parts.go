package gridseg

import (
	"cmp"
	"math/bits"
	"slices"
)

// Parts are the sets of tiles of a grid that hold together. Two polygons hold together through a shared edge of any
// positive length, in one cell or across the border of two; corners do not hold. Layers, materials and one-way
// tiles do not matter: two layers that preserve their faces hold together where they meet. A cell whose content is
// in pieces may belong to several parts.
//
// Make one with Grid.Parts. The parts are a function of the tiles and polygons alone, and include
// edits since the last Resolve.
//
// For each chunk of 16x16 cells Parts keeps the components of its tiles, and the links between those
// of neighbouring chunks; after an edit it computes those of the edited chunks again. If components
// of one part may have lost their connection, searches from each of them through the links run in
// turn until they meet, or all but one have ended: so the cost is that of the edited chunks, and of
// the smaller part or the way round in chunks. (A search from both sides: Even and Shiloach, "An
// on-line edge-deletion problem", 1981.) Once warm, this allocates nothing, except for new patches.
// It takes some 300 bytes a chunk, and more for chunks with many components.
type Parts struct {
	grid    *Grid
	anchors []Rect
	bits    uint32

	dirty    []Cell // chunks that were edited since the last update, by their coordinates
	chunks   map[Cell]*partChunk
	comps    []comp
	freeComp []int32
	parts    []partRecord
	freePart []int32
	count    int // parts
	loose    int // parts without an anchor

	// Memory of an update, kept for the next.
	version uint64 // number of updates
	epoch   uint64
	edited  []*partChunk
	spare   []*partChunk
	up      sets // of runs and pieces of the chunk in work
	search  partSearch
	list    []int32 // components of a part
	split   []splitPart
}

// comp is a component: tiles of one chunk that hold together within it.
type comp struct {
	chunk  *partChunk
	area   Area
	part   int32 // -1: not known yet
	anchor bool

	// Of the search in this epoch.
	epoch uint64
	group int32
	next  int32 // in a list of the search, -1: none
}

// partRecord is a part, by its number. Free numbers have comps 0.
type partRecord struct {
	area    Area
	comps   int32
	anchors int32 // components with an anchored tile
	some    int32 // a component of it
	label   int32 // number in the search of this epoch
	epoch   uint64
}

// Parts returns the parts of g. The first call computes them; from then on the parts follow the edits of g. There
// are no anchors at first.
func (g *Grid) Parts() *Parts {
	if g.parts == nil {
		g.parts = &Parts{grid: g, chunks: map[Cell]*partChunk{}}
		g.parts.all()
	}
	return g.parts
}

// SetAnchors chooses the anchored tiles: those with a cell in one of the rectangles, and those with
// User & bits other than 0. A polygon of a cell counts as a tile.
func (p *Parts) SetAnchors(cells []Rect, bits uint32) {
	if slices.Equal(p.anchors, cells) && p.bits == bits {
		return
	}
	p.anchors, p.bits = slices.Clone(cells), bits
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

// markUnloaded lists the chunks in and beside a place that is about to be unloaded or loaded.
func (g *Grid) markUnloaded(r Rect) {
	if g.parts == nil {
		return
	}
	g.eachChunk(r.around(chunkSide), func(c *chunk) bool {
		if c.watched {
			g.parts.mark(c)
		}
		return true
	})
}

// mark lists a chunk whose tiles change.
func (p *Parts) mark(c *chunk) {
	c.watched = false
	if len(p.dirty) == cap(p.dirty) && len(p.dirty) > 2*len(p.chunks) { // chunks come and go, and no call uses the parts
		slices.SortFunc(p.dirty, byRow)
		p.dirty = slices.Compact(p.dirty)
	}
	p.dirty = append(p.dirty, Cell{c.cx, c.cy})
}

func byRow(a, b Cell) int {
	return cmp.Compare(a.key(), b.key()) // one comparison, since sorting takes most of the time
}

// Len returns the number of parts.
func (p *Parts) Len() int {
	p.update()
	return p.count
}

// Part is a part of a grid, valid until the next edit.
type Part struct {
	Area     Area
	Cells    Rect // the smallest rectangle that contains its cells
	First    Cell // its first cell, by row, then column
	Anchored bool
	piece    int32  // the first of its pieces in that cell
	some     int32  // a component
	version  uint64 // of Parts
}

// AppendLoose appends the loose parts, in the order of their first cells. With anchors (see SetAnchors), these are
// the parts without an anchored tile. Without anchors, these are all parts but the one with the greatest area, the
// first of several. Parts beside unloaded cells are never loose. The call costs nothing while no part is loose.
func (p *Parts) AppendLoose(dst []Part) []Part {
	p.update()
	from, kept := len(dst), int32(-1)
	if p.anchors == nil && p.bits == 0 {
		if p.count < 2 {
			return dst
		}
		kept = p.largest()
	} else if p.loose == 0 {
		return dst
	}
	for k := range p.parts {
		if r := &p.parts[k]; r.comps > 0 && int32(k) != kept && r.anchors == 0 {
			dst = append(dst, p.describe(int32(k)))
		}
	}
	slices.SortFunc(dst[from:], comparePlaces)
	return dst
}

// Append appends all parts, in the order of their first cells. It visits every chunk.
func (p *Parts) Append(dst []Part) []Part {
	p.update()
	from := len(dst)
	for k := range p.parts {
		if p.parts[k].comps > 0 {
			dst = append(dst, p.describe(int32(k)))
		}
	}
	slices.SortFunc(dst[from:], comparePlaces)
	return dst
}

// comparePlaces orders parts. Parts with the same first cell have different pieces of it.
func comparePlaces(a, b Part) int {
	return cmp.Or(byRow(a.First, b.First), cmp.Compare(a.piece, b.piece))
}

// largest returns the part with the greatest area; of several the first.
func (p *Parts) largest() int32 {
	best, of := int32(-1), Part{}
	for k := range p.parts {
		r := &p.parts[k]
		switch {
		case r.comps == 0 || best >= 0 && r.area < p.parts[best].area:
			continue
		case best >= 0 && r.area == p.parts[best].area:
			if of.Area == 0 {
				of = p.describe(best)
			}
			if o := p.describe(int32(k)); comparePlaces(o, of) < 0 {
				best, of = int32(k), o
			}
			continue
		}
		best, of = int32(k), Part{}
	}
	return best
}

// describe returns part k.
func (p *Parts) describe(k int32) Part {
	r := &p.parts[k]
	out := Part{Area: r.area, Cells: noCells, First: Cell{1<<31 - 1, 1<<31 - 1}, Anchored: r.anchors > 0, some: r.some, version: p.version}
	for _, m := range p.membersOf(r.some) {
		c := p.comps[m].chunk
		for y := range chunkSide {
			if row := c.row(y, m); row != 0 {
				left := c.cell(y<<chunkBits | bits.TrailingZeros16(row))
				out.Cells = out.Cells.grow(left).grow(c.cell(y<<chunkBits | (bits.Len16(row) - 1)))
				if o := byRow(left, out.First); o < 0 || o == 0 && c.piece(left, m) < out.piece {
					out.First, out.piece = left, c.piece(left, m)
				}
			}
		}
	}
	return out
}

// AppendCells appends the cells with content of a part, by row, then column.
func (p *Parts) AppendCells(dst []Cell, of Part) []Cell {
	from := len(dst)
	for _, m := range p.members(of) {
		c := p.comps[m].chunk
		for y := range chunkSide {
			for row := c.row(y, m); row != 0; row &= row - 1 {
				dst = append(dst, c.cell(y<<chunkBits|bits.TrailingZeros16(row)))
			}
		}
	}
	slices.SortFunc(dst[from:], byRow)
	return dst
}

// members returns the components of a part. It panics if the grid has been edited since.
func (p *Parts) members(of Part) []int32 {
	if of.version != p.version || len(p.dirty) > 0 {
		panic("quarry: gridseg: a Part was used after an edit of its grid")
	}
	return p.membersOf(of.some)
}

// membersOf returns the components of the part of component k.
func (p *Parts) membersOf(k int32) []int32 {
	p.epoch++
	p.list = append(p.list[:0], k)
	p.comps[k].epoch = p.epoch
	for i := 0; i < len(p.list); i++ {
		m := p.list[i]
		for side := range sides {
			for _, l := range p.comps[m].chunk.linksOn(side) {
				if a, b := l.from(side); a == m && p.comps[b].epoch != p.epoch {
					p.comps[b].epoch = p.epoch
					p.list = append(p.list, b)
				}
			}
		}
	}
	return p.list
}

// update brings the parts up to date with the edits.
func (p *Parts) update() {
	if len(p.dirty) == 0 {
		return
	}
	p.version++
	p.epoch++
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
		if pc.epoch != p.epoch {
			pc.epoch = p.epoch
			p.edited = append(p.edited, pc)
		}
	}
	p.dirty = p.dirty[:0]
	p.search.reset()
	for _, pc := range p.edited {
		p.seed(pc)
	}
	for _, pc := range p.edited {
		for _, k := range pc.comps {
			p.move(k, -1)
			p.freeComp = append(p.freeComp, k)
		}
		pc.comps = pc.comps[:0]
	}
	for _, pc := range p.edited {
		if c := p.grid.table.find(pc.at.X, pc.at.Y); c != nil && c.tiles > 0 && !c.ghost {
			p.label(pc, c)
		} else {
			p.dropChunk(pc)
		}
	}
	for _, pc := range p.edited {
		p.linkAround(pc)
	}
	for _, pc := range p.edited {
		p.seed(pc) // of new links
	}
	for _, pc := range p.edited {
		for _, k := range pc.comps {
			p.join(k)
		}
	}
	p.run()
}
