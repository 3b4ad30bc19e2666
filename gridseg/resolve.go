package gridseg

import "math/bits"

// Resolve brings the segments up to date with the edits since the last Resolve:
// it cuts the edited cells and the four neighbours of each anew, links the 3x3
// cells round each anew, and returns the difference.
func (g *Grid) Resolve() Delta {
	g.delta.reset()
	if len(g.pending) == 0 {
		return g.delta
	}
	g.spread()
	sortChunks(g.active)
	g.each(func(c *chunk) *flags { return &c.recut }, (*Grid).recutCell)
	for _, c := range g.active {
		for y := range c.touch {
			c.touch[y] &= c.segs[y]
		}
	}
	g.each(func(c *chunk) *flags { return &c.touch }, (*Grid).relinkCell)
	g.settle()
	return g.delta
}

// each calls f for every cell of the active chunks that is flagged, by row, then
// column, and clears the flags.
func (g *Grid) each(which func(*chunk) *flags, f func(*Grid, *chunk, int)) {
	for rest := g.active; len(rest) > 0; {
		band := sameRow(rest)
		rest = rest[len(band):]
		for y := range chunkSide {
			for _, c := range band {
				row := &which(c)[y]
				for m := *row; m != 0; m &= m - 1 {
					f(g, c, y<<chunkBits|bits.TrailingZeros16(m))
				}
				*row = 0
			}
		}
	}
}

// spread lists the chunks near an edit and flags their cells to cut and to link.
func (g *Grid) spread() {
	for _, c := range g.pending {
		for _, o := range c.near {
			if o != nil && !o.active {
				o.active = true
				g.active = append(g.active, o)
			}
		}
	}
	// Flags are gathered, not scattered: a chunk takes the edits of the nine
	// round it, each row from the three beside and the like above and below.
	n := 0
	for _, c := range g.active {
		if c.gather(g.layers.any) {
			g.active[n] = c
			n++
		} else {
			c.active, c.touch = false, flags{}
		}
	}
	clear(g.active[n:])
	g.active = g.active[:n]
}

// gather sets c.recut and c.touch from the dirty cells of the chunks near, and
// reports whether anything is flagged. keep tells that faces may be preserved.
func (c *chunk) gather(keep bool) bool {
	any := false
	below := c.wide(-1)
	here := c.wide(0)
	for y := range chunkSide {
		above := c.wide(y + 1)
		near := below | here | above
		if near != 0 {
			// Bit 0 of these 18 is the column left of the chunk.
			touch := uint16((near | near<<1 | near>>1) >> 1)
			recut := uint16((here | here<<1 | here>>1 | below | above) >> 1)
			recut &= c.occupied[y] | c.segs[y]
			if recut != 0 && !keep {
				// A block among blocks has no surface; if it had none before
				// either, there is nothing to do, which is most of a large fill.
				recut &^= c.enclosed(y) &^ c.segs[y]
			}
			c.recut[y], c.touch[y] = recut, touch
			any = any || recut != 0 || touch&c.segs[y] != 0
		}
		below, here = here, above
	}
	return any
}

// wide returns row y, -1 to 16, of the dirty cells, with one column more on
// either side: bit 0 is the last of the chunk to the left.
func (c *chunk) wide(y int) uint32 {
	k := 4
	if y < 0 {
		k = 1
	} else if y >= chunkSide {
		k = 7
	}
	y &= chunkMask
	var w uint32
	if o := c.near[k]; o != nil {
		w = uint32(o.dirty[y]) << 1
	}
	if o := c.near[k-1]; o != nil {
		w |= uint32(o.dirty[y] >> chunkMask)
	}
	if o := c.near[k+1]; o != nil {
		w |= uint32(o.dirty[y]&1) << (chunkSide + 1)
	}
	return w
}

// enclosed returns the cells of row y that are blocks with blocks on all four
// sides.
func (c *chunk) enclosed(y int) uint16 {
	f := c.full[y]
	if f == 0 {
		return 0
	}
	var w, e, s, n uint16
	if o := c.near[3]; o != nil {
		w = o.full[y] >> chunkMask
	}
	if o := c.near[5]; o != nil {
		e = o.full[y] << chunkMask
	}
	if y > 0 {
		s = c.full[y-1]
	} else if o := c.near[1]; o != nil {
		s = o.full[chunkMask]
	}
	if y < chunkMask {
		n = c.full[y+1]
	} else if o := c.near[7]; o != nil {
		n = o.full[0]
	}
	return f & (f<<1 | w) & (f>>1 | e) & s & n
}

