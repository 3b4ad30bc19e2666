package gridseg

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestHoleAlongItsOutside: a polygon whose hole runs along its own outside is cancelled with
// itself before it is cancelled with a neighbour. Its lower edges, which are no faces, took
// the faces of a slab away: 3 segments instead of 6, and bodies fell through.
func TestHoleAlongItsOutside(t *testing.T) {
	const u = Unit
	loops := [][]Point{{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}, {X: 0, Y: u}}, {
		{X: 0, Y: 0},
		{X: 0, Y: u / 2},
		{X: u, Y: u / 2},
		{X: u, Y: 0},
	}}
	g := build(t, New(nil), placed{0, 0, Tile{Shape: Slab}})
	hash := g.Hash()
	if err := g.Add(0, 0, loops, Attr{Material: 1}); err != nil {
		t.Fatal(err)
	}
	d := g.Resolve()
	wantLines(t, g, everywhere, [][4]float64{
		{0, 0, 1, 0},
		{1, 0, 1, .5},
		{0, .5, 0, 0},
		{1, .5, 1, 1},
		{0, 1, 0, .5},
		{1, 1, 0, 1},
	})
	for _, s := range g.AppendSegments(nil, everywhere) {
		if !s.HasGhost1 || !s.HasGhost2 {
			t.Errorf("an open outline: %+v", s)
		}
	}
	// the sides and top of the new half, and the slab's top
	if added, removed, _ := counts(d); added != 3 || removed != 1 {
		t.Errorf("%d added, %d removed", added, removed)
	}
	// The same polygon without the detour is the same cell.
	f := build(t, New(nil), placed{0, 0, Tile{Shape: Slab}})
	if err := f.Add(0, 0, [][]Point{{{X: 0, Y: u / 2}, {X: u, Y: u / 2}, {X: u, Y: u}, {X: 0, Y: u}}},
		Attr{Material: 1}); err != nil {
		t.Fatal(err)
	}
	if f.Hash() != g.Hash() {
		t.Error("the detour shows in the hash")
	}
	// It is removed by the loops that added it; after that its area is not solid.
	if err := g.Remove(0, 0, loops); err != nil {
		t.Fatal(err)
	}
	if g.Hash() != hash {
		t.Error("not back as it was")
	}
	if err := g.Set(0, 0, Tile{}); err != nil {
		t.Fatal(err)
	}
	if err := g.Add(0, 0, loops, Attr{}); err != nil {
		t.Fatal(err)
	}
	if g.solidAt(Point{X: 0, Y: u / 4}) || !g.solidAt(Point{X: 0, Y: 3 * u / 4}) {
		t.Error("solid along edges that are no faces")
	}
}

// anyHollow draws a box with holes, and another box in a hole, all in eighths so that most run
// along each other. Some wind twice or not once, and are to be refused.
func anyHollow() *rapid.Generator[[][]Point] {
	return rapid.Custom(func(t *rapid.T) [][]Point {
		const n = 8
		at := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
		box := func(x0, y0, x1, y1 int64, back bool) []Point {
			loop := []Point{
				{X: x0 * Unit / n, Y: y0 * Unit / n},
				{X: x1 * Unit / n, Y: y0 * Unit / n},
				{X: x1 * Unit / n, Y: y1 * Unit / n},
				{X: x0 * Unit / n, Y: y1 * Unit / n},
			}
			if rapid.IntRange(0, 3).Draw(t, "a corner off") == 0 {
				k := rapid.IntRange(0, 3).Draw(t, "cut")
				if x1-x0 == y1-y0 {
					loop = slices.Delete(loop, k, k+1) // at 45 degrees
				}
			}
			if back {
				slices.Reverse(loop)
			}
			return loop
		}
		x0, y0 := at("x", 0, n-2), at("y", 0, n-2)
		x1, y1 := at("to x", x0+1, n), at("to y", y0+1, n)
		loops := [][]Point{box(x0, y0, x1, y1, false)}
		for k := range rapid.IntRange(1, 3).Draw(t, "more") {
			a, b := at("hole x", x0, x1-1), at("hole y", y0, y1-1)
			c, d := at("hole to x", a+1, x1), at("hole to y", b+1, y1)
			loops = append(loops, box(a, b, c, d, k < 2))
		}
		return loops
	})
}

