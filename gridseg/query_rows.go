package gridseg

import "math"

// lineWalk walks the rows of cells near a line.
type lineWalk struct {
	g              *reader
	ax, ay, bx, by float64 // the ends of the line; a is not above b
	distance       float64
	in             Rect
	do             func(Rect) bool
}

// RowsAlong calls do for rows of cells that hold segments, lie in r and come within distance of the
// line from (ax, ay) to (bx, by). With distance 0, cells that the line only touches at a border
// may be missing. A row is at most 16 cells wide. The walk stops when do returns
// true; RowsAlong returns whether do did. The order is a function of the tiles and the arguments
// alone. The cost depends on the chunks along the line, not on its length. Coordinates and distance
// are in cells.
func (g engine) RowsAlong(ax, ay, bx, by, distance float64, r Rect, do func(Rect) bool) bool {
	if by < ay {
		ax, ay, bx, by = bx, by, ax, ay
	}
	w := lineWalk{g.reader, ax, ay, bx, by, distance, r, do}
	return w.descend(g.tree.root)
}

// across returns the range of x within distance of the line in the rows from y to y+high; ok is
// false if the line is not there.
func (a *lineWalk) across(y, high float64) (lo, hi float64, ok bool) {
	y0, y1 := y-a.distance, y+high+a.distance
	if y0 > a.by || y1 < a.ay {
		return 0, 0, false
	}
	lo, hi = a.ax, a.bx
	if rise := a.by - a.ay; rise > a.distance {
		side := a.bx - a.ax
		lo = a.ax + float64(max(0, min(1, (y0-a.ay)/rise))*side)
		hi = a.ax + float64(max(0, min(1, (y1-a.ay)/rise))*side)
	}
	return min(lo, hi) - a.distance, max(lo, hi) + a.distance, true
}

// columns returns the first and last of n columns, of the given width from x on, that meet the
// range from lo to hi; first > last if none does.
func columns(lo, hi, x, width float64, n int) (first, last int) {
	end := float64(n)
	return int(max(0, min(end, math.Floor((lo-x)/width)))), int(max(-1, min(end-1, math.Floor((hi-x)/width))))
}

// descend walks the chunks under one child of the tree.
func (a *lineWalk) descend(at branch) bool {
	if at < 0 {
		return a.chunk(a.g.chunks[^at])
	}
	if at == 0 {
		return false
	}
	s := &a.g.tree.squares[at-1]
	side := float64(int64(chunkSide/4) << s.bits)
	x, y := treeCell(s.x), treeCell(s.y)
	for j := range 4 {
		lo, hi, ok := a.across(y+float64(float64(j)*side), side)
		if !ok {
			continue
		}
		first, last := columns(lo, hi, x, side, 4)
		for i := first; i <= last; i++ {
			if kid := s.children[j<<2|i]; kid != 0 && a.descend(kid) {
				return true
			}
		}
	}
	return false
}

// chunk calls do for the rows of c near the line.
func (a *lineWalk) chunk(c *chunk) bool {
	all := c.rect()
	if c.at == nil || all.MinX > a.in.MaxX || all.MaxX < a.in.MinX || all.MinY > a.in.MaxY || all.MaxY < a.in.MinY {
		return false
	}
	x0, y0, x1, y1 := c.clip(a.in)
	for y := y0; y <= y1; y++ {
		row := c.flag[hasSegments][y]
		if row == 0 {
			continue
		}
		lo, hi, ok := a.across(float64(all.MinY+int32(y)), 1)
		if !ok {
			continue
		}
		first, last := columns(lo, hi, float64(all.MinX), 1, chunkSide)
		first, last = max(first, x0), min(last, x1)
		if first > last || row&uint16(2<<last-1<<first) == 0 {
			continue
		}
		if a.do(Rect{
			MinX: all.MinX + int32(first), MinY: all.MinY + int32(y), MaxX: all.MinX + int32(last),
			MaxY: all.MinY +
				int32(y),
		}) {
			return true
		}
	}
	return false
}
