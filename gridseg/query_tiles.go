package gridseg

import (
	"iter"
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Tiles yields the loaded non-empty cells of r, by row, then column. A cell with polygons has the shape
// Patch, see Polygons. The grid must not be edited meanwhile.
func (g *reader) Tiles(r Rect) iter.Seq2[Cell, Tile] {
	return func(yield func(Cell, Tile) bool) {
		found := g.appendChunks(nil, r)
		for len(found) > 0 {
			band := sameRow(found)
			found = found[len(band):]
			_, y0, _, y1 := band[0].clip(r)
			for y := y0; y <= y1; y++ {
				for _, c := range band {
					if c.ghost {
						continue
					}
					x0, _, x1, _ := c.clip(r)
					for m := c.occupied[y] & uint16(1<<(x1+1)-1<<x0); m != 0; m &= m - 1 {
						i := y<<chunkBits | bits.TrailingZeros16(m)
						if !yield(c.cell(i), c.tile(i).public()) {
							return
						}
					}
				}
			}
		}
	}
}

// Bounds returns the smallest rectangle that contains every loaded tile, and false if there is none. It
// visits every chunk.
func (g *reader) Bounds() (Rect, bool) {
	b := lattice.NoCells
	for _, c := range g.chunks {
		b = c.growTiles(b, lattice.EveryCell)
	}
	return b, !b.Empty()
}

// BoundsIn is Bounds of the tiles in r. It visits the chunks that meet r.
func (g *reader) BoundsIn(r Rect) (Rect, bool) {
	b := lattice.NoCells
	g.eachChunk(r, func(c *chunk) bool {
		b = c.growTiles(b, r)
		return true
	})
	return b, !b.Empty()
}

// growTiles returns the smallest rectangle that contains b and the loaded tiles of c in r.
func (c *chunk) growTiles(b, r Rect) Rect {
	if c.tiles == 0 || c.ghost || within(c, b) {
		return b
	}
	x0, y0, x1, y1 := c.clip(r)
	var columns, rows uint16
	for y := y0; y <= y1; y++ {
		row := c.occupied[y] & uint16(1<<(x1+1)-1<<x0)
		if columns |= row; row != 0 {
			rows |= 1 << y
		}
	}
	if rows == 0 {
		return b
	}
	return c.growPart(b, columns, rows)
}

// growPart returns the smallest rectangle that contains r and the cells of c in the first to the
// last of the given columns and rows, which are bits, at least one of each.
func (c *chunk) growPart(r Rect, columns, rows uint16) Rect {
	all := c.rect()
	x0, x1 := bits.TrailingZeros16(columns), 15-bits.LeadingZeros16(columns)
	y0, y1 := bits.TrailingZeros16(rows), 15-bits.LeadingZeros16(rows)
	r = lattice.Grow(r, Cell{X: all.MinX + int32(x0), Y: all.MinY + int32(y0)})
	return lattice.Grow(r, Cell{X: all.MinX + int32(x1), Y: all.MinY + int32(y1)})
}
