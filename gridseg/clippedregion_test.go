package gridseg

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// TestErrorsNameTheVertex: the error of a stroke, and of a brush, names the vertex that is refused
// and its cell, or the cell nearest to it. (Unite and Subtract named the cell of the first
// vertex; Circle, Capsule and Polygon named none.)
func TestErrorsNameTheVertex(t *testing.T) {
	const u = Unit
	nan, far := math.NaN(), 1e10
	last := int32(1<<31 - 1)
	g := New(nil)
	unite := func(loops ...[]Point) error { return g.Unite(loops, Attr{}) }
	box := []Point{{X: 0, Y: 0}, {X: u, Y: 0}, {X: u, Y: u}}
	long := append(make([]Point, lattice.MaxOutline), Point{X: 9 * u, Y: 9 * u})
	comb := []Point{} // every tooth crosses lattice.MaxReach grid lines
	for k := range int64(8) {
		comb = append(comb, Point{X: 2 * k, Y: 0}, Point{X: 2*k + 1, Y: (lattice.MaxReach - 1) * u})
	}
	of := func(_ [][]Point, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		op   string
		kind error
		cell Cell
		text string
	}{
		{"range", unite(box, []Point{
			{X: 5 * u, Y: 6 * u},
			{X: 7 * u, Y: 6 * u},
			{X: 8*u + 1, Y: lattice.WorldEnd + u},
		}), "Unite", ErrRange, Cell{X: 8, Y: last}, "loop 1, vertex 2"},
		{"large", unite([]Point{
			{X: 5 * u, Y: 6 * u},
			{X: 7 * u, Y: 6 * u},
			{X: 7 * u, Y: 7 * u},
			{X: -3 * u, Y: 70000 * u},
		}), "Unite", ErrTooLarge, Cell{X: -3, Y: 70000}, "vertex 3"},
		{"vertices", g.Subtract([][]Point{long}), "Subtract", ErrTooLarge, Cell{X: 9, Y: 9}, "vertex 4096"},
		{"cuts", unite(comb), "Unite", ErrTooLarge, Cell{X: 0, Y: 0}, "vertex 2"},
		{
			"short", unite(box, []Point{{X: 5*u + 7, Y: -1}, {X: 3, Y: 3}}), "Unite", lattice.ErrDegenerate,
			Cell{X: 5, Y: -1},
			"loop 1",
		},
		{
			"polygon not a number", of(Polygon([][2]float64{{0, 0}, {1, 0}, {7.5, nan}, {0, 1}})), "Polygon",
			lattice.ErrNotFinite,
			Cell{X: 7, Y: 0},
			"vertex 2",
		},
		{
			"polygon out", of(Polygon([][2]float64{{0, 0}, {1, 0}, {2, 3}, {-2.5, far}})), "Polygon", ErrRange,
			Cell{X: -3, Y: last},
			"vertex 3",
		},
		{
			"polygon flat", of(Polygon([][2]float64{{8, -7.5}, {9, -8.5}, {10, -9.5}})), "Polygon",
			lattice.ErrDegenerate,
			Cell{X: 8, Y: -8},
			"no area",
		},
		{"circle radius", of(Circle(3.5, -4.5, -1)), "Circle", lattice.ErrDegenerate, Cell{X: 3, Y: -5}, "radius -1"},
		{"circle large", of(Circle(3.5, -4.5, far)), "Circle", ErrTooLarge, Cell{X: 3, Y: -5}, "radius 1e+10"},
		{"circle small", of(Circle(3.5, -4.5, 1e-9)), "Circle", lattice.ErrDegenerate, Cell{X: 3, Y: -5}, "no area"},
		{"circle out", of(Circle(3.5, far, 1)), "Circle", ErrRange, Cell{X: 3, Y: last}, "1e+10"},
		{"circle over the end", of(Circle(1<<31-1, 6.25, 2)), "Circle", ErrRange, Cell{X: last, Y: 4}, "vertex 6"},
		{"circle not a number", of(Circle(nan, 2, 1)), "Circle", lattice.ErrNotFinite, Cell{X: 0, Y: 2}, "(NaN, 2)"},
		{"capsule end", of(Capsule(1, 2, -far, 9.5, 1)), "Capsule", ErrRange, Cell{X: -1 << 31, Y: 9}, "-1e+10"},
	} {
		var e *Error
		if !errors.Is(c.err, c.kind) || !errors.As(c.err, &e) || e.Op != c.op || e.Cell != c.cell ||
			!strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%s: %v; want %s, cell %v, %q", c.name, c.err, c.op, c.cell, c.text)
		}
	}
}
