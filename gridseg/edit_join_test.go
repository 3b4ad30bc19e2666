package gridseg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// randomWorld returns a grid of random content of shapes between eighths, near the origin.
func randomWorld(t *testing.T, r *rand.Rand) *Grid {
	t.Helper()
	shapes, ids := eighthShapes(t)
	g := New(shapes)
	for range 60 {
		randomEdit(t, g, r, ids, Cell{X: -4, Y: -3}, 8)
	}
	g.Resolve()
	return g
}

// TestJoinExactly: joined by a quarter turn and whole cells, tiles stay tiles, and the way back gives the same grid. By
// a part of a cell between eighths, areas stay the same.
func TestJoinExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	turns := [4][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	for range 100 {
		o := randomWorld(t, r)
		q := r.IntN(4)
		c, s := turns[q][0], turns[q][1]
		x, y := float64(r.IntN(40)-20), float64(r.IntN(40)-20)
		g, back := New(o.shapes), New(o.shapes)
		if err := g.Join(o, c+1e-12, s, x+1e-6, y); err != nil { // rounded
			t.Fatal(err)
		}
		if err := back.Join(g, c, -s, -(c*x + s*y), -(c*y - s*x)); err != nil {
			t.Fatal(err)
		}
		g.Resolve()
		back.Resolve()
		tiles, segments := g.Count()
		if n, m := o.Count(); n != tiles || m != segments || !slices.Equal(back.AppendSegments(nil, everywhere),
			o.AppendSegments(nil, everywhere)) || back.Hash() != o.Hash() {
			t.Fatalf("turn %d, (%v, %v): %d tiles and %d segments, want %d and %d; there and back differs", q, x, y,
				tiles, segments, n, m)
		}
		part := New(o.shapes)
		if err := part.Join(o, c, s, x+float64(r.IntN(8))/8, y+float64(r.IntN(8))/8); err != nil {
			t.Fatal(err)
		}
		if a, b := part.SolidArea(everywhere), o.SolidArea(everywhere); a != b ||
			part.Parts().len() != o.Parts().len() {
			t.Fatalf("moved by a part of a cell: area %d in %d parts, want %d in %d", a, part.Parts().len(), b,
				o.Parts().len())
		}
	}
}

// TestJoinTurned: the area of a grid that is joined at any angle changes by less than the stated error, and the tiles
// that the grid had stay.
func TestJoinTurned(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 5))
	for range 40 {
		o := New(nil)
		perimeter := 0.0
		if err := o.Fill(Rect{MinX: -3, MinY: -2, MaxX: 4, MaxY: 1}, Tile{Shape: Full, Material: 3}); err != nil {
			t.Fatal(err)
		}
		if err := o.Set(0, 2, Tile{Shape: Ramp, Material: 5}); err != nil {
			t.Fatal(err)
		}
		n, _ := o.Count()
		perimeter = 4 * float64(n)
		a := 7 * r.Float64()
		g := New(nil)
		if err := g.Fill(Rect{MinX: 0, MinY: -40, MaxX: 3, MaxY: -20}, Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
		before := g.SolidArea(everywhere).Cells()
		if err := g.Join(o, math.Cos(a), math.Sin(a), 10*r.Float64(), 10*r.Float64()); err != nil {
			t.Fatal(err)
		}
		if d := g.SolidArea(everywhere).Cells() - before - o.SolidArea(everywhere).Cells(); math.Abs(
			d) > perimeter*2/Unit {
			t.Errorf("angle %v: the area changed by %v, at most %v", a, d, perimeter*2/Unit)
		}
		if g.Parts().len() != 2 {
			t.Errorf("angle %v: %d parts, want 2", a, g.Parts().len())
		}
	}
}

// TestJoinRefused: a refused Join changes nothing.
func TestJoinRefused(t *testing.T) {
	o, g := New(nil), New(nil)
	for _, h := range []*Grid{o, g} {
		if err := h.Fill(Rect{MinX: 0, MinY: 0, MaxX: 40, MaxY: 3}, Tile{Shape: Full}); err != nil {
			t.Fatal(err)
		}
		h.Resolve()
	}
	if _, err := g.Unload(Rect{MinX: 32, MinY: 0, MaxX: 47, MaxY: 15}, UnloadedEmpty); err != nil {
		t.Fatal(err)
	}
	before := g.Hash()
	for _, c := range []struct {
		c, s, x, y float64
		err        error
	}{
		{math.NaN(), 0, 0, 0, lattice.ErrNotFinite},
		{1, 0, math.Inf(1), 0, lattice.ErrNotFinite},
		{0, 0, 0, 0, lattice.ErrDegenerate},
		{1, 0, 1 << 31, 0, ErrRange},
		{1, 0, 0, 8, ErrUnloaded},
		{.6, .8, 16, -20, ErrUnloaded},
	} {
		if err := g.Join(o, c.c, c.s, c.x, c.y); !errors.Is(err, c.err) || g.Hash() != before {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
