package gridseg

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// cellState is the content of a cell.
type cellState struct {
	tile  Tile
	polys []polygon
}

func stateOf(g *Grid, c Cell) (s cellState) {
	s.tile = g.Tile(c.X, c.Y)
	for t, loops := range g.Polygons(c.X, c.Y) {
		s.polys = append(s.polys, polygon{t, loops})
	}
	return s
}

// EditedCells is the bounding box of the cells whose content a single edit changed, found by
// comparing all cells; and Edited reports whether there is one. (Move reported the cells that it
// overwrote by equal polygons, and raised Ground.Version.)
func TestEditedCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := New(nil)
		reach := rapid.SampledFrom([]int{5, 24}).Draw(t, "reach") // few cells, or 16 chunks
		const far = 48
		all := Rect{MinX: -far, MinY: -far, MaxX: far, MaxY: far}
		for range rapid.IntRange(1, 12).Draw(t, "edits") {
			before := map[Cell]cellState{}
			for c := range g.Tiles(all) {
				before[c] = stateOf(g, c)
			}
			drawEdit(t, g, reach)
			want := lattice.NoCells
			for y := all.MinY; y <= all.MaxY; y++ {
				for x := all.MinX; x <= all.MaxX; x++ {
					c := Cell{X: x, Y: y}
					if now, was := stateOf(g, c), before[c]; now.tile != was.tile || !equalPolys(now.polys, was.polys) {
						want = lattice.Grow(want, c)
					}
				}
			}
			e := g.Engine(lattice.Key{})
			if got := e.EditedCells(); got != want || e.Edited() == got.Empty() {
				t.Fatalf("EditedCells %v, Edited %v, changed %v", got, g.Engine(lattice.Key{}).Edited(), want)
			}
			if g.Resolve(); !g.Engine(lattice.Key{}).EditedCells().Empty() {
				t.Fatalf("EditedCells %v after Resolve", g.Engine(lattice.Key{}).EditedCells())
			}
		}
	})
}

// drawEdit makes one edit within reach cells of the origin; it may be refused or have no effect.
func drawEdit(t *rapid.T, g *Grid, reach int) {
	at := func(name string) int32 { return int32(rapid.IntRange(-reach, reach).Draw(t, name)) }
	x, y := at("x"), at("y")
	r := Rect{MinX: x, MinY: y, MaxX: x + int32(rapid.IntRange(0, 7).Draw(t, "w")), MaxY: y +
		int32(rapid.IntRange(0, 7).Draw(t, "h"))}
	tile := rapid.SampledFrom([]Tile{{}, {Shape: Full}, {Shape: Full, Material: 1}, {Shape: Ramp, Turn: 2}}).Draw(t,
		"tile")
	attr := Attr{Material: uint16(rapid.IntRange(0, 1).Draw(t, "material"))}
	loops := rapid.SampledFrom([][][]Point{
		{{{X: 0, Y: 0}, {X: Unit / 2, Y: 0}, {X: 0, Y: Unit / 2}}},
		{{{X: Unit, Y: Unit}, {X: Unit / 2, Y: Unit}, {X: Unit, Y: Unit / 2}}},
		whole,
	}).Draw(t, "polygon")
	circle := func() [][]Point {
		c, err := Circle(float64(x)+0.5, float64(y)+0.5, rapid.Float64Range(0.2, 4).Draw(t, "radius"))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	// Refusals change nothing, see TestRefused.
	switch rapid.SampledFrom([]string{"set", "fill", "move", "place", "add", "remove", "unite", "subtract"}).Draw(t,
		"edit") {
	case "set":
		_ = g.Set(x, y, tile)
	case "fill":
		_ = g.Fill(r, tile)
	case "move":
		_ = g.Move(r, int32(rapid.IntRange(-3, 3).Draw(t, "dx")), int32(rapid.IntRange(-3, 3).Draw(t, "dy")))
	case "place":
		s, err := g.Copy(r)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "without air") {
			leaveEmpty(s)
		}
		_ = g.Place(at("to x"), at("to y"), s)
	case "add":
		_ = g.Add(x, y, loops, attr)
	case "remove":
		_ = g.Remove(x, y, loops)
	case "unite":
		_ = g.Unite(circle(), attr)
	case "subtract":
		_ = g.Subtract(circle())
	}
}

// A Move onto equal polygons changes nothing, though each cell holds its own copy.
func TestMoveOntoEqualPolygons(t *testing.T) {
	g := New(nil)
	corner := [][]Point{{{X: 0, Y: 0}, {X: Unit / 2, Y: 0}, {X: 0, Y: Unit / 2}}}
	for x := range int32(2) {
		if err := g.Add(x, 0, corner, Attr{}); err != nil {
			t.Fatal(err)
		}
	}
	g.Resolve()
	if err := g.Move(Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}, 1, 0); err != nil {
		t.Fatal(err)
	}
	if got, want := g.Engine(lattice.Key{}).EditedCells(), (Rect{MinX: 0, MinY: 0, MaxX: 0, MaxY: 0}); got != want {
		t.Errorf("edited %v, want %v", got, want)
	}
	if d := g.Resolve(); len(slices.Collect(d.Added())) != 0 {
		t.Errorf("new segments: %+v", slices.Collect(d.Added()))
	}
}
