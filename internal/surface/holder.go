package surface

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Holder returns which of the grids, all in the frame of p, holds what is at p: the one whose tiles are nearest, at most so many
// cells away, and of several at the same distance, such as 0 within tiles, the first. It returns -1 if there is none.
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
