package lattice

import (
	"fmt"
	"math"
)

// snap rounds a polygon in cells to the lattice and checks it by itself. On refusal it returns the
// index of the vertex, or -1.
func Snap(poly [][2]float64) ([]Point, int, error) {
	if len(poly) < 3 {
		return nil, -1, fmt.Errorf("%w: %d vertices, at least 3", ErrDegenerate, len(poly))
	}
	ps := make([]Point, len(poly))
	for i, v := range poly {
		for _, c := range v {
			if math.IsNaN(c) {
				return nil, i, ErrNotFinite
			}
			if c < 0 || c > 1 {
				return nil, i, fmt.Errorf("%w: (%v, %v) is not in 0 to 1", ErrOutside, v[0], v[1])
			}
		}
		// Halves round up; floor also turns a negative zero into 0.
		ps[i] = Point{
			int64(math.Floor(float64(v[0]*Unit) + 0.5)),
			int64(math.Floor(float64(v[1]*Unit) + 0.5)),
		}
	}
	if v, err := checkSimple(ps); err != nil {
		return nil, v, err
	}
	return ps, -1, nil
}

// checkSimple refuses a polygon that touches itself, folds back or is not counter-clockwise. It
// returns the index of the vertex at fault, or -1.
func checkSimple(ps []Point) (int, error) {
	if v, err := checkLoop(ps); err != nil {
		return v, err
	}
	if Area2(ps) <= 0 {
		return -1, ErrClockwise
	}
	return -1, nil
}

// checkLoop refuses a loop that touches itself or folds back, of either orientation.
func checkLoop(ps []Point) (int, error) {
	n := len(ps)
	for i := range ps {
		a, b, c := ps[i], ps[(i+1)%n], ps[(i+2)%n]
		if a == b {
			return i, fmt.Errorf("%w: this vertex and the next are both at (%d, %d)/%d", ErrDegenerate, a.X, a.Y, Unit)
		}
		u, v := Sub(b, a), Sub(c, b)
		if Cross(u, v) == 0 && Dot(u, v) < 0 {
			return (i + 1) % n, fmt.Errorf("%w: the edge folds back at (%d, %d)/%d", ErrDegenerate, b.X, b.Y, Unit)
		}
	}
	for i := range ps {
		for j := i + 2; j < n; j++ {
			if i == 0 && j == n-1 {
				continue // first and last edge share a vertex
			}
			if edgesMeet(ps[i], ps[i+1], ps[j], ps[(j+1)%n]) {
				return i, fmt.Errorf("%w: its edge touches the edge of vertex %d", ErrCrossing, j)
			}
		}
	}
	return -1, nil
}

// onEdge reports whether p lies on the closed edge a-b.
func onEdge(p, a, b Point) bool {
	return min(a.X, b.X) <= p.X && p.X <= max(a.X, b.X) &&
		min(a.Y, b.Y) <= p.Y && p.Y <= max(a.Y, b.Y) &&
		Cross(Sub(b, a), Sub(p, a)) == 0
}

// edgesCross reports whether the edges a-b and c-d cross at an interior point of both.
func edgesCross(a, b, c, d Point) bool {
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Y, b.Y) < min(c.Y, d.Y) || max(c.Y, d.Y) < min(a.Y, b.Y) {
		return false
	}
	s1, s2 := Sign(Cross(Sub(b, a), Sub(c, a))), Sign(Cross(Sub(b, a), Sub(d, a)))
	s3, s4 := Sign(Cross(Sub(d, c), Sub(a, c))), Sign(Cross(Sub(d, c), Sub(b, c)))
	return s1*s2 < 0 && s3*s4 < 0
}

// edgesMeet reports whether the closed edges a-b and c-d share a point.
func edgesMeet(a, b, c, d Point) bool {
	return edgesCross(a, b, c, d) || onEdge(a, c, d) || onEdge(b, c, d) || onEdge(c, a, b) || onEdge(d, a, b)
}

// Results of locate.
const (
	Outside = iota
	OnBorder
	Inside
)

// locate returns whether the point p/scale is outside, on the border of or inside a polygon.
func Locate(ps []Point, p Point, scale int64) int {
	in := false
	a := ps[len(ps)-1]
	a = Point{a.X * scale, a.Y * scale}
	for _, b := range ps {
		b = Point{b.X * scale, b.Y * scale}
		if onEdge(p, a, b) {
			return OnBorder
		}
		// Edges are closed below and open above, so that a vertex at the height of p counts once.
		if (a.Y <= p.Y) != (b.Y <= p.Y) {
			if left := Cross(Sub(b, a), Sub(p, a)) > 0; left == (b.Y > a.Y) {
				in = !in
			}
		}
		a = b
	}
	if in {
		return Inside
	}
	return Outside
}
