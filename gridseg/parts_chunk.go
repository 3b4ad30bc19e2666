package gridseg

import (
	"math/bits"
	"slices"
)

// newChunk makes the entry of a chunk.
func (p *Parts) newChunk(at Cell) *partChunk {
	pc := take(&p.spare)
	pc.at, pc.leaf = at, pc
	p.chunks[at] = pc
	p.place(&pc.partBlock)
	return pc
}

// label finds the components of a chunk.
func (p *Parts) label(pc *partChunk, c *chunk) {
	g := p.grid
	pc.split, pc.nodes = pc.split[:0], pc.nodes[:0]
	var across, up [chunkSide]uint16 // cells that hold to the next in the row, and in the column
	for y := range chunkSide {
		pc.cells[y] = c.occupied[y]
		for m := c.occupied[y] &^ c.flag[blocks][y]; m != 0; m &= m - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(m)
			if f := g.piecesAt(c, i); !f.pieces.onePiece() {
				pc.cells[y] &^= m & -m
				pc.split = append(pc.split, splitCell{i: uint8(i), n: int32(len(f.pieces.area))})
			}
		}
	}
	n := 0
	for y := range chunkSide {
		cells, full := pc.cells[y], c.flag[blocks][y]
		across[y] = full & (full >> 1)
		for m := cells & (cells >> 1) &^ across[y]; m != 0; m &= m - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(m)
			if facesMeet(&g.formAt(c, i).side[right], &g.formAt(c, i+1).side[left]) {
				across[y] |= m & -m
			}
		}
		if y < chunkMask {
			above := pc.cells[y+1]
			up[y] = full & c.flag[blocks][y+1]
			for m := cells & above &^ up[y]; m != 0; m &= m - 1 {
				i := y<<chunkBits | bits.TrailingZeros16(m)
				if facesMeet(&g.formAt(c, i).side[top], &g.formAt(c, i+chunkSide).side[bottom]) {
					up[y] |= m & -m
				}
			}
		}
		pc.starts[y] = cells &^ (across[y] << 1)
		pc.base[y] = uint16(n)
		n += bits.OnesCount16(pc.starts[y])
	}
	for k := range pc.split {
		pc.split[k].first = int32(n)
		n += int(pc.split[k].n)
	}
	p.up = p.up.reset(n)
	for y := range chunkMask {
		// Of cells in a row that hold to each other on both rows, the first joins the runs.
		both := across[y] & across[y+1] & up[y] << 1
		for m := up[y] &^ both; m != 0; m &= m - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(m)
			p.up.unite(int32(pc.run(i)), int32(pc.run(i+chunkSide)))
		}
	}
	for _, s := range pc.split {
		x, y := int(s.i&chunkMask), int(s.i>>chunkBits)
		for side, at := range [sides]int{int(s.i) - chunkSide, int(s.i) + 1, int(s.i) + chunkSide, int(s.i) - 1} {
			if side == bottom && y == 0 || side == right && x == chunkMask ||
				side == top && y == chunkMask || side == left && x == 0 {
				continue
			}
			if first, pieces := pc.node(at); pieces > 0 {
				p.eachTouch(g.formAt(c, int(s.i)), g.formAt(c, at), side, func(a, b int32) {
					p.up.unite(s.first+a, first+b)
				})
			}
		}
	}
	p.number(pc, c, n)
}

// number makes the components of a chunk from the sets of its n runs and pieces.
func (p *Parts) number(pc *partChunk, c *chunk, n int) {
	pc.nodes = slices.Grow(pc.nodes, n)[:n]
	comps := 0
	for i := range p.up {
		if p.up[i] == int32(i) {
			comps++
		}
	}
	p.setComps(&pc.partBlock, comps)
	comps = 0
	for i := range p.up {
		if r := p.up.root(int32(i)); r == int32(i) {
			k := pc.comps[comps]
			pc.nodes[i] = k
			o := &p.comps[k]
			o.area, o.anchor, o.first, o.piece = 0, false, noComp.first, 0
			comps++
		} else {
			pc.nodes[i] = pc.nodes[r] // a root is the lowest of its set
		}
	}
	var areas areaCache
	g := p.grid
	held := p.anchorRows(pc, c)
	p.holdBesideUnloaded(&held, c)
	byUser := p.bits != 0
	if c.solid == chunkCells && !byUser && held == (heldRows{}) {
		o := &p.comps[pc.comps[0]]
		o.area, o.first = chunkCells*cellArea, cellKey(pc.cell(0))
		return
	}
	for y := range chunkSide {
		starts, row, full := pc.starts[y], pc.cells[y], c.flag[blocks][y]
		for k := int(pc.base[y]); starts != 0; k++ {
			rest := starts & (starts - 1)
			cells := row & (rest&-rest - starts&-starts)
			to := &p.comps[pc.nodes[k]]
			to.meet(cellKey(pc.cell(y<<chunkBits|bits.TrailingZeros16(starts))), 0)
			to.area += Area(bits.OnesCount16(cells&full)) * cellArea
			for m := cells &^ full; m != 0; m &= m - 1 {
				i := y<<chunkBits | bits.TrailingZeros16(m)
				if c.form[i] == patchForm {
					to.area += g.piecesAt(c, i).pieces.area[0]
				} else {
					to.area += areas.of(&g.reader, c, i)
				}
			}
			to.anchor = to.anchor || held[y]&cells != 0
			for m := cells; byUser && m != 0 && !to.anchor; m &= m - 1 {
				to.anchor = p.anchoredTile(c, y<<chunkBits|bits.TrailingZeros16(m), 0)
			}
			starts = rest
		}
	}
	for _, s := range pc.split {
		f := g.piecesAt(c, int(s.i))
		for k, a := range f.pieces.area {
			to := &p.comps[pc.nodes[int(s.first)+k]]
			to.meet(cellKey(pc.cell(int(s.i))), int32(k))
			to.area += a
			to.anchor = to.anchor || held[s.i>>chunkBits]>>(s.i&chunkMask)&1 != 0 || byUser && p.anchoredTile(c,
				int(s.i), k)
		}
	}
}

