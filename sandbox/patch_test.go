//go:build !js

package sandbox

import (
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
	"github.com/quarry2d/quarry/scene"
)

// crater is a floor of 20 x 4 tiles with a round hole through the middle, in
// which an island of another material floats.
var crater = scene.Scene{
	Name: "crater", Doc: "A hole in a floor.", View: geom.Box(geom.V(-12, -6), geom.V(12, 6)),
	Config: quarry.Config{Gravity: geom.V(0, -10)},
	Build: func(w *quarry.World) *scene.Instance {
		id, err := w.AddGround(0, quarry.GroundDef{})
		if err != nil {
			panic(err)
		}
		g, _ := w.Ground(id)
		for _, err := range []error{
			g.Fill(gridseg.Rect{MinX: -10, MinY: -4, MaxX: 9, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full}),
			g.Dig(geom.V(0, -2), geom.V(0, -2), 1.5),
			g.Build(geom.V(0.5, -1.5), geom.V(0.5, -1.5), 0.25, gridseg.Attr{Layer: 1, Material: 2}),
			g.Dig(geom.V(-5.5, -1.5), geom.V(-5.5, -1.5), 0.25), // a hole in one cell
		} {
			if err != nil {
				panic(err)
			}
		}
		return &scene.Instance{World: w, DT: 1.0 / 60}
	},
}

func (p *peer) polygons() []peerPolygon {
	var out []peerPolygon
	for _, c := range p.chunks {
		out = append(out, c.polygons...)
	}
	return out
}

// area is twice the area of the loops, in lattice units.
func (g peerPolygon) area() int64 {
	sum := int64(0)
	for _, loop := range g.loops {
		for i, a := range loop {
			b := loop[(i+1)%len(loop)]
			sum += a.X*b.Y - a.Y*b.X
		}
	}
	return sum
}

func TestPatchesArrive(t *testing.T) {
	p := dial(t, serve(t, Config{Scenes: []scene.Scene{crater}, Paused: true}))
	p.until("the world", func() bool { return p.frames > 0 })
	in := crater.New()
	patches := map[gridseg.Cell]bool{}
	for g := range in.World.Grounds() {
		bounds, _ := g.Grid().Bounds()
		want := 0
		for cell, tile := range g.Grid().Tiles(bounds) {
			if tile.Shape == gridseg.Patch {
				patches[cell] = true
				for range g.Grid().Polygons(cell.X, cell.Y) {
					want++
				}
			}
		}
		if got := len(p.polygons()); got != want || want < 10 {
			t.Errorf("%d polygons, want %d", got, want)
		}
	}
	islands, holes := 0, 0
	for _, g := range p.polygons() {
		if !patches[g.cell] {
			t.Errorf("a polygon in cell %v, which holds none", g.cell)
		}
		a := g.area()
		if a <= 0 || a >= int64(lattice.CellArea) {
			t.Errorf("cell %v: twice the area is %d", g.cell, a)
		}
		if g.tile == (gridseg.Tile{Layer: 1, Material: 2}) {
			islands++
			if cells := float64(a) / float64(lattice.CellArea); cells < 0.19 || cells > 0.197 { // pi/16
				t.Errorf("the island has %v cells", cells)
			}
		}
		if len(g.loops) == 2 {
			holes++
		}
	}
	if islands != 1 || holes != 1 {
		t.Errorf("%d islands, %d holes, want one of each", islands, holes)
	}
}
