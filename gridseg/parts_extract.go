package gridseg

import (
	"cmp"
	"math/bits"
	"slices"
)

// Extract moves parts out of the grid, each into a new one, and returns these in the order of the parts: with the
// same shapes, preserved layers and cells, not resolved. Tiles and polygons keep their attributes. If the content
// of a cell is in several pieces, only the pieces of the part are moved; a tile or polygon that this divides
// becomes polygons. The areas are exact. Other cells do not change.
//
// The parts must be of p, different, and newer than the last edit; otherwise Extract panics.
func (p *Parts) Extract(parts []Part) []*Grid {
	g := p.grid
	g.mustNotBeOwned("Parts.Extract")
	out := make([]*Grid, len(parts))
	p.split = p.split[:0]
	for _, of := range parts {
		p.members(of) // panics before anything changes
	}
	for k, of := range parts {
		n := New(g.shapes)
		n.layers = g.layers.share()
		out[k] = n
		for _, m := range p.membersOf(of.comp) {
			p.extract(n, m, k)
		}
	}
	slices.SortFunc(p.split, func(a, b splitPart) int {
		return cmp.Or(byRow(a.at, b.at), cmp.Compare(a.piece, b.piece))
	})
	for rest := p.split; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].at == rest[0].at {
			n++
		}
		p.extractPieces(out, rest[:n])
		rest = rest[n:]
	}
	return out
}

// extract moves the runs of component m to n, and lists its pieces, which go to part k.
func (p *Parts) extract(n *Grid, m int32, k int) {
	g, pc := p.grid, p.comps[m].block.leaf
	c := g.table.find(pc.at.X, pc.at.Y)
	if len(pc.comps) == 1 && len(pc.split) == 0 && n.copyChunk(c) {
		g.fillChunk(c, c.rect(), Tile{})
		return
	}
	for _, s := range pc.split {
		for piece := range s.n {
			if pc.nodes[s.first+piece] == m {
				p.split = append(p.split, splitPart{pc.cell(int(s.i)), int(piece), k})
			}
		}
	}
	for y := range chunkSide {
		for row := pc.row(y, m) & pc.cells[y]; row != 0; row &= row - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(row)
			at := c.cell(i)
			n.putCopy(at.X, at.Y, &g.reader, c.tile(i))
			g.put(c, i, cellTile{})
		}
	}
}

// copyChunk puts the tiles of c, which is of another grid with the same shapes, into the same cells,
// which are empty. It returns false, and does nothing, if c has patches.
func (g *Grid) copyChunk(c *chunk) bool {
	if c.patched() {
		return false
	}
	d := g.chunkAt(c.cx, c.cy)
	g.markEdited(d)
	if d.form = c.form; c.owned {
		d.owned = false
		d.own()
	}
	if d.attr = c.attr; c.attrs != nil {
		d.attrs = take(&g.spareAttrs)
		*d.attrs = *c.attrs
	}
	d.occupied, d.flag[dirty], d.flag[blocks], d.flag[nonPlain] = c.occupied, c.occupied, c.flag[blocks],
		c.flag[nonPlain]
	d.tiles, d.solid, d.whole, d.nonPlainCount = c.tiles, c.solid, c.whole, c.nonPlainCount
	for y, row := range c.occupied {
		if row != 0 {
			d.edited |= 1 << y
		}
	}
	g.tiles += int(c.tiles)
	return true
}

// extractPieces divides the pieces of one cell: the listed ones, in ascending order, go to their parts, and the
// others stay.
func (p *Parts) extractPieces(out []*Grid, list []splitPart) {
	g, at := p.grid, list[0].at
	t := g.rawTile(at.X, at.Y)
	into := make([]int, len(g.formOf(t).pieces.area))
	grids := []*Grid{g}
	for _, s := range list {
		k := slices.Index(grids, out[s.part])
		if k < 0 {
			k = len(grids)
			grids = append(grids, out[s.part])
		}
		into[s.piece] = k
	}
	polys := make([][]polygon, len(grids))
	splitPieces(g.polysOf(t), into, polys)
	for k, to := range grids {
		now, err := to.contentOf(polys[k])
		if err != nil { // no part of a cell has more vertices or polygons than the cell
			panic("quarry: gridseg: Extract: " + err.Error())
		}
		to.putContent(at.X, at.Y, now)
	}
}
