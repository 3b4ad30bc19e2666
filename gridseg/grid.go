package gridseg

import "fmt"

// Grid is a field of tiles with the segments of their surface. Its cells span the
// whole range of int32; cells beyond it count as empty. Make one with New.
type Grid struct {
	shapes  *Shapes
	table   table
	tree    tree
	chunks  []*chunk // all, in no order
	last    *chunk   // that the last edit was in
	pending []*chunk // edited since the last Resolve
	layers  layers
	patches patches

	tiles, segments int

	// Of the Resolve in work, and what is kept for the next.
	active     []*chunk     // chunks with something to do
	works      []*work      // for as many active chunks as there were
	scratch    []seg        // of the cell in work
	added      int          // segments in cells that had none, for the room that Delta needs
	in, out    []segmentEnd // of the vertex in work
	vertices   vertexTable
	prefetched spot                     // see neighbourhood.prefetch
	plain      [maxFormSegments + 1]seg // of the cell in work, if it is not slow
	delta      Delta
	small      int // deltas since the last large one

	uniform *[chunkCells]formID // of the last whole chunk that Fill filled

	// What is given back, kept for the next that needs it.
	spare      []*chunk
	spareAttrs []*[chunkCells]attr
	spareOld   []*[chunkCells]cellTile
}

// New returns an empty grid whose tiles have the given shapes; nil stands for
// NewShapes().
func New(shapes *Shapes) *Grid {
	if shapes == nil {
		shapes = NewShapes()
	}
	return &Grid{shapes: shapes}
}

// Shapes returns the registry of g's shapes. More may be registered at any time.
func (g *Grid) Shapes() *Shapes { return g.shapes }

// Count returns how many cells hold a tile or polygons, and how many segments there were at
// the last Resolve.
func (g *Grid) Count() (tiles, segments int) { return g.tiles, g.segments }

// Edited reports whether an edit since the last Resolve has changed a tile or a
// polygon: one that found all as it would make it has not.
func (g *Grid) Edited() bool { return len(g.pending) > 0 }

// Tile returns what cell (x, y) holds: where that is polygons, a tile of the shape
// Patch without attributes, see Polygons.
func (g *Grid) Tile(x, y int32) Tile {
	c := g.table.find(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return Tile{}
	}
	return c.tile(cellIndex(x, y)).public()
}

// Set puts t into cell (x, y), in the place of what is there; the zero Tile clears
// it. It fails with an *Error if t has no registered shape or no turn of 0 to 7.
func (g *Grid) Set(x, y int32, t Tile) error {
	if t.Shape == 0 || int(t.Shape) >= len(g.shapes.names) || t.Turn >= turns {
		if err := g.shapes.check(t); err != nil {
			return &Error{"Set", Cell{x, y}, err}
		}
		g.clear(x, y)
		return nil
	}
	c := g.last
	if c == nil || c.cx != x>>chunkBits || c.cy != y>>chunkBits {
		c = g.chunkAt(x>>chunkBits, y>>chunkBits)
	}
	g.put(c, cellIndex(x, y), t.cellTile())
	return nil
}

// Clear empties cell (x, y). It never fails today; the error is for grids that
// may refuse.
func (g *Grid) Clear(x, y int32) error {
	g.clear(x, y)
	return nil
}

func (g *Grid) clear(x, y int32) {
	c := g.last
	if c == nil || c.cx != x>>chunkBits || c.cy != y>>chunkBits {
		if c = g.table.find(x>>chunkBits, y>>chunkBits); c == nil {
			return
		}
		g.last = c
	}
	g.put(c, cellIndex(x, y), cellTile{})
}

func cellIndex(x, y int32) int { return int(y&chunkMask)<<chunkBits | int(x&chunkMask) }

// put writes the tile of cell i and marks it, unless it is there already.
func (g *Grid) put(c *chunk, i int, now cellTile) {
	is, was := now.form, c.form[i]
	if is == was && (is == 0 || c.attrAt(i) == now.attr) {
		return
	}
	if !c.pending {
		g.markEdited(c)
	}
	if is == patchForm || was == patchForm {
		g.patches.swap(c.cellTile(i), now, !c.flag[dirty].has(i))
	}
	if !c.flag[dirty].has(i) {
		c.flag[dirty].set(i)
		c.edited |= 1 << (i >> chunkBits)
		if c.old != nil {
			c.old[i] = c.cellTile(i)
		}
	}
	if was == 0 {
		c.tiles++
		g.tiles++
		c.occupied.set(i)
	}
	if is == 0 {
		c.tiles--
		g.tiles--
		c.occupied.unset(i)
	} else if c.attrs != nil || c.attr != now.attr {
		g.putAttr(c, i, now.attr)
	}
	if !c.owned {
		c.own()
	}
	c.form[i] = is
	formTraits := g.traitsOf(now)
	if full := formTraits&fullForm != 0; full != c.flag[blocks].has(i) {
		c.flag[blocks].put(i, full)
		if full {
			c.solid++
		} else {
			c.solid--
		}
	}
	if isNonPlain := formTraits&nonPlainForm != 0; isNonPlain != c.flag[nonPlain].has(i) {
		c.flag[nonPlain].put(i, isNonPlain)
		if isNonPlain {
			c.nonPlainCount++
		} else {
			c.nonPlainCount--
		}
	}
}

