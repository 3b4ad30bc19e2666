package gridseg

import (
	"math/bits"

	"github.com/quarry2d/quarry/internal/lattice"
)

// SolidArea returns the exact area of all tiles in the cells of r, including edits since the last
// Resolve. The result overflows at 2^39 full cells, which take more than a terabyte of memory. The
// cost depends on the chunks in r, not on its size; full cells are counted 16 at a time. It does
// not allocate.
func (g *reader) SolidArea(r Rect) Area {
	var sum Area
	var known areaCache
	g.eachChunk(r, func(c *chunk) bool {
		if c.solid == chunkCells && within(c, r) {
			sum += chunkCells * cellArea
			return true
		}
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1; y++ {
			row := uint16(1<<(x1+1) - 1<<x0)
			full := c.flag[blocks][y] & row
			sum += Area(bits.OnesCount16(full)) * cellArea
			for m := c.occupied[y] & row &^ full; m != 0; m &= m - 1 {
				sum += known.of(g, c, y<<chunkBits|bits.TrailingZeros16(m))
			}
		}
		return true
	})
	g.eachBeyond(r, func(part Rect) bool {
		sum += Area((part.MaxX-part.MinX+1)*(part.MaxY-part.MinY+1)) * cellArea
		return true
	})
	return sum
}

// AnySolid reports whether a cell of r holds a tile, including edits since the last Resolve. Tiles
// that only touch r from outside do not count.
func (g *reader) AnySolid(r Rect) bool {
	any := false
	g.eachChunk(r, func(c *chunk) bool {
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1 && !any; y++ {
			any = c.occupied[y]&uint16(1<<(x1+1)-1<<x0) != 0
		}
		return !any
	})
	g.eachBeyond(r, func(Rect) bool {
		any = true
		return false
	})
	return any
}

// areaCache caches the areas of a few shapes during one query. The grid itself caches none, so that
// queries may run concurrently.
type areaCache [16]struct {
	shape ShapeID
	area  Area
}

// of returns the solid area of cell i of c.
func (k *areaCache) of(g *reader, c *chunk, i int) Area {
	if c.form[i] == patchForm {
		return lattice.AreaOf(g.formAt(c, i).polys)
	}
	shape := ShapeID(c.form[i] >> 3)
	e := &k[int(shape)%len(k)]
	if e.shape != shape {
		e.shape, e.area = shape, lattice.AreaOf(g.shapes.Polygons(shape, 0)) // a shape has the same area in every turn
	}
	return e.area
}
