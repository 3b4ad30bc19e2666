package gridseg

import (
	"cmp"
	"slices"
	"testing"

	"github.com/quarry2d/quarry/internal/lattice"
)

// matrix is the oracle's turn: about the middle of a w x h block, as two rows, and
// where its lower left corner comes to lie is moved to the origin.
func (t Turn) matrix(p Point, w, h int64) Point {
	x, y := 2*p.X-w, 2*p.Y-h // from the middle, doubled
	m := [turns][4]int64{
		{1, 0, 0, 1},
		{0, -1, 1, 0},
		{-1, 0, 0, -1},
		{0, 1, -1, 0},
		{-1, 0, 0, 1},
		{0, -1, -1, 0},
		{1, 0, 0, -1},
		{0, 1, 1, 0},
	}[t]
	x, y = m[0]*x+m[1]*y, m[2]*x+m[3]*y
	if t&1 != 0 {
		w, h = h, w
	}
	return Point{X: (x + w) / 2, Y: (y + h) / 2}
}

// sortedEdges lists the directed edges of polygons, which does not show where a
// polygon begins.
func sortedEdges(polys [][]Point) []lattice.Edge {
	var out []lattice.Edge
	for _, ps := range polys {
		for i, a := range ps {
			out = append(out, lattice.Edge{A: a, B: ps[(i+1)%len(ps)]})
		}
	}
	slices.SortFunc(out, compareEdges)
	return out
}

func compareEdges(p, q lattice.Edge) int {
	return cmp.Or(cmp.Compare(p.A.X, q.A.X), cmp.Compare(p.A.Y, q.A.Y), cmp.Compare(p.B.X, q.B.X),
		cmp.Compare(p.B.Y, q.B.Y))
}

// TestThen compares the composition with the polygons of every shape: a turned one turned
// again is the shape in the turn that Then names.
func TestThen(t *testing.T) {
	shapes := gallery(t)
	for id := range ShapeID(shapes.Len()) {
		for a := range Turn(turns) {
			for b := range Turn(turns) {
				var twice [][]Point
				for _, ps := range shapes.Polygons(id+1, a) {
					var q []Point
					for _, p := range ps {
						q = append(q, b.matrix(p, Unit, Unit))
					}
					if b&4 != 0 {
						slices.Reverse(q)
					}
					twice = append(twice, q)
				}
				if !slices.Equal(sortedEdges(twice), sortedEdges(shapes.Polygons(id+1, a.then(b)))) {
					t.Errorf("%s: %d then %d is not %d", shapes.Name(id+1), a, b, a.then(b))
				}
			}
		}
	}
}

func TestInverse(t *testing.T) {
	for a := range Turn(turns) {
		if b := inverse(a); a.then(b) != 0 || b.then(a) != 0 || b >= turns {
			t.Errorf("%d then %d is %d", a, b, a.then(b))
		}
	}
}

// inverse returns the turn that undoes t.
func inverse(t Turn) Turn {
	u := Turn(0)
	for t.then(u) != 0 {
		u++
	}
	return u
}