// putAttr writes the attributes of cell i, whose tile is counted already.
func (g *Grid) putAttr(c *chunk, i int, a attr) {
	if c.attrs == nil {
		if c.attr == a {
			return
		}
		if c.tiles == 1 {
			c.attr = a // of the only tile, which is this
			return
		}
		c.attrs = take(&g.spareAttrs)
		for k := range c.attrs {
			c.attrs[k] = c.attr
		}
	}
	c.attrs[i] = a
}

// markEdited lists c as edited, before anything of it changes.
func (g *Grid) markEdited(c *chunk) {
	if c.pending {
		return
	}
	c.pending = true
	g.pending = append(g.pending, c)
	if c.tiles > 0 {
		c.old = take(&g.spareOld)
	}
}

// take returns the last of a list of spare things, or a new one.
func take[T any](spare *[]*T) *T {
	if n := len(*spare); n > 0 {
		t := (*spare)[n-1]
		*spare = (*spare)[:n-1]
		return t
	}
	return new(T)
}

// chunkAt returns the chunk at (cx, cy), made if need be.
func (g *Grid) chunkAt(cx, cy int32) *chunk {
	if c := g.last; c != nil && c.cx == cx && c.cy == cy {
		return c
	}
	c := g.table.find(cx, cy)
	if c == nil {
		c = g.newChunk()
		c.cx, c.cy, c.slot = cx, cy, int32(len(g.chunks))
		g.chunks = append(g.chunks, c)
		g.table.insert(c)
		g.tree.insert(g, c)
		g.connectNeighbours(c)
	}
	g.last = c
	return c
}

// connectNeighbours makes a new chunk and those round it know each other.
func (g *Grid) connectNeighbours(c *chunk) {
	// At the ends of the int32 range cx-1 and cx+1 are chunks that no cell lies
	// in, so none is ever found there.
	find := func(k int) *chunk { return g.table.find(c.cx+int32(k%3)-1, c.cy+int32(k/3)-1) }
	near := &c.near
	near[4] = c
	if w := g.last; w != nil && w.cx == c.cx-1 && w.cy == c.cy {
		// Whoever goes from left to right has just met most of them.
		near[0], near[1], near[3], near[6], near[7] = w.near[1], w.near[2], w, w.near[7], w.near[8]
		if s := near[1]; s != nil {
			near[2], near[5] = s.near[5], s.near[8]
		} else {
			near[2], near[5] = find(2), find(5)
		}
		near[8] = find(8)
	} else {
		for k := range near {
			near[k] = find(k)
		}
	}
	for k, o := range near {
		if o != nil {
			o.near[8-k] = c
		}
	}
}

// newChunk returns an empty chunk. New ones are made a batch at a time, in
// proportion to those that are there.
func (g *Grid) newChunk() *chunk {
	if len(g.spare) == 0 {
		batch := make([]chunk, min(1+len(g.chunks)/4, 64))
		for k := range batch {
			batch[k].form = &emptyForms
			g.spare = append(g.spare, &batch[k])
		}
	}
	return take(&g.spare)
}

// removeChunk takes an empty chunk out of the grid and keeps its memory.
func (g *Grid) removeChunk(c *chunk) {
	if c.tiles != 0 {
		panic(fmt.Sprintf("quarry: gridseg drops a chunk of %d tiles", c.tiles))
	}
	g.table.remove(c)
	g.tree.remove(c)
	end := len(g.chunks) - 1
	if o := g.chunks[end]; o != c {
		o.slot = c.slot
		g.chunks[o.slot] = o
		g.tree.move(o)
	}
	g.chunks[end] = nil
	g.chunks = g.chunks[:end]
	for k, o := range c.near {
		if o != nil {
			o.near[8-k] = nil
		}
		c.near[k] = nil
	}
	if g.last == c {
		g.last = nil
	}
	c.pool.reset()
	g.spare = append(g.spare, c)
}
