package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

// inSolid reports whether p, in cells of g, is in a tile that is not one-way, borders
// included.
func (w *World) inSolid(g *ground, p geom.Vec) bool {
	if !g.grid.Solid(p.X, p.Y) {
		return false
	}
	if w.oneWayMaterials == 0 {
		return true
	}
	// As the grid rounds; the grid has refused points beyond its cells.
	x, y := int64(math.Floor(p.X*surface.Lattice)), int64(math.Floor(p.Y*surface.Lattice))
	// A point on the border of a cell is in its neighbour, too.
	for _, cy := range [2]int64{y, y - 1} {
		for _, cx := range [2]int64{x, x - 1} {
			if cx, cy := cx>>surface.LatticeBits, cy>>surface.LatticeBits; w.cellContains(g, cx, cy, x, y) {
				return true
			}
		}
	}
	return false
}

// cellContains reports whether the lattice point (x, y) is in the closed area of the tiles
// in the cell (cx, cy) of g that are not one-way.
func (w *World) cellContains(g *ground, cx, cy, x, y int64) bool {
	if cx < math.MinInt32 || cx > math.MaxInt32 || cy < math.MinInt32 || cy > math.MaxInt32 {
		return false
	}
	sq := &w.scratch.surface
	sq.edges = w.appendEdges(sq.edges[:0], g, int32(cx), int32(cy))
	turns := 0 // the winding number around the point
	for i := range sq.edges {
		e := &sq.edges[i]
		if e.way != NotOneWay {
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
