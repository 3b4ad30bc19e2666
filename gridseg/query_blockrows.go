package gridseg

import (
	"cmp"
	"math/bits"
	"slices"
)

// AppendBlockRows appends the tiles in the cells of r: to rows the tiles that fill their cell, as rectangles one
// row high, as wide as there are such tiles side by side; to cells the other cells that hold a tile or polygons.
// Both are in the order of rows, upwards, then of columns. The cost depends on the chunks in r, and blocks are
// counted a row at a time.
func (g engine) AppendBlockRows(rows []Rect, cells []Cell, r Rect) ([]Rect, []Cell) {
	firstRow, firstCell := len(rows), len(cells)
	g.eachChunk(r, func(c *chunk) bool {
		x0, y0, x1, y1 := c.clip(r)
		within := uint16(1<<(x1+1) - 1<<x0)
		for y := y0; y <= y1; y++ {
			full := uint32(c.flag[blocks][y] & within)
			for m := c.occupied[y] & within &^ uint16(full); m != 0; m &= m - 1 {
				cells = append(cells, c.cell(y<<chunkBits|bits.TrailingZeros16(m)))
			}
			for full != 0 {
				x := bits.TrailingZeros32(full)
				n := bits.TrailingZeros32(^(full >> x))
				at := c.cell(y<<chunkBits | x)
				rows = append(rows, Rect{MinX: at.X, MinY: at.Y, MaxX: at.X + int32(n-1), MaxY: at.Y})
				full &^= (1<<n - 1) << x
			}
		}
		return true
	})
	slices.SortFunc(cells[firstCell:], byRow)
	mine := rows[firstRow:]
	slices.SortFunc(mine, func(a, b Rect) int {
		return cmp.Or(cmp.Compare(a.MinY, b.MinY), cmp.Compare(a.MinX, b.MinX))
	})
	n := 0
	for _, o := range mine {
		if n > 0 && mine[n-1].MinY == o.MinY && int64(mine[n-1].MaxX)+1 == int64(o.MinX) {
			mine[n-1].MaxX = o.MaxX
			continue
		}
		mine[n] = o
		n++
	}
	return rows[:firstRow+n], cells
}