// TestPolygonsAlongThemselves adds such polygons beside tiles and each other. The raster, which
// stores only which triangles are solid, gives the expected surface: every face once.
func TestPolygonsAlongThemselves(t *testing.T) {
	shapes := rasterShapes(t)
	alone := 0
	rapid.Check(t, func(t *rapid.T) {
		const side, step = 2, Unit / 8
		g, w, m := New(shapes), newWorld(shapes), mirror{}
		r := newRaster(Point{}, step, side*Unit/step)
		type polygonAt struct {
			c     Cell
			loops [][]Point
		}
		var there []polygonAt
		check := func() {
			d := g.Resolve()
			m.take(t, &d)
			m.equals(t, g)
			w.read(g)
			w.check(t, g)
			r.checkSurface(t, g, w)
		}
		for range rapid.IntRange(2, 12).Draw(t, "edits") {
			c := Cell{X: int32(rapid.IntRange(0, side-1).Draw(t, "x")), Y: int32(rapid.IntRange(0, side-1).Draw(t,
				"y"))}
			if rapid.IntRange(0, 4).Draw(t, "tile") == 0 {
				tile := Tile{
					Shape: rapid.SampledFrom([]ShapeID{Full, Ramp, Slab}).Draw(t, "shape"),
					Turn:  Turn(rapid.IntRange(0, 7).Draw(t, "turn")),
				}
				if err := g.Set(c.X, c.Y, tile); err != nil {
					t.Fatal(err)
				}
				r.set(c, tile, shapes.Polygons(tile.Shape, tile.Turn))
				there = slices.DeleteFunc(there, func(p polygonAt) bool { return p.c == c })
				check()
				continue
			}
			loops, a := anyHollow().Draw(t, "loops"), anyAttr(t)
			far := make([][]Point, len(loops))
			for i, loop := range loops {
				for _, v := range loop {
					far[i] = append(far[i], Point{X: v.X + int64(c.X)*Unit, Y: v.Y + int64(c.Y)*Unit})
				}
			}
			simple, free, any := true, true, false
			for k, p := range r.part {
				if r.cellAt(k) == c {
					n := r.turns(far, k)
					simple = simple && (n == 0 || n == 1)
					free = free && (n == 0 || p == 0)
					any = any || n != 0
				}
			}
			err := g.Add(c.X, c.Y, loops, a)
			// Holes may cross: always refused.
			if want := simple && free && any; want != (err == nil) && !errors.Is(err, lattice.ErrCrossing) {
				t.Fatalf("%v: simple %v, free %v, any %v: %v", loops, simple, free, any, err)
			}
			if err != nil {
				continue
			}
			r.parts = append(r.parts, rasterly{tile: Tile{Layer: a.Layer, Material: a.Material, User: a.User}})
			for k := range r.part {
				if r.cellAt(k) == c && r.turns(far, k) != 0 {
					r.part[k] = len(r.parts) - 1
				}
			}
			there = append(there, polygonAt{c, loops})
			if lattice.CompareLoops(lattice.CancelOwn(loops), loops) != 0 {
				alone++
			}
			check()
		}
		checkPolygons(t, g)
		checkFresh(t, g, w)
		// Each is removed as it was given.
		for _, p := range there {
			if err := g.Remove(p.c.X, p.c.Y, p.loops); err != nil && !errors.Is(err, errNotFound) {
				t.Fatal(err)
			} else if err != nil && g.Tile(p.c.X, p.c.Y).Shape != Full {
				t.Fatalf("%v: %v", p.loops, err)
			}
		}
		w.read(g)
		checkEmptied(t, g, m, w)
	})
	if alone < 20 {
		t.Errorf("%d polygons ran along themselves", alone)
	}
}
