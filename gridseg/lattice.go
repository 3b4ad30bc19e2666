package gridseg

import (
	"cmp"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Unit is the number of lattice steps along one cell.
const Unit = lattice.Unit

// Point is a point of the lattice: cell*Unit + local, exact over the whole int32 range of cells.
type Point = lattice.Point

// Cell names a cell by its lower left corner, in cells.
type Cell = lattice.Cell

// Rect is a rectangle of cells, closed on all sides: it includes column MaxX and row MaxY. It is
// empty if Max is less than Min in either coordinate; the zero value is the one cell at the origin.
// Queries find nothing in an empty Rect; edits and copies (Fill, Move, Copy) refuse it.
type Rect = lattice.Rect

// Area is an area in halves of a square lattice unit. The area of every lattice polygon is a whole
// number of them.
type Area = lattice.Area

// cellArea is the area of one cell.
const cellArea = lattice.CellArea

type vec = lattice.Vec

// cellKey orders cells by row, then column.
func cellKey(c Cell) int64 { return int64(c.Y)<<32 | int64(uint32(c.X)^1<<31) }

// cellOfKey returns the cell of a key.
func cellOfKey(k int64) Cell { return Cell{X: int32(uint32(k) ^ 1<<31), Y: int32(k >> 32)} }

func byRow(a, b Cell) int {
	return cmp.Compare(cellKey(a), cellKey(b)) // one comparison, since sorting takes most of the time
}
