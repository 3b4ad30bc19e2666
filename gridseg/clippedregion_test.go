package gridseg

import (
	"errors"
	"math"
	"strings"
	"testing"
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
	box := []Point{{0, 0}, {u, 0}, {u, u}}
	long := append(make([]Point, MaxOutline), Point{9 * u, 9 * u})
	comb := []Point{} // every tooth crosses MaxReach grid lines
	for k := range int64(8) {
		comb = append(comb, Point{2 * k, 0}, Point{2*k + 1, (MaxReach - 1) * u})
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
		{"range", unite(box, []Point{{5 * u, 6 * u}, {7 * u, 6 * u}, {8*u + 1, worldEnd + u}}), "Unite", ErrRange, Cell{8, last}, "loop 1, vertex 2"},
		{"large", unite([]Point{{5 * u, 6 * u}, {7 * u, 6 * u}, {7 * u, 7 * u}, {-3 * u, 70000 * u}}), "Unite", ErrTooLarge, Cell{-3, 70000}, "vertex 3"},
		{"vertices", g.Subtract([][]Point{long}), "Subtract", ErrTooLarge, Cell{9, 9}, "vertex 4096"},
		{"cuts", unite(comb), "Unite", ErrTooLarge, Cell{0, 0}, "vertex 2"},
		{"short", unite(box, []Point{{5*u + 7, -1}, {3, 3}}), "Unite", ErrDegenerate, Cell{5, -1}, "loop 1"},
		{"polygon not a number", of(Polygon([][2]float64{{0, 0}, {1, 0}, {7.5, nan}, {0, 1}})), "Polygon", ErrNotFinite, Cell{7, 0}, "vertex 2"},
		{"polygon out", of(Polygon([][2]float64{{0, 0}, {1, 0}, {2, 3}, {-2.5, far}})), "Polygon", ErrRange, Cell{-3, last}, "vertex 3"},
		{"polygon flat", of(Polygon([][2]float64{{8, -7.5}, {9, -8.5}, {10, -9.5}})), "Polygon", ErrDegenerate, Cell{8, -8}, "no area"},
		{"circle radius", of(Circle(3.5, -4.5, -1)), "Circle", ErrDegenerate, Cell{3, -5}, "radius -1"},
		{"circle large", of(Circle(3.5, -4.5, far)), "Circle", ErrTooLarge, Cell{3, -5}, "radius 1e+10"},
		{"circle small", of(Circle(3.5, -4.5, 1e-9)), "Circle", ErrDegenerate, Cell{3, -5}, "no area"},
		{"circle out", of(Circle(3.5, far, 1)), "Circle", ErrRange, Cell{3, last}, "1e+10"},
		{"circle over the end", of(Circle(1<<31-1, 6.25, 2)), "Circle", ErrRange, Cell{last, 4}, "vertex 6"},
		{"circle not a number", of(Circle(nan, 2, 1)), "Circle", ErrNotFinite, Cell{0, 2}, "(NaN, 2)"},
		{"capsule end", of(Capsule(1, 2, -far, 9.5, 1)), "Capsule", ErrRange, Cell{-1 << 31, 9}, "-1e+10"},
	} {
		var e *Error
		if !errors.Is(c.err, c.kind) || !errors.As(c.err, &e) || e.Op != c.op || e.Cell != c.cell || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%s: %v; want %s, cell %v, %q", c.name, c.err, c.op, c.cell, c.text)
		}
	}
}
