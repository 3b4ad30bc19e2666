package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// EditedCells returns the smallest rectangle that contains every cell whose tile or polygons an
// edit has changed since the last Resolve, or an empty rectangle if there is none. A cell that was
// changed and then changed back is included. It visits the edited chunks only.
func (g engine) EditedCells() Rect {
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
	if formTraits&fullForm != 0 {
		if c.solid == 1 {
			c.whole = is
		} else if c.whole != is {
			c.whole = 0
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

// rawTile returns the tile of cell (x, y); for a patch it has the number of the patch as User.
func (g *reader) rawTile(x, y int32) Tile {
	c := g.at(x>>chunkBits, y>>chunkBits)
	if c == nil {
		return Tile{}
	}
	return c.tile(cellIndex(x, y))
}

// putTile is Set for a valid tile, or for a raw tile that refers to a patch of g.
func (g *Grid) putTile(x, y int32, t Tile) {
	if t.Shape == 0 {
		g.clear(x, y)
		return
	}
	g.put(g.chunkAt(x>>chunkBits, y>>chunkBits), cellIndex(x, y), t.cellTile())
}

// putContent sets the content of cell (x, y).
func (g *Grid) putContent(x, y int32, now content) {
	if now.patch == nil {
		g.putTile(x, y, now.tile)
		return
	}
	cur := g.rawTile(x, y)
	if cur.Shape == Patch && equalPolys(g.patches.list[cur.User].polys, now.patch.polys) {
		return
	}
	g.putTile(x, y, Tile{Shape: Patch, User: g.patches.add(now.patch)})
}

// putCopy puts the content of a cell of o, which has the shapes and preserved layers of g, into cell (x, y): t is its
// raw tile. Equal polygons are not an edit.
func (g *Grid) putCopy(x, y int32, o *reader, t Tile) {
	if t.Shape == Patch {
		g.putContent(x, y, content{patch: o.patches.list[t.User].copy()})
		return
	}
	g.putTile(x, y, t)
}
