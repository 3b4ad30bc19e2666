package surface

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Solid reports whether p, in cells of t, is in a tile that is not one-way, borders
// included.
func (f *Filter) Solid(t *Tiles, p geom.Vec) bool {
	if !t.Grid.Solid(p.X, p.Y) {
		return false
	}
	if !t.HasWays() {
		return true
	}
	// As the grid rounds; the grid has refused points beyond its cells.
	x, y := int64(math.Floor(p.X*Lattice)), int64(math.Floor(p.Y*Lattice))
	// A point on the border of a cell is in its neighbour, too.
	for _, cy := range [2]int64{y, y - 1} {
		for _, cx := range [2]int64{x, x - 1} {
			if cx, cy := cx>>LatticeBits, cy>>LatticeBits; f.cellContains(t, cx, cy, x, y) {
				return true
			}
		}
	}
	return false
}

// cellContains reports whether the lattice point (x, y) is in the closed area of the tiles
// in the cell (cx, cy) that are not one-way.
func (f *Filter) cellContains(t *Tiles, cx, cy, x, y int64) bool {
	if cx < math.MinInt32 || cx > math.MaxInt32 || cy < math.MinInt32 || cy > math.MaxInt32 {
		return false
	}
	f.edges = t.appendEdges(f.edges[:0], int32(cx), int32(cy))
	turns := 0 // the winding number around the point
	for i := range f.edges {
		e := &f.edges[i]
		if e.way != None {
			continue
		}
		left := (e.b.X-e.a.X)*(y-e.a.Y) - (e.b.Y-e.a.Y)*(x-e.a.X)
		if left == 0 && (e.a.X-x)*(e.b.X-x) <= 0 && (e.a.Y-y)*(e.b.Y-y) <= 0 {
			return true
		}
		if e.a.Y <= y && e.b.Y > y && left > 0 {
			turns++
		} else if e.a.Y > y && e.b.Y <= y && left < 0 {
			turns--
		}
	}
	return turns != 0
}
