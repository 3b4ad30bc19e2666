package lattice

import (
	"cmp"
	"fmt"
	"math"
)

// Unit is the number of lattice steps along one cell.
const Unit = 4096

// Point is a point of the lattice: cell*Unit + local, exact over the whole int32
// range of cells.
type Point struct{ X, Y int64 }

// Cell names a cell by its lower left corner, in cells.
type Cell struct{ X, Y int32 }

// OriginOf returns the lower left corner of c.
func OriginOf(c Cell) Point { return Point{int64(c.X) * Unit, int64(c.Y) * Unit} }

// Vec is a difference of lattice points within 3x3 cells, so that the products below stay far
// inside 64 bits.
type Vec struct{ X, Y int64 }

// Cross returns the cross product: positive if b is on the left of a.
func Cross(a, b Vec) int64 { return a.X*b.Y - a.Y*b.X }

// Dot returns the dot product.
func Dot(a, b Vec) int64 { return a.X*b.X + a.Y*b.Y }

// Sub returns a - b.
func Sub(a, b Point) Vec { return Vec{a.X - b.X, a.Y - b.Y} }

// ComparePoints orders points by row, then column.
func ComparePoints(p, q Point) int { return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X)) }

// Sign returns 1, 0 or -1.
func Sign(x int64) int { return cmp.Compare(x, 0) }

// WorldEnd bounds coordinates: cells lie within +-WorldEnd.
const WorldEnd = int64(1) << 31 * Unit

// Round returns the lattice point nearest to a point in cells.
func Round(x, y float64) (Point, error) {
	u, v := math.Floor(float64(x*Unit)+0.5), math.Floor(float64(y*Unit)+0.5)
	for _, c := range [2]float64{u, v} {
		if math.IsNaN(c) {
			return Point{}, fmt.Errorf("%w: (%v, %v)", ErrNotFinite, x, y)
		}
		if math.Abs(c) > float64(WorldEnd) {
			return Point{}, fmt.Errorf("%w: (%v, %v), at most 2^31 from 0", ErrRange, x, y)
		}
	}
	return Point{int64(u), int64(v)}, nil
}

// CellNear returns the cell of a point in cells, or the nearest cell; NaN counts as 0.
func CellNear(p [2]float64) Cell {
	at := func(v float64) int32 {
		if math.IsNaN(v) {
			return 0
		}
		return int32(math.Floor(max(-1<<31, min(1<<31-1, v))))
	}
	return Cell{at(p[0]), at(p[1])}
}

// CellOf returns the cell of a point, or the nearest cell.
func CellOf(p Point) Cell {
	return Cell{int32(max(-1<<31, min(1<<31-1, p.X>>12))), int32(max(-1<<31, min(1<<31-1, p.Y>>12)))}
}
