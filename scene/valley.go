package scene

import (
	"math"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// valley is the sandbox's first scene: hills with slopes of two pitches, a few buildings, and
// bodies of all kinds that roll down.
var valley = Scene{
	Name:   "valley",
	Doc:    "Hills and platforms of tiles, with bodies of every shape falling on them.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(0, -4), Max: geom.V(64, 32)},
	Config: falling,
	Build:  func(w *quarry.World) *Instance { return newValley(w, 0) },
}

// far is the distance of farAway from the origin, in cells.
const far = 10_000_000

// farAway is valley ten million cells from the origin, where float32 has a resolution of a whole
// cell.
var farAway = Scene{
	Name:   "far_away",
	Doc:    "The valley, ten million cells from the origin.",
	Steps:  600,
	View:   geom.AABB{Min: geom.V(far, -4), Max: geom.V(far+64, 32)},
	Config: falling,
	Build:  func(w *quarry.World) *Instance { return newValley(w, far) },
}

// newValley makes the valley with its left end in the column x0.
func newValley(w *quarry.World, x0 int32) *Instance {
	grass := w.AddMaterial(quarry.Material{Friction: 0.6, Color: 0x6f9a53})
	rock := w.AddMaterial(quarry.Material{Friction: 0.7, Color: 0x7d7f86})
	wood := w.AddMaterial(quarry.Material{Friction: 0.5, Color: 0xb08655})
	g := ground(w)
	hills(g, x0, 64, uint16(grass), uint16(rock))
	plank := gridseg.Tile{Shape: gridseg.Slab, Turn: 2, Material: uint16(wood)}
	must(g.Fill(gridseg.Rect{MinX: x0 + 24, MinY: 14, MaxX: x0 + 32, MaxY: 14}, plank))
	must(g.Fill(gridseg.Rect{MinX: x0 + 36, MinY: 18, MaxX: x0 + 41, MaxY: 18}, plank))
	dropBodies(w, float64(x0)+6, float64(x0)+58, 20, 60, 7)
	return &Instance{World: w, DT: dt}
}

// hills fills the columns from x0 to x0+wide-1 with rock under a skyline of blocks and slopes.
func hills(g quarry.Ground, x0, wide int32, top, deep uint16) {
	heights := make([]int32, wide+1) // at the grid lines, in half cells
	for x := range heights {
		t := float64(x) / float64(wide)
		s1, _ := geom.SinCos(t * 9)
		s2, _ := geom.SinCos(float64(t*23) + 1)
		edge := 8 * max(0, math.Abs(float64(2*t)-1)-0.7)
		heights[x] = 2 * int32(7+float64(4*s1)+float64(1.5*s2)+float64(4*edge))
	}
	// Heights change by at most one cell a column, so that slopes join.
	for x := int32(1); x <= wide; x++ {
		heights[x] = max(heights[x-1]-2, min(heights[x-1]+2, heights[x]))
	}
	for i := range wide {
		x, a, b := x0+i, heights[i], heights[i+1]
		low := min(a, b) / 2
		must(g.Fill(gridseg.Rect{MinX: x, MinY: -4, MaxX: x, MaxY: low - 4},
			gridseg.Tile{Shape: gridseg.Full, Material: deep}))
		must(g.Fill(gridseg.Rect{MinX: x, MinY: low - 3, MaxX: x, MaxY: low - 1},
			gridseg.Tile{Shape: gridseg.Full, Material: top}))
		slope := gridseg.Tile{Shape: gridseg.Ramp, Material: top}
		switch {
		case b > a:
			must(g.Set(x, low, slope))
		case a > b:
			slope.Turn = 4 // mirrored: falls to the right
			must(g.Set(x, low, slope))
		}
	}
}
