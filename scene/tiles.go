package scene

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// tilesFlat is a common game: much ground, many small round things on it.
var tilesFlat = Scene{
	Name:  "tiles_flat",
	Doc:   "2000 circles fall in rows on a flat ground of 200 x 50 tiles.",
	Steps: 300,
	View:  geom.AABB{Min: geom.V(-5, -12), Max: geom.V(205, 30)},
	New: func() *Instance {
		w := newWorld(false)
		g := ground(w)
		must(g.Fill(gridseg.Rect{MinX: 0, MinY: -50, MaxX: 199, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}))
		const rows, columns = 10, 200
		for row := range rows {
			for i := range columns {
				// Every other row is set off by a quarter, so that rows do
				// not come to stand on one another.
				x := float64(i) + 0.5 + float64(0.25*float64(row%2))
				put(w, geom.V(min(x, 199.5), 1+float64(row)), geom.Circle{Radius: 0.25}, 0)
			}
		}
		return &Instance{World: w, DT: dt}
	},
}
