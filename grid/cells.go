package grid

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Cell is a cell of a grid; in a hierarchical grid a finest cell. It contains the coordinates x
// with floor(x/CellSize) = X, and y likewise.
type Cell struct{ X, Y int64 }

// CellOf returns the cell that contains p, the same for all kinds of grid. A point on the side
// between two cells is in the upper or right cell. Coordinates are clamped to -2*Limit to 2*Limit
// cells; NaN counts as the lowest.
func (g *Grid) CellOf(p geom.Vec) Cell {
	return Cell{floor64(p.X*g.scale) >> subBits, floor64(p.Y*g.scale) >> subBits}
}

// AppendRayCells appends the finest cells that the ray from origin along d enters up to T = maxT,
// in order along the ray, within the bounds of the cells in use, and returns the extended slice.
// Where the ray passes through a corner or along a line, it appends the cells on both sides. Groups
// of cells more than 2^24 cells apart have separate bounds; cells between them are not appended.
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
	// Sort along the ray, without duplicates: objects may reach from one region into another.
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

// sign returns -1 if x < 0, otherwise 1.
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
