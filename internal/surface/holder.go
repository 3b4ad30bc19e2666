package surface

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Holder returns the index of the grid that holds a shape or joint at the point p: the grid whose tiles are nearest, at most most
// cells away, and of several at the same distance, such as 0 within tiles, the first. It returns -1 if no grid has tiles that near. All
// grids are in the frame of p.
func Holder(grids []*gridseg.Grid, p geom.Vec, most float64) int {
	best := -1
	for i, g := range grids {
		if g.Solid(p.X, p.Y) {
			return i
		}
		if n, ok := g.Nearest(p.X, p.Y, most); ok && (best < 0 || n.Distance < most) {
			best, most = i, n.Distance
		}
	}
	return best
}