// holdBesideUnloaded adds the cells of c beside an unloaded chunk to held.
func (p *Parts) holdBesideUnloaded(held *heldRows, c *chunk) {
	g := p.grid
	if g.away.n == 0 {
		return
	}
	has := func(x, y int32) bool {
		away, _ := g.away.has(c.cx+x, c.cy+y)
		return away
	}
	column := uint16(0)
	if has(-1, 0) {
		column |= 1
	}
	if has(1, 0) {
		column |= 1 << chunkMask
	}
	for y := range held {
		held[y] |= column
	}
	if has(0, -1) {
		held[0] = 1<<chunkSide - 1
	}
	if has(0, 1) {
		held[chunkMask] = 1<<chunkSide - 1
	}
}

// anchoredTile reports whether a tile or polygon of a piece of cell i has an anchor's bit.
func (p *Parts) anchoredTile(c *chunk, i, piece int) bool {
	if c.form[i] != patchForm {
		return c.attrAt(i).user&p.bits != 0
	}
	patch := p.grid.patches.list[c.attrAt(i).user]
	if !slices.ContainsFunc(patch.polys, func(o polygon) bool { return o.tile.User&p.bits != 0 }) {
		return false
	}
	if patch.form.pieces.onePiece() {
		return true
	}
	into := make([]int, len(patch.form.pieces.area))
	into[piece] = 1
	var of [2][]polygon
	splitPieces(patch.polys, into, of[:])
	return slices.ContainsFunc(of[1], func(o polygon) bool { return o.tile.User&p.bits != 0 })
}

// linkSide appends the links on the right side or at the top of a chunk, to one with components.
func (p *Parts) linkSide(pc *partChunk, side int) {
	list, o := &pc.links[side-right], pc.near[side].leaf
	g := p.grid
	c, d := g.table.find(pc.at.X, pc.at.Y), g.table.find(o.at.X, o.at.Y)
	single := len(pc.comps) == 1 && len(o.comps) == 1
	for k := range chunkSide {
		i, j := k<<chunkBits|chunkMask, k<<chunkBits
		if side == top {
			i, j = chunkMask<<chunkBits|k, k
		}
		first, pieces := pc.node(i)
		to, others := o.node(j)
		if pieces == 0 || others == 0 {
			continue
		}
		if pieces == 1 && others == 1 {
			if facesMeet(&g.formAt(c, i).side[side], &g.formAt(d, j).side[side^2]) {
				addLink(list, partLink{pc.nodes[first], o.nodes[to]})
			}
		} else {
			p.eachTouch(g.formAt(c, i), g.formAt(d, j), side, func(a, b int32) {
				addLink(list, partLink{pc.nodes[first+a], o.nodes[to+b]})
			})
		}
		if single && len(*list) > 0 {
			return
		}
	}
}

func addLink(list *[]partLink, l partLink) {
	if !slices.Contains(*list, l) {
		*list = append(*list, l)
	}
}

// eachTouch calls do for the pieces of two neighbours that hold together, perhaps several times for two
// of them: q lies beyond a side of f.
func (p *Parts) eachTouch(f, q *form, side int, do func(a, b int32)) {
	s, o := &f.side[side], &q.side[side^2]
	for i, k := 0, 0; i < len(s.edge) && k < len(o.edge); {
		if s.edge[i] >= 0 && o.edge[k] >= 0 && max(s.at[i], o.at[k]) < min(s.at[i+1], o.at[k+1]) {
			do(f.pieces.of(side, i), q.pieces.of(side^2, k))
		}
		if s.at[i+1] <= o.at[k+1] {
			i++
		} else {
			k++
		}
	}
}
