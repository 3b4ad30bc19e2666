package gridseg

import (
	"fmt"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Grid is a grid of tiles and the segments of their surface. Its cells span the full range of
// int32; cells beyond it count as empty. Make one with New.
//
// Its methods that change nothing are the methods of a View, too.
type Grid struct{ reader }

// View reads a Grid and cannot edit it: it has the methods of Grid that change no tile, no polygon
// and no segment. It is a single pointer, to be passed by value, and always shows the present state
// of the grid. Make one with Grid.View; the zero View is not valid.
//
// Shapes returns the registry of the grid, to which shapes may be added; that changes no tile.
type View struct{ *reader }

// View returns a read-only view of g.
func (g *Grid) View() View { return View{&g.reader} }

// reader holds a grid, and the methods that change nothing.
type reader struct {
	shapes  *Shapes
	table   table
	tree    tree
	chunks  []*chunk // all chunks, in no defined order
	last    *chunk   // the chunk of the last edit
	pending []*chunk // edited since the last Resolve
	layers  layers
	patches patches

	parts *Parts // nil until Parts is called

	tiles, segments int
	saved           *Saved   // of the present tiles; nil: edited since the last Save
	moments         *moments // of the tiles as of the last Resolve; nil unless tracked

	owner  *Owner // nil: everybody may edit
	locked bool   // by owner, but for its edits

	away   unloaded
	back   unloaded // chunks that have been in away and were loaded again
	ghosts int      // chunks that are ghosts
	census uint64   // counts the changes of the list of chunks that are no ghosts, see LoadedVersion
	beyond *chunk   // stands for every unloaded chunk that counts as solid and is no ghost; nil until there is one

	changes  *placeChange // the end of the list of Loads and Unloads; nil before the first Save; see history.go
	reverted [][]byte     // unloaded places whose tiles a Restore has set back; see EachReverted

	// State of the Resolve in progress; the memory is kept for the next.
	active     []*chunk     // chunks with work
	works      []*work      // reused by active chunks
	scratch    []seg        // of the current cell
	added      int          // segments in cells that had none before, to size the list of the Delta
	in, out    []segmentEnd // of the current vertex
	vertices   vertexTable
	prefetched spot                     // see neighbourhood.prefetch
	plain      [maxFormSegments + 1]seg // of the current cell, if it is not slow
	delta      Delta
	small      int // number of deltas since the last large one

	uniform *[chunkCells]formID // the forms that the last whole chunk of a Fill shares

	// Memory released by chunks, kept for reuse.
	spare      []*chunk
	spareAttrs []*[chunkCells]attr
	spareOld   []*[chunkCells]cellTile
}

// New returns an empty grid with the given registry of shapes; nil means NewShapes().
func New(shapes *Shapes) *Grid {
	if shapes == nil {
		shapes = NewShapes()
	}
	return &Grid{reader{shapes: shapes}}
}

// Shapes returns the registry of g's shapes. Shapes may be registered at any time.
func (g *reader) Shapes() *Shapes { return g.shapes }

// Count returns the number of loaded cells that hold a tile or polygons, and the number of segments as of
// the last Resolve.
func (g *reader) Count() (tiles, segments int) { return g.tiles - chunkCells*g.ghosts, g.segments }

// Edited reports whether an edit since the last Resolve changed a tile or a polygon. An edit that
// writes the same tile again changes nothing.
func (g *reader) Edited() bool { return len(g.pending) > 0 }

// EditedCells returns the smallest rectangle that contains every cell whose tile or polygons an
// edit has changed since the last Resolve, or an empty rectangle if there is none. A cell that was
// changed and then changed back is included. It visits the edited chunks only.
func (g *reader) EditedCells() Rect {
	r := lattice.NoCells
	for _, c := range g.pending {
		if within(c, r) {
			continue
		}
		var columns uint16
		for rows := c.edited; rows != 0; rows &= rows - 1 {
			columns |= c.flag[dirty][bits.TrailingZeros16(rows)]
		}
		r = c.growPart(r, columns, c.edited)
	}
	return r
}

// Tile returns the tile of cell (x, y). For a cell with polygons it is a tile of shape Patch
// without attributes, see Polygons; for an unloaded cell a tile of shape Full, or none, see Unload.
func (g *reader) Tile(x, y int32) Tile {
	c := g.at(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return Tile{}
	}
	return c.tile(cellIndex(x, y)).public()
}

// Set replaces the content of cell (x, y) by t; the zero Tile clears it. Set fails with an *Error
// if the shape is not registered, the turn is not 0 to 7, or the cell is unloaded.
func (g *Grid) Set(x, y int32, t Tile) error {
	if g.away.n > 0 || g.locked {
		if err := g.refuse("Set", Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}); err != nil {
			return err
		}
	}
	if t.Shape == 0 || int(t.Shape) >= len(g.shapes.names) || t.Turn >= turns {
		if err := g.shapes.check(t); err != nil {
			return &Error{"Set", Cell{X: x, Y: y}, err}
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

// Clear empties cell (x, y). It fails with an *Error if the cell is unloaded.
func (g *Grid) Clear(x, y int32) error {
	if err := g.refuse("Clear", Rect{MinX: x, MinY: y, MaxX: x, MaxY: y}); err != nil {
		return err
	}
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

// put replaces the tile of cell i and marks the cell dirty, unless the tile is the same.
func (g *Grid) put(c *chunk, i int, now cellTile) {
	is, was := now.form, c.form[i]
	if is == was && (is == 0 || c.attrAt(i) == now.attr) {
		return
	}
	if !c.pending || c.watched {
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

// putAttr writes the attributes of cell i, whose tile has been counted.
func (g *Grid) putAttr(c *chunk, i int, a attr) {
	if c.attrs == nil {
		if c.attr == a {
			return
		}
		if c.tiles == 1 {
			c.attr = a // the only tile of the chunk
			return
		}
		c.attrs = take(&g.spareAttrs)
		for k := range c.attrs {
			c.attrs[k] = c.attr
		}
	}
	c.attrs[i] = a
}

// markEdited lists c as pending, and marks it in Parts. It must be called before the first change of c.
func (g *Grid) markEdited(c *chunk) {
	if c.watched {
		g.parts.mark(c)
	}
	if c.pending {
		return
	}
	c.forget()
	c.pending, g.saved = true, nil
	g.pending = append(g.pending, c)
	if c.tiles > 0 {
		c.old = take(&g.spareOld)
	}
}

// take removes and returns the last of a list of spare objects, or returns a new one.
func take[T any](spare *[]*T) *T {
	if n := len(*spare); n > 0 {
		t := (*spare)[n-1]
		*spare = (*spare)[:n-1]
		return t
	}
	return new(T)
}

// chunkAt returns the chunk at (cx, cy); it makes one if there is none.
func (g *Grid) chunkAt(cx, cy int32) *chunk {
	if c := g.last; c != nil && c.cx == cx && c.cy == cy {
		return c
	}
	c := g.table.find(cx, cy)
	if c == nil {
		c = g.newChunk()
		c.cx, c.cy, c.slot, c.watched = cx, cy, int32(len(g.chunks)), g.parts != nil
		g.chunks = append(g.chunks, c)
		g.census++
		g.table.insert(c)
		g.tree.insert(g, c)
		g.connectNeighbours(c)
	}
	g.last = c
	return c
}

// connectNeighbours enters a new chunk and the chunks around it in each other's near lists.
func (g *Grid) connectNeighbours(c *chunk) {
	// At the ends of the int32 range, cx-1 and cx+1 wrap to chunk coordinates of no cell, so that
	// find returns nil.
	find := func(k int) *chunk { return g.at(c.cx+int32(k%3)-1, c.cy+int32(k/3)-1) }
	near := &c.near
	near[4] = c
	if w := g.last; w != nil && w.cx == c.cx-1 && w.cy == c.cy {
		// Edits from left to right find most neighbours through the last chunk.
		near[0], near[1], near[3], near[6], near[7] = w.near[1], w.near[2], w, w.near[7], w.near[8]
		if s := near[1]; s != nil && s != g.beyond {
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
		if o != nil && o != g.beyond {
			o.near[8-k] = c
		}
	}
}

// newChunk returns an empty chunk. Chunks are allocated in batches, in proportion to the existing
// number.
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

// removeChunk takes an empty chunk out of the grid and keeps its memory for reuse.
func (g *Grid) removeChunk(c *chunk) {
	if c.tiles != 0 {
		panic(fmt.Sprintf("quarry: gridseg: removing a chunk that holds %d tiles", c.tiles))
	}
	g.census++
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
	now := g.at(c.cx, c.cy) // stands for it from now on
	for k, o := range c.near {
		if o != nil && o != g.beyond {
			o.near[8-k] = now
		}
		c.near[k] = nil
	}
	if g.last == c {
		g.last = nil
	}
	c.watched = false
	c.pool.reset()
	g.spare = append(g.spare, c)
}