// recutCell makes the segments of a cell anew. Those that stay take their links
// along; those that go are entered in the delta.
func (g *Grid) recutCell(c *chunk, i int) {
	g.scratch = g.scratch[:0]
	if c.form[i] != 0 {
		g.scratch = g.appendPieces(g.scratch, c, i)
	}
	now, was := g.scratch, c.segments(i)
	tile := c.resolvedTile(i)
	var stay uint8
	if c.dirty.has(i) && tile != c.tile(i) {
		stay = altered
	}
	k := 0
	for j := range now {
		s := &now[j]
		for k < len(was) && was[k].n < s.n {
			g.delta.add(&g.delta.Removed, was[k].expand(c.cell(i), tile))
			k++
		}
		s.mark = added
		if k < len(was) && was[k].n == s.n {
			o := &was[k]
			if o.ax == s.ax && o.ay == s.ay && o.bx == s.bx && o.by == s.by {
				s.prev, s.next, s.mark = o.prev, o.next, stay
				if o.edge != s.edge {
					s.mark = altered
				}
			} else {
				g.delta.add(&g.delta.Removed, o.expand(c.cell(i), tile))
			}
			k++
		}
	}
	for ; k < len(was); k++ {
		g.delta.add(&g.delta.Removed, was[k].expand(c.cell(i), tile))
	}
	g.segments += len(now) - len(was)
	c.store(i, now)
}

// relinkCell links the segments of a cell anew, and enters those in the delta that
// are new or were changed by it.
func (g *Grid) relinkCell(c *chunk, i int) {
	segs := c.segments(i)
	for k := range segs {
		s := &segs[k]
		d := vec{int64(s.bx) - int64(s.ax), int64(s.by) - int64(s.ay)}
		prev, next := s.prev, s.next
		if s.mark == added || c.dirtyRound(i, s.ax, s.ay) {
			prev = g.match(c, i, s.ax, s.ay, d, false)
		}
		if s.mark == added || c.dirtyRound(i, s.bx, s.by) {
			next = g.match(c, i, s.bx, s.by, vec{-d.X, -d.Y}, true)
		}
		changed := prev != s.prev || next != s.next
		mark := s.mark
		s.prev, s.next, s.mark = prev, next, 0
		switch {
		case mark == added:
			g.delta.add(&g.delta.Added, s.expand(c.cell(i), c.tile(i)))
		case changed || mark == altered:
			g.delta.add(&g.delta.Relinked, s.expand(c.cell(i), c.tile(i)))
		}
	}
}

// reachOf tells which neighbours a vertex at one coordinate is shared with: steps
// lo to hi.
func reachOf(v uint16) (lo, hi int) {
	switch v {
	case 0:
		return -1, 0
	case Unit:
		return 0, 1
	}
	return 0, 0
}

// dirtyRound reports whether a cell that has the local vertex (x, y) of cell i in
// its closed square was edited. If none was, the links at it are as before: pieces
// change only in edited cells and on their borders.
func (c *chunk) dirtyRound(i int, x, y uint16) bool {
	x0, x1 := reachOf(x)
	y0, y1 := reachOf(y)
	for dy := y0; dy <= y1; dy++ {
		for dx := x0; dx <= x1; dx++ {
			if o, k := c.neighbour(i, dx, dy); o != nil && o.dirty.has(k) {
				return true
			}
		}
	}
	return false
}

// match finds the radial match at the local vertex (x, y) of cell i for a segment
// of that cell whose far end lies in direction d: among the outgoing segments if
// outgoing, else among the incoming ones.
func (g *Grid) match(c *chunk, i int, x, y uint16, d vec, outgoing bool) link {
	var best link
	var bestDir vec
	x0, x1 := reachOf(x)
	y0, y1 := reachOf(y)
	for dy := y0; dy <= y1; dy++ {
		for dx := x0; dx <= x1; dx++ {
			o, k := c.neighbour(i, dx, dy)
			if o == nil || !o.segs.has(k) {
				continue
			}
			if g.layers.any && (dx != 0 || dy != 0) && g.layers.preserved(c.attrAt(i).layer, o.attrAt(k).layer) {
				continue
			}
			vx, vy := x-uint16(dx*Unit), y-uint16(dy*Unit) // as that cell sees the vertex
			segs := o.segments(k)
			for j := range segs {
				t := &segs[j]
				nx, ny, fx, fy := t.bx, t.by, t.ax, t.ay
				if outgoing {
					nx, ny, fx, fy = fx, fy, nx, ny
				}
				if nx != vx || ny != vy {
					continue
				}
				e := vec{int64(fx) - int64(vx), int64(fy) - int64(vy)}
				if best.cell != 0 {
					if outgoing && !nearerCCW(d, e, bestDir) || !outgoing && !nearerCW(d, e, bestDir) {
						continue
					}
				}
				bestDir = e
				best = link{
					x: int16(int(fx) + dx*Unit), y: int16(int(fy) + dy*Unit),
					n: t.n, cell: uint16(dy*3 + dx + 5),
				}
			}
		}
	}
	return best
}

// settle ends a Resolve: what was edited counts as resolved, and chunks without
// tiles go.
func (g *Grid) settle() {
	for _, c := range g.active {
		c.active = false
	}
	for _, c := range g.pending {
		c.pending, c.dirty = false, flags{}
		if c.old != nil {
			g.spareOld = append(g.spareOld, c.old)
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
	clear(g.active)
	clear(g.pending)
	g.active, g.pending = g.active[:0], g.pending[:0]
}
