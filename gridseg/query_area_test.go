package gridseg

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/quarry2d/quarry/internal/lattice"
)

// slowArea adds up trapezia under the edges of the tiles of r, in the world's own
// coordinates.
func (w *world) slowArea(r Rect) *big.Int {
	sum := new(big.Int)
	for c, t := range w.tiles {
		if !r.Contains(c) {
			continue
		}
		for _, ps := range w.shapes.Polygons(t.Shape, t.Turn) {
			for i, a := range ps {
				b := ps[(i+1)%len(ps)]
				y := big.NewInt(a.Y + b.Y + 2*Unit*int64(c.Y))
				sum.Add(sum, y.Mul(y, big.NewInt(a.X-b.X)))
			}
		}
	}
	return sum
}

// anyPart draws a rectangle in or round a world at o, at times a huge or an empty
// one.
func anyPart(t *rapid.T, o Cell, side int) Rect {
	switch rapid.IntRange(0, 9).Draw(t, "part") {
	case 0:
		return everywhere
	case 1:
		return Rect{MinX: o.X, MinY: o.Y, MaxX: o.X - 1, MaxY: o.Y + 3}
	}
	x0, y0 := rapid.IntRange(-1, side).Draw(t, "x0"), rapid.IntRange(-1, side).Draw(t, "y0")
	x1, y1 := rapid.IntRange(x0, side).Draw(t, "x1"), rapid.IntRange(y0, side).Draw(t, "y1")
	// Columns that wrap at the ends of the world make the rectangle empty.
	return Rect{MinX: o.X + int32(x0), MinY: o.Y + int32(y0), MaxX: o.X + int32(x1), MaxY: o.Y + int32(y1)}
}

func TestSolidArea(t *testing.T) {
	shapes := gallery(t)
	rapid.Check(t, func(t *rapid.T) {
		g, w := New(shapes), newWorld(shapes)
		o := rapid.SampledFrom(origins).Draw(t, "origin")
		tiles := anyTile(shapes)
		if rapid.Bool().Draw(t, "mostly solid") {
			whole, _ := shapes.Lookup("diagonal halves")
			tiles = rapid.SampledFrom([]Tile{
				{Shape: Full},
				{Shape: Full, Layer: 1},
				{Shape: whole},
				{Shape: whole, Turn: 5},
			})
		}
		for range rapid.IntRange(0, 60).Draw(t, "edits") {
			c := Cell{
				X: o.X + int32(rapid.IntRange(0, worldSide-1).Draw(t, "x")),
				Y: o.Y + int32(rapid.IntRange(0, worldSide-1).Draw(t, "y")),
			}
			tile := tiles.Draw(t, "tile")
			if err := g.Set(c.X, c.Y, tile); err != nil {
				t.Fatal(err)
			}
			w.set(c, tile)
		}
		if rapid.Bool().Draw(t, "resolved") {
			g.Resolve()
		}
		for range 8 {
			r := anyPart(t, o, worldSide)
			want := w.slowArea(r)
			if got := new(big.Int).SetUint64(uint64(g.SolidArea(r))); got.Cmp(want) != 0 {
				t.Fatalf("%v: area %v, want %v", r, got, want)
			}
			if got := g.Engine(lattice.Key{}).AnySolid(r); got != (want.Sign() > 0) {
				t.Fatalf("%v: any %v of area %v", r, got, want)
			}
		}
	})
}

func TestSolidAreaOfLargeFill(t *testing.T) {
	g := New(nil)
	r := Rect{MinX: -1<<31 + 5, MinY: -70, MaxX: -1<<31 + 204, MaxY: 130}
	if err := g.Fill(r, Tile{Shape: Full}); err != nil {
		t.Fatal(err)
	}
	if got := g.SolidArea(everywhere); got != 200*201*cellArea || got.Cells() != 200*201 {
		t.Errorf("area %d", got)
	}
	// Parts of whole chunks, and of one.
	for _, p := range []Rect{{MinX: r.MinX + 1, MinY: -69, MaxX: r.MaxX - 3, MaxY: 128}, {
		MinX: r.MinX + 14, MinY: 3,
		MaxX: r.MinX + 20, MaxY: 3,
	}} {
		if got, want := g.SolidArea(p), Area(len(cellsIn(p)))*cellArea; got != want {
			t.Errorf("%v: area %d, want %d", p, got, want)
		}
	}
	if err := g.Set(r.MinX+100, 7, Tile{Shape: Ramp}); err != nil {
		t.Fatal(err)
	}
	if got := g.SolidArea(r); got != 200*201*cellArea-cellArea/2 {
		t.Errorf("area %d with a ramp", got)
	}
	if n := testing.AllocsPerRun(10, func() { g.SolidArea(r); g.Engine(lattice.Key{}).AnySolid(r) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkSolidArea(b *testing.B) {
	solid, ramps := New(nil), New(nil)
	if err := solid.Fill(Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999}, Tile{Shape: Full}); err != nil {
		b.Fatal(err)
	}
	fillRamps(b, ramps, 1000)
	for _, c := range []struct {
		name string
		g    *Grid
		r    Rect
	}{
		{"solid/1000", solid, Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999}},
		{"ramps/1000", ramps, Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999}},
		{"ramps/8", ramps, Rect{MinX: 100, MinY: 100, MaxX: 107, MaxY: 107}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.g.SolidArea(c.r)
			}
		})
	}
	b.Run("any/solid/1000", func(b *testing.B) {
		for b.Loop() {
			solid.Engine(lattice.Key{}).AnySolid(Rect{MinX: 0, MinY: 0, MaxX: 999, MaxY: 999})
		}
	})
}
