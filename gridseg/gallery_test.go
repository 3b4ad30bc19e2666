package gridseg

import (
	"testing"

	"pgregory.net/rapid"
)

// gallery is a set of shapes that have, between them, every kind of meeting at a
// border and within a cell. Coordinates are mostly eighths, so that they meet.
func gallery(t rapid.TB) *Shapes {
	t.Helper()
	s := NewShapes()
	for _, d := range []struct {
		name  string
		polys [][][2]float64
	}{
		{"notch", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}, {.75, 1}, {.75, .5}, {.25, .5}, {.25, 1}, {0, 1}}}},
		{"comb", [][][2]float64{{
			{0, 0},
			{1, 0},
			{1, 1},
			{.875, 1},
			{.75, .5},
			{.625, 1},
			{.375, 1},
			{.25, .5},
			{.125, 1},
			{0, 1},
		}}},
		{"diamond", [][][2]float64{{{.5, 0}, {1, .5}, {.5, 1}, {0, .5}}}},
		{"diagonal halves", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}},
		{"two pillars", [][][2]float64{{{0, 0}, {.25, 0}, {.25, 1}, {0, 1}}, {{.75, 0}, {1, 0}, {1, 1}, {.75, 1}}}},
		{"stacked slabs", [][][2]float64{{{0, 0}, {1, 0}, {1, .25}, {0, .25}}, {
			{.25, .25},
			{.75, .25},
			{.75, .5},
			{.25, .5},
		}}},
		{"island", [][][2]float64{{{.25, .25}, {.75, .25}, {.5, .75}}}},
		{"ring", [][][2]float64{
			{{0, 0}, {1, 0}, {1, .25}, {.25, .25}, {.25, .75}, {0, .75}},
			{{1, .25}, {1, 1}, {0, 1}, {0, .75}, {.75, .75}, {.75, .25}},
		}},
		{"full with more vertices", [][][2]float64{{
			{0, 0},
			{.5, 0},
			{1, 0},
			{1, .25},
			{1, 1},
			{.375, 1},
			{0, 1},
			{0, .5},
		}}},
		{"bow tie", [][][2]float64{{{0, 0}, {.5, .5}, {0, 1}}, {{1, 0}, {1, 1}, {.5, .5}}}},
		{"corner", [][][2]float64{{{0, 0}, {.5, 0}, {0, .5}}}},
		{"two corners", [][][2]float64{{{0, 0}, {.5, 0}, {0, .5}}, {{1, 1}, {.5, 1}, {1, .5}}}},
		{"odd", [][][2]float64{{{.1, 0}, {.333, 0}, {1, .777}, {.9, 1}, {.123, .8}, {0, .456}}}},
		{"three fans", [][][2]float64{
			{{0, 0}, {1, 0}, {.5, .5}},
			{{1, 0}, {1, 1}, {.5, .5}},
			{{1, 1}, {0, 1}, {.5, .5}},
		}},
	} {
		if _, err := s.Register(d.name, d.polys...); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestPairs lays every two shapes of the gallery side by side in every turn. One kind of
// border is enough for the turns of both to reach all four sides, but the code
// distinguishes two.
func TestPairs(t *testing.T) {
	shapes := gallery(t)
	for _, at := range []Cell{{X: 1, Y: 0}, {X: 0, Y: 1}} {
		g := New(shapes)
		w := newWorld(shapes)
		put := func(c Cell, tile Tile) {
			if err := g.Set(c.X, c.Y, tile); err != nil {
				t.Fatal(err)
			}
			w.set(c, tile)
		}
		n := 0
		for a := range ShapeID(shapes.Len()) {
			for b := range ShapeID(shapes.Len()) {
				for turn := range Turn(turns * turns) {
					n++
					if testing.Short() && n%7 != 0 {
						continue
					}
					put(Cell{}, Tile{Shape: a + 1, Turn: turn & 7})
					put(at, Tile{Shape: b + 1, Turn: turn >> 3})
					g.Resolve()
					w.check(t, g)
				}
			}
		}
	}
}

// exhaust lays every stride-th arrangement of {empty, block, four ramps} in a
// square of n cells.
func exhaust(t *testing.T, n, stride int) {
	kinds := []Tile{
		{},
		{Shape: Full},
		{Shape: Ramp},
		{Shape: Ramp, Turn: 1},
		{Shape: Ramp, Turn: 2},
		{Shape: Ramp, Turn: 3},
	}
	g := New(nil)
	w := newWorld(g.Shapes())
	total := 1
	for range n * n {
		total *= len(kinds)
	}
	done := 0
	for k := 0; k < total; k += stride {
		rest := k
		for i := range n * n {
			// The middle of the square is the corner of four chunks.
			c := Cell{X: int32(i%n) - 1, Y: int32(i/n) - 1}
			tile := kinds[rest%len(kinds)]
			rest /= len(kinds)
			if err := g.Set(c.X, c.Y, tile); err != nil {
				t.Fatal(err)
			}
			w.set(c, tile)
		}
		g.Resolve()
		w.check(t, g)
		done++
	}
	t.Logf("%d of %d arrangements of %d x %d cells", done, total, n, n)
}

func TestEveryTwoByTwo(t *testing.T) { exhaust(t, 2, 1) }

// The stride is a prime, so that every digit takes every value.
func TestManyThreeByThree(t *testing.T) { exhaust(t, 3, 797) }
