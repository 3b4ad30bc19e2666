package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Fill puts t into every cell of r; the zero Tile clears them. It fails with an *Error, and changes
// nothing, if t is not a valid tile, or r is empty (Max is less than Min), has more than 2^24
// cells or has an unloaded cell.
func (g *Grid) Fill(r Rect, t Tile) error {
	refuse := func(err error) error { return &Error{"Fill", Cell{X: r.MinX, Y: r.MinY}, err} }
	if err := g.shapes.check(t); err != nil {
		return refuse(err)
	}
	if err := lattice.CheckFill(r); err != nil {
		return refuse(err)
	}
	if err := g.refuse("Fill", r); err != nil {
		return err
	}
	g.fill(r, t)
	return nil
}

// fill is Fill without checks.
func (g *Grid) fill(r Rect, t Tile) {
	if t.Shape == 0 {
		g.eachChunk(r, func(c *chunk) bool {
			g.fillChunk(c, r, t)
			return true
		})
		return
	}
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			g.fillChunk(g.chunkAt(cx, cy), r, t)
		}
	}
}

// fillChunk fills the part of r in c.
func (g *Grid) fillChunk(c *chunk, r Rect, t Tile) {
	x0, y0, x1, y1 := c.clip(r)
	n := (x1 - x0 + 1) * (y1 - y0 + 1)
	if n == chunkCells && t.Shape == 0 && !c.pending && !c.patched() {
		g.clearChunk(c)
		return
	}
	if c.tiles > 0 || c.pending {
		now := t.cellTile()
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				g.put(c, y<<chunkBits|x, now)
			}
		}
		return
	}
	if t.Shape == 0 {
		return
	}
	// Most chunks of a large fill are empty and unedited. They are filled by rows of bits.
	g.markEdited(c)
	c.attr = t.attr()
	f := t.form()
	row := uint16(1<<(x1+1) - 1<<x0)
	formTraits := g.shapes.traits[f]
	if n == chunkCells && !c.owned {
		c.form = g.uniformForms(f)
	} else {
		c.own()
	}
	for y := y0; y <= y1; y++ {
		if c.owned {
			forms := c.form[y<<chunkBits|x0 : y<<chunkBits|x1+1]
			for i := range forms {
				forms[i] = f
			}
		}
		c.flag[dirty][y], c.occupied[y] = row, row
		if formTraits&fullForm != 0 {
			c.flag[blocks][y] = row
		}
		if formTraits&nonPlainForm != 0 {
			c.flag[nonPlain][y] = row
		}
		c.edited |= 1 << y
	}
	c.tiles += int32(n)
	if formTraits&fullForm != 0 {
		c.solid, c.whole = int32(n), f
	}
	if formTraits&nonPlainForm != 0 {
		c.nonPlainCount += int32(n)
	}
	g.tiles += n
}

// clearChunk empties a chunk without edits and patches.
func (g *Grid) clearChunk(c *chunk) {
	if c.tiles == 0 {
		return
	}
	g.markEdited(c)
	for i := range c.old {
		c.old[i] = c.cellTile(i)
	}
	c.flag[dirty] = c.occupied
	for y, row := range c.occupied {
		if row != 0 {
			c.edited |= 1 << y
		}
	}
	g.tiles -= int(c.tiles)
	c.tiles, c.solid, c.nonPlainCount = 0, 0, 0
	c.occupied, c.flag[blocks], c.flag[nonPlain] = flags{}, flags{}, flags{}
	if c.owned {
		*c.form = emptyForms
	} else {
		c.form = &emptyForms
	}
}

// patched reports whether a cell of c has a patch.
func (c *chunk) patched() bool { return c.nonPlainCount > 0 && slices.Contains(c.form[:], patchForm) }
