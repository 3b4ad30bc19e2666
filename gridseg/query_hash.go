package gridseg

import "math/bits"

// Hash returns a hash of all loaded tiles and polygons and their cells, and of the places that are unloaded,
// independent of the order of edits. It visits the tiles of the chunks that were edited since the last Hash, and every
// chunk.
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
func (g engine) ChunkSum(x, y int32) uint64 {
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
