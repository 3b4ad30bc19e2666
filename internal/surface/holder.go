package surface

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Holder returns the index of the grid that holds a shape or joint at the point p: the grid with the nearest tile,
// at most most cells away. Of several at the same distance, such as 0 within tiles, it is the first. Holder returns
// -1 if no grid has a tile that near. All grids are in the frame of p.
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
