package narrow

import (
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/gridtest"
	"github.com/quarry2d/quarry/internal/surface"
)

// BenchmarkGround is all that one step does for one contact of a body with a
// ground in the narrow phase: at rest, and sliding by a sixth of a cell each time
// (10 cells a second).
func BenchmarkGround(b *testing.B) {
	box := func(w, h float64) geom.Shape { return geom.NewBox(w/2, h/2) }
	for _, c := range []struct {
		name, ground string
		shape        geom.Shape
		half         float64 // height of its middle over the surface
	}{
		{"wide/flat", "flat", box(9.5, 1), 0.5},
		{"unit/flat", "flat", box(1, 1), 0.5},
		{"circle/flat", "flat", geom.Circle{Radius: 0.25}, 0.25},
		{"wide/slope", "slope", box(9.5, 1), 0.5},
		{"unit/slope", "slope", box(1, 1), 0.5},
		{"wide/bumpy", "bumpy", box(9.5, 1), 0.5},
		{"unit/bumpy", "bumpy", box(1, 1), 0.5},
		{"circle/bumpy", "bumpy", geom.Circle{Radius: 0.25}, 0.25},
		{"wide/layers", "layers", box(9.5, 1), 0.5},
		{"wide/platform", "platform", box(9.5, 1), 0.5},
		{"wide/planks", "planks", box(9.5, 1), 0.5},
		{"wide/comb", "comb", box(9.5, 1), 0.5},
		{"300/flat", "flat", box(300, 1), 0.5},
		{"300/bumpy", "bumpy", box(300, 1), 0.5},
	} {
		for _, sliding := range []bool{false, true} {
			name := c.name + "/rest"
			if sliding {
				name = c.name + "/slide"
			}
			b.Run(name, func(b *testing.B) {
				grid := gridseg.New(nil)
				gridtest.Grounds[c.ground](grid)
				grid.Resolve()
				g := newRig(grid, c.shape)
				if c.ground == "platform" || c.ground == "planks" {
					g.ways.Set([]surface.Direction{surface.None, surface.Up})
					g.tiles.SetWays(&g.ways)
				}
				along, up := geom.V(1, 0), geom.V(0, 1)
				if c.ground == "slope" {
					g.rot = geom.NewRot(0.7853981633974483)
					along, up = geom.V(g.rot.C, g.rot.S), geom.V(-g.rot.S, g.rot.C)
				}
				start := along.Mul(0.3).MulAdd(c.half-geom.LinearSlop/2, up)
				g.center = start
				if g.was = g.transform(); len(g.touch()) == 0 {
					b.Fatal("touches nothing")
				}
				b.ReportAllocs()
				for k := 0; b.Loop(); k++ {
					if sliding {
						g.center = start.MulAdd(float64(k%64)/6, along)
					}
					g.touch()
				}
			})
		}
	}
}
