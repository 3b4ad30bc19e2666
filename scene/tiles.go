package scene

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// tilesFlat has many small circles on a large flat ground.
var tilesFlat = Scene{
	Name:   "tiles_flat",
	Doc:    "2000 circles fall in rows on a flat ground of 200 x 50 tiles.",
	Steps:  300,
	View:   geom.AABB{Min: geom.V(-5, -12), Max: geom.V(205, 30)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		return marblesOn(w, func(x int32) int32 { return 0 })
	},
}

// tilesBumpy is tilesFlat with columns of random height.
var tilesBumpy = Scene{
	Name:   "tiles_bumpy",
	Doc:    "2000 circles fall in rows on a ground of 200 x 50 tiles whose top varies by up to four tiles.",
	Steps:  300,
	View:   geom.AABB{Min: geom.V(-5, -12), Max: geom.V(205, 30)},
	Config: falling,
	Build: func(w *quarry.World) *Instance {
		r := random(20261122)
		return marblesOn(w, func(x int32) int32 { return -int32(r.next() >> 33 % 5) })
	},
}

// marblesOn drops 2000 circles on a ground of 200 columns of tiles, 50 deep below y = 0. top
// returns the height of a column, at most 0.
func marblesOn(w *quarry.World, top func(x int32) int32) *Instance {
	g := ground(w)
	const rows, columns = 10, 200
	for x := range int32(columns) {
		must(g.Fill(gridseg.Rect{MinX: x, MinY: -50, MaxX: x, MaxY: top(x) - 1}, gridseg.Tile{Shape: gridseg.Full}))
	}
	for row := range rows {
		for i := range columns {
			// Every other row is shifted by a quarter, so that circles do not stack in columns.
			x := float64(i) + 0.5 + float64(0.25*float64(row%2))
			put(w, geom.V(min(x, 199.5), 1+float64(row)), geom.Circle{Radius: 0.25}, 0)
		}
	}
	return &Instance{World: w, DT: dt}
}
