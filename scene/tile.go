package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/gridseg"
)

// fill fills the cells from (x0, y0) to (x1, y1), both included, with full tiles.
func fill(g quarry.Ground, x0, y0, x1, y1 int32) {
	must(g.Fill(gridseg.Rect{MinX: x0, MinY: y0, MaxX: x1, MaxY: y1}, gridseg.Tile{Shape: gridseg.Full}))
}
