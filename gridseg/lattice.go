package gridseg

import "fmt"

// Unit is the number of lattice steps along one cell.
const Unit = 4096

// Point is a point of the lattice: cell*Unit + local, exact over the whole int32
// range of cells.
type Point struct{ X, Y int64 }

// Cell names a cell by its lower left corner, in cells.
type Cell struct{ X, Y int32 }

// origin returns the lower left corner of c.
func (c Cell) origin() Point { return Point{int64(c.X) * Unit, int64(c.Y) * Unit} }

// key orders cells by row, then column.
func (c Cell) key() int64 { return int64(c.Y)<<32 | int64(uint32(c.X)^1<<31) }

// cellOfKey returns the cell of a key.
func cellOfKey(k int64) Cell { return Cell{int32(uint32(k) ^ 1<<31), int32(k >> 32)} }

// Rect is a rectangle of cells, closed on all sides: it includes column MaxX and row MaxY. It is
// empty if Max is less than Min in either coordinate; the zero value is the one cell at the origin.
// Queries find nothing in an empty Rect; edits and copies (Fill, Move, Copy) refuse it.
type Rect struct{ MinX, MinY, MaxX, MaxY int32 }

// Empty reports whether r contains no cell.
func (r Rect) Empty() bool { return r.MaxX < r.MinX || r.MaxY < r.MinY }

// check returns an error if r cannot be filled, moved or copied: if Max is less than Min, or r has
// more than MaxFill cells.
func (r Rect) check() error {
	if r.Empty() {
		return fmt.Errorf("%w: the rectangle from (%d, %d) to (%d, %d) is reversed: Max must be at least Min",
			ErrRange, r.MinX, r.MinY, r.MaxX, r.MaxY)
	}
	return checkSize(int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1)
}

// Contains reports whether c lies in r.
func (r Rect) Contains(c Cell) bool {
	return r.MinX <= c.X && c.X <= r.MaxX && r.MinY <= c.Y && c.Y <= r.MaxY
}

// noCells is the empty rectangle that grow starts from.
var noCells = Rect{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

// grow returns the smallest rectangle that contains r and c.
func (r Rect) grow(c Cell) Rect {
	return Rect{min(r.MinX, c.X), min(r.MinY, c.Y), max(r.MaxX, c.X), max(r.MaxY, c.Y)}
}

// vec is a difference of lattice points within 3x3 cells, so that the products below stay far
// inside 64 bits.
type vec struct{ X, Y int64 }

func cross(a, b vec) int64 { return a.X*b.Y - a.Y*b.X }
func dot(a, b vec) int64   { return a.X*b.X + a.Y*b.Y }

func sub(a, b Point) vec { return vec{a.X - b.X, a.Y - b.Y} }
