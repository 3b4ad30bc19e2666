package grid

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Cell is a cell of a grid, the finest ones of a hierarchical grid: it holds the
// coordinates x with floor(x/CellSize) = X, and y likewise.
type Cell struct{ X, Y int64 }

// CellOf returns the cell that p is in; every kind of grid numbers cells alike. A point on the
// side between two cells is in the upper or right cell. Coordinates are limited to -2*Limit to
// 2*Limit, and NaN counts as the lowest.
func (g *Grid) CellOf(p geom.Vec) Cell {
	return Cell{floor64(p.X*g.scale) >> subBits, floor64(p.Y*g.scale) >> subBits}
}

// AppendRayCells appends the finest cells that the ray from origin along d enters
// up to T = reach, in its order, as far as they are within the bounds of those in
// use, and returns the extended slice. Where the ray goes through a corner or
// along a line, the cells on both sides are among them. Cells more than 2^24 apart have
// bounds of their own: the empty space between them has no cells.
func (g *Grid) AppendRayCells(dst []Cell, origin, d geom.Vec, maxT float64) []Cell {
	c := cast{o: origin, d: d, maxT: maxT, mask: All, onlyCells: true}
	if !c.ok() {
		return dst
	}
	c.rescale()
	start := len(dst)
	for _, r := range g.levels[0].regions {
		dst = c.appendCells(dst, r)
	}
	if len(g.levels[0].regions) < 2 {
		return dst
	}
	// Along the ray, and each once: objects may reach from one region into another.
	u, v := func(k Cell) int64 { return k.X }, func(k Cell) int64 { return k.Y }
	du, dv := c.d.X, c.d.Y
	if math.Abs(dv) > math.Abs(du) {
		u, v, du, dv = v, u, dv, du
	}
	slices.SortFunc(dst[start:], func(a, b Cell) int {
		if u(a) != u(b) {
			return cmp.Compare(u(a), u(b)) * sign(du)
		}
		return cmp.Compare(v(a), v(b)) * sign(dv)
	})
	return dst[:start+len(slices.Compact(dst[start:]))]
}

// sign returns -1 for what is below 0, and else 1.
func sign(x float64) int {
	if x < 0 {
		return -1
	}
	return 1
}

// appendCells appends the cells of a region that the cast enters.
func (c *cast) appendCells(dst []Cell, r *region) []Cell {
	w, ok := newWalk(r, c)
	if !ok || w.everything {
		return dst
	}
	x, y := r.x>>subBits, r.y>>subBits
	up := c.d.X == 0 || (c.d.Y/c.d.X >= 0) == (w.step > 0)
	if w.steep {
		up = c.d.Y == 0 || (c.d.X/c.d.Y >= 0) == (w.step > 0)
	}
	for {
		for i := range max(0, w.hi-w.lo+1) {
			v := w.lo + i
			if !up {
				v = w.hi - i
			}
			if w.steep {
				dst = append(dst, Cell{int64(v) + x, int64(w.u) + y})
			} else {
				dst = append(dst, Cell{int64(w.u) + x, int64(v) + y})
			}
		}
		if !w.next() {
			return dst
		}
	}
}
