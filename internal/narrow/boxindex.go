package narrow

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// boxIndex finds the parts of a cover whose boxes overlap a box: it sorts them into square cells of their mean size, of
// which there are about as many as parts. The zero value is empty, and keeps its memory.
type boxIndex struct {
	parts  []part
	all    geom.AABB
	size   float64 // of a cell
	nx, ny int
	starts []int32 // of each cell, and the end
	list   []int32 // parts
	seen   []int32 // of each part, the query that found it last
	query  int32
	found  []int32
}

// build indexes parts, which must not change until the last query.
func (x *boxIndex) build(parts []part) {
	x.parts, x.all, x.query = parts, geom.Empty, 0
	x.seen = slices.Grow(x.seen[:0], len(parts))[:len(parts)]
	clear(x.seen)
	if len(parts) == 0 {
		return
	}
	mean := 0.0
	for i := range parts {
		s := parts[i].box.Size()
		x.all, mean = x.all.Union(parts[i].box), mean+max(s.X, s.Y)
	}
	n, s := float64(len(parts)), x.all.Size()
	x.size = max(mean/n, math.Sqrt(float64(s.X*s.Y)/n), max(s.X, s.Y)/n)
	x.nx, x.ny = int(s.X/x.size)+1, int(s.Y/x.size)+1
	x.starts = slices.Grow(x.starts[:0], x.nx*x.ny+2)[:x.nx*x.ny+2]
	clear(x.starts)
	// Counted two cells ahead, the starts are the cells' once the parts are in.
	for i := range parts {
		x0, y0, x1, y1 := x.cells(parts[i].box)
		for y := y0; y <= y1; y++ {
			for c := y*x.nx + x0; c <= y*x.nx+x1; c++ {
				x.starts[c+2]++
			}
		}
	}
	for c := 2; c < len(x.starts); c++ {
		x.starts[c] += x.starts[c-1]
	}
	total := int(x.starts[len(x.starts)-1])
	x.list = slices.Grow(x.list[:0], total)[:total]
	for i := range parts {
		x0, y0, x1, y1 := x.cells(parts[i].box)
		for y := y0; y <= y1; y++ {
			for c := y*x.nx + x0; c <= y*x.nx+x1; c++ {
				x.list[x.starts[c+1]] = int32(i)
				x.starts[c+1]++
			}
		}
	}
}

// cells returns the range of the cells that box overlaps.
func (x *boxIndex) cells(box geom.AABB) (x0, y0, x1, y1 int) {
	cell := func(d float64, n int) int { return int(max(0, min(float64(n-1), math.Floor(d/x.size)))) }
	lo, hi := box.Min.Sub(x.all.Min), box.Max.Sub(x.all.Min)
	return cell(lo.X, x.nx), cell(lo.Y, x.ny), cell(hi.X, x.nx), cell(hi.Y, x.ny)
}

// near returns the indices of the parts whose boxes overlap box, valid until the next query.
func (x *boxIndex) near(box geom.AABB) []int32 {
	x.found = x.found[:0]
	if !x.all.Overlaps(box) {
		return x.found
	}
	x.query++
	x0, y0, x1, y1 := x.cells(box)
	for y := y0; y <= y1; y++ {
		for _, i := range x.list[x.starts[y*x.nx+x0]:x.starts[y*x.nx+x1+1]] {
			if x.seen[i] != x.query && box.Overlaps(x.parts[i].box) {
				x.seen[i] = x.query
				x.found = append(x.found, i)
			}
		}
	}
	return x.found
}
