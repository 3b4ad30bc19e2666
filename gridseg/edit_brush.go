package gridseg

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Brushes make loops for Unite and Subtract from coordinates in cells.

// maxRadius bounds the radius of a round brush, in cells. (Unite and Subtract refuse loops that
// cover more than 2^24 cells.)
const maxRadius = 1 << 11

// roundness bounds the distance between an edge of a round brush and the true arc, in cells: a
// quarter of a pixel at 64 pixels a cell.
const roundness = 1.0 / 256

// Circle returns a circle as a polygon, in lattice units. Before rounding, its vertices lie on the
// circle and its edges at most 1/256 cell inside of it. x, y and radius are in cells.
//
// It fails with an *Error of ErrRange, ErrTooLarge (radius above 2048) or ErrPolygon (a radius that is not positive,
// or too small for the lattice). The error names the cell of the centre if the radius is refused, otherwise the cell
// of the refused point, or the nearest cell if that point lies beyond the cells.
func Circle(x, y, radius float64) ([][]Point, error) {
	return capsule("Circle", [2]float64{x, y}, [2]float64{x, y}, radius)
}

// Capsule returns the set of points within radius of the segment from (x0, y0) to (x1, y1), all in
// cells, with the precision and the errors of Circle.
func Capsule(x0, y0, x1, y1, radius float64) ([][]Point, error) {
	return capsule("Capsule", [2]float64{x0, y0}, [2]float64{x1, y1}, radius)
}

// capsule is Capsule from p to q; errors name the function op.
func capsule(op string, p, q [2]float64, radius float64) ([][]Point, error) {
	if math.IsNaN(radius) || !(radius > 0) {
		return nil, &Error{op, lattice.CellNear(p), fmt.Errorf("%w: radius %v",
			kindOf(radius, lattice.ErrDegenerate), radius)}
	}
	if radius > maxRadius {
		return nil, &Error{op, lattice.CellNear(p), fmt.Errorf("%w: radius %v, at most %d", ErrTooLarge, radius,
			maxRadius)}
	}
	// Check the points first, so that the arithmetic below cannot overflow.
	for _, v := range [][2]float64{p, q} {
		if _, err := lattice.Round(v[0], v[1]); err != nil {
			return nil, &Error{op, lattice.CellNear(v), err}
		}
	}
	forth := [2]float64{1, 0}
	dx, dy := q[0]-p[0], q[1]-p[1]
	if l := math.Sqrt(float64(dx*dx) + float64(dy*dy)); l > 0 {
		forth = [2]float64{dx / l, dy / l}
	}
	right := [2]float64{forth[1], -forth[0]}
	quarter := arc(right, forth, radius)
	half := append([][2]float64{}, quarter...)
	for _, d := range quarter { // the second quarter, turned by a right angle
		half = append(half, [2]float64{-d[1], d[0]})
	}
	half = append(half, [2]float64{-right[0], -right[1]})
	var out [][2]float64
	for _, d := range half {
		out = append(out, [2]float64{q[0] + float64(radius*d[0]), q[1] + float64(radius*d[1])})
	}
	for _, d := range half {
		out = append(out, [2]float64{p[0] - float64(radius*d[0]), p[1] - float64(radius*d[1])})
	}
	return polygonOf(op, out)
}

// arc returns unit vectors from one direction to another at a right angle to it, counter-clockwise,
// without the last. They are close enough for chords of the radius to stay within roundness.
func arc(from, to [2]float64, radius float64) [][2]float64 {
	dirs := [][2]float64{from, to}
	for {
		// The sum of two neighbouring unit vectors bisects them, and its length is twice the cosine
		// of half the angle. So radius*(1-cosine) is the distance of the chord's middle from the
		// arc.
		m := [2]float64{dirs[0][0] + dirs[1][0], dirs[0][1] + dirs[1][1]}
		// The compiler may turn a division by 2 into a product.
		cosine := float64(math.Sqrt(float64(m[0]*m[0])+float64(m[1]*m[1])) / 2)
		if radius*(1-cosine) <= roundness {
			return dirs[:len(dirs)-1]
		}
		next := make([][2]float64, 0, 2*len(dirs))
		for k, a := range dirs[:len(dirs)-1] {
			b := dirs[k+1]
			m := [2]float64{a[0] + b[0], a[1] + b[1]}
			l := math.Sqrt(float64(m[0]*m[0]) + float64(m[1]*m[1]))
			next = append(next, a, [2]float64{m[0] / l, m[1] / l})
		}
		dirs = append(next, to)
	}
}

// Polygon returns one loop with the given vertices, in cells, rounded to the lattice. The loop may
// wind either way and cross itself, as far as Unite and Subtract are concerned.
//
// It fails with an *Error of ErrRange that names the refused vertex by its index
// and cell (the nearest cell for a vertex beyond the cells; NaN counts as 0 there), or of
// ErrPolygon if the rounded loop has no area.
func Polygon(vertices [][2]float64) ([][]Point, error) { return polygonOf("Polygon", vertices) }

// polygonOf is Polygon; errors name the function op.
func polygonOf(op string, vertices [][2]float64) ([][]Point, error) {
	var loop []Point
	for i, v := range vertices {
		p, err := lattice.Round(v[0], v[1])
		if err != nil {
			return nil, &Error{op, lattice.CellNear(v), fmt.Errorf("vertex %d: %w", i, err)}
		}
		if len(loop) == 0 || loop[len(loop)-1] != p {
			loop = append(loop, p)
		}
	}
	for len(loop) > 1 && loop[0] == loop[len(loop)-1] {
		loop = loop[:len(loop)-1]
	}
	flat := true
	for i := 2; i < len(loop); i++ {
		flat = flat && onLine(loop[0], loop[1], loop[i])
	}
	if flat {
		var at [2]float64
		if len(vertices) > 0 {
			at = vertices[0]
		}
		return nil, &Error{op, lattice.CellNear(at), fmt.Errorf("%w: no area on the lattice", lattice.ErrDegenerate)}
	}
	return [][]Point{loop}, nil
}

// onLine reports whether three points are collinear, at any distance.
func onLine(a, b, c Point) bool {
	u, v := lattice.Sub(b, a), lattice.Sub(c, a)
	// Coordinates have 44 bits: float64 holds them exactly, but not their products. Points whose
	// products round to the same value count as collinear.
	return float64(u.X)*float64(v.Y) == float64(u.Y)*float64(v.X)
}

func kindOf(v float64, other error) error {
	if math.IsNaN(v) {
		return lattice.ErrNotFinite
	}
	return other
}
