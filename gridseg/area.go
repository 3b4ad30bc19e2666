package gridseg

import "math/bits"

// Area is an area in halves of a square lattice unit: the area of a polygon with its
// vertices on the lattice is a whole number of them.
type Area uint64

// CellArea is the area of a cell.
const CellArea Area = 2 * Unit * Unit

// Cells returns a in cells.
func (a Area) Cells() float64 { return float64(a) / float64(CellArea) }

// SolidArea returns the area of all tiles in the cells of r, exactly, edits since
// the last Resolve included. (2^39 full cells, in more than a terabyte of memory,
// would be too many for the result.) It costs what r holds, however wide it is, with
// a word for 16 blocks; it does not allocate.
func (g *Grid) SolidArea(r Rect) Area {
	var sum Area
	var known areaCache
	g.eachChunk(r, func(c *chunk) bool {
		if c.solid == chunkCells && within(c, r) {
			sum += chunkCells * CellArea
			return true
		}
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1; y++ {
			row := uint16(1<<(x1+1) - 1<<x0)
			full := c.flag[blocks][y] & row
			sum += Area(bits.OnesCount16(full)) * CellArea
			for m := c.occupied[y] & row &^ full; m != 0; m &= m - 1 {
				sum += known.of(g, c, y<<chunkBits|bits.TrailingZeros16(m))
			}
		}
		return true
	})
	return sum
}

// AnySolid reports whether a cell of r holds a tile, edits since the last Resolve
// included. Tiles that only touch r from outside do not count.
func (g *Grid) AnySolid(r Rect) bool {
	any := false
	g.eachChunk(r, func(c *chunk) bool {
		x0, y0, x1, y1 := c.clip(r)
		for y := y0; y <= y1 && !any; y++ {
			any = c.occupied[y]&uint16(1<<(x1+1)-1<<x0) != 0
		}
		return !any
	})
	return any
}

// AllSolid reports whether the tiles in the cells of r leave nothing of r free, edits
// since the last Resolve included: SolidArea is all there is. It is true for an
// empty r, and stops at the first chunk that says otherwise.
func (g *Grid) AllSolid(r Rect) bool {
	if r.Empty() {
		return true
	}
	high, cells := bits.Mul64(uint64(int64(r.MaxX)-int64(r.MinX)+1), uint64(int64(r.MaxY)-int64(r.MinY)+1))
	if high != 0 || cells > uint64(g.tiles) {
		return false // so what follows is bounded by what there is
	}
	var known areaCache
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if c := g.table.find(cx, cy); c == nil || !g.allSolid(c, r, &known) {
				return false
			}
		}
	}
	return true
}

// allSolid is AllSolid for the part of r that lies in c.
func (g *Grid) allSolid(c *chunk, r Rect, known *areaCache) bool {
	if c.solid == chunkCells {
		return true
	}
	x0, y0, x1, y1 := c.clip(r)
	for y := y0; y <= y1; y++ {
		row := uint16(1<<(x1+1) - 1<<x0)
		for m := row &^ c.flag[blocks][y]; m != 0; m &= m - 1 { // the empty form has no area
			if known.of(g, c, y<<chunkBits|bits.TrailingZeros16(m)) != CellArea {
				return false
			}
		}
	}
	return true
}

// eachChunk calls f for the chunks that r meets, in no order, until it is false: for
// results that order does not show in.
func (g *Grid) eachChunk(r Rect, f func(*chunk) bool) {
	if r.Empty() {
		return
	}
	in := rangeOf(r)
	if n := in.size(); n > fewChunks || n > int64(len(g.chunks)) {
		g.eachIn(g.tree.root, &in, f)
		return
	}
	for cy := r.MinY >> chunkBits; cy <= r.MaxY>>chunkBits; cy++ {
		for cx := r.MinX >> chunkBits; cx <= r.MaxX>>chunkBits; cx++ {
			if c := g.table.find(cx, cy); c != nil && !f(c) {
				return
			}
		}
	}
}

// within reports whether all of c lies in r.
func within(c *chunk, r Rect) bool {
	all := c.rect()
	return r.Contains(Cell{all.MinX, all.MinY}) && r.Contains(Cell{all.MaxX, all.MaxY})
}

// areaCache remembers the areas of a few shapes in the course of one query: nothing is
// kept in the grid, so that queries may run beside each other.
type areaCache [16]struct {
	shape ShapeID
	area  Area
}

// of returns the area of what cell i of c holds.
func (k *areaCache) of(g *Grid, c *chunk, i int) Area {
	if c.form[i] == patchForm {
		return areaOf(g.formAt(c, i).polys)
	}
	shape := ShapeID(c.form[i] >> 3)
	e := &k[int(shape)%len(k)]
	if e.shape != shape {
		e.shape, e.area = shape, areaOf(g.shapes.Polygons(shape, 0)) // the same in every turn
	}
	return e.area
}

// areaOf returns the area of counter-clockwise polygons within a cell that do not
// overlap, without their holes, which run clockwise.
func areaOf(polys [][]Point) Area {
	var sum int64
	for _, ps := range polys {
		a := ps[len(ps)-1]
		for _, b := range ps {
			sum += cross(vec(a), vec(b))
			a = b
		}
	}
	return Area(sum)
}
