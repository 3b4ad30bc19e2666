package grid

import "github.com/quarry2d/quarry/geom"

// Cell is a cell of a grid, the finest ones of a hierarchical grid: it holds the
// coordinates x with floor(x/CellSize) = X, and y likewise.
type Cell struct{ X, Y int32 }

// AppendRayCells appends the finest cells that the ray from origin along d enters
// up to T = reach, in its order, as far as they are within the bounds of those in
// use, and returns the extended slice. Where the ray goes through a corner or
// along a line, the cells on both sides are among them.
func (g *Grid) AppendRayCells(dst []Cell, origin, d geom.Vec, reach float64) []Cell {
	c := cast{o: origin, d: d, reach: reach, mask: All, cells: true}
	if !c.ok() {
		return dst
	}
	c.tame()
	w, ok := newWalk(&g.levels[0], &c)
	if !ok || w.everything {
		return dst
	}
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
				dst = append(dst, Cell{v, w.u})
			} else {
				dst = append(dst, Cell{w.u, v})
			}
		}
		if !w.next() {
			return dst
		}
	}
}
