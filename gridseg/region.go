package gridseg

import (
	"iter"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// appendChunks appends the chunks that meet r, by row, then column.
func (g *reader) appendChunks(dst []*chunk, r Rect) []*chunk {
	if r.Empty() {
		return dst
	}
	in := rangeOf(r)
	from := len(dst)
	if n := in.size(); n > fewChunks || n > int64(len(g.chunks)) {
		dst = g.appendIn(dst, g.tree.root, &in)
		if int64(len(dst)-from) < in.size()/8 {
			sortChunks(dst[from:])
			return dst
		}
		dst = dst[:from] // with so many chunks, looking up each is faster than sorting
	}
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if c := g.table.find(cx, cy); c != nil {
				dst = append(dst, c)
			}
		}
	}
	return dst
}

func sortChunks(cs []*chunk) {
	slices.SortFunc(cs, func(a, b *chunk) int {
		if a.cy != b.cy {
			return int(a.cy) - int(b.cy)
		}
		return int(a.cx) - int(b.cx)
	})
}

// sameRow returns the leading chunks of sorted cs that are in one row of chunks.
func sameRow(cs []*chunk) []*chunk {
	n := 1
	for n < len(cs) && cs[n].cy == cs[0].cy {
		n++
	}
	return cs[:n]
}

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
	r = r.Grow(Cell{X: all.MinX + int32(x0), Y: all.MinY + int32(y0)})
	return r.Grow(Cell{X: all.MinX + int32(x1), Y: all.MinY + int32(y1)})
}

// Hash returns a hash of all loaded tiles and polygons and their cells, and of the places that are unloaded, independent
// of the order of edits. It visits the tiles of the chunks that were edited since the last Hash, and every chunk.
func (g *reader) Hash() uint64 {
	h := mix(uint64(g.tiles-chunkCells*g.ghosts)) + g.away.hash()
	for _, c := range g.chunks {
		if !c.ghost {
			h += g.chunkSum(c) // a sum, since chunks have no order
		}
	}
	return h
}

// ChunkSum returns a hash of the tiles and polygons, with their cells, of the chunk of 16x16 cells that holds cell
// (x, y): 0 if it is empty or unloaded. A program compares it to find out whether the chunk has changed. The grid
// keeps it until the next edit of the chunk.
func (g *reader) ChunkSum(x, y int32) uint64 {
	c := g.table.find(x>>chunkBits, y>>chunkBits)
	if c == nil || c.ghost {
		return 0
	}
	return g.chunkSum(c)
}

// chunkSum returns the sum of the hashes of the tiles of c.
func (g *reader) chunkSum(c *chunk) (sum uint64) {
	if sum = c.sum.Load(); sum != 0 {
		return sum
	}
	for y, row := range c.occupied {
		for ; row != 0; row &= row - 1 {
			i := y<<chunkBits | bits.TrailingZeros16(row)
			cell, t := c.cell(i), c.tile(i)
			k := mix(uint64(uint32(cell.X))<<32 | uint64(uint32(cell.Y)))
			if t.Shape == Patch {
				k = mix(k ^ g.patches.list[t.User].digest)
				t = t.public()
			}
			k = mix(k ^ (uint64(t.form())<<48 | uint64(t.Layer)<<32 | uint64(t.User)))
			sum += mix(k + uint64(t.Material))
		}
	}
	if !c.pending { // otherwise the next edit would not clear it
		c.sum.Store(sum)
	}
	return sum
}

// mix spreads every bit of x over the whole word; it is a bijection.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>32) * 0xD6E8FEB86659FD93
	x = (x ^ x>>29) * 0xA0761D6478BD642F
	return x ^ x>>32
}
