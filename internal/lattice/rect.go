package lattice

import "fmt"

// Rect is a rectangle of cells, closed on all sides: it includes column MaxX and row MaxY. It is
// empty if Max is less than Min in either coordinate; the zero value is the one cell at the origin.
// Queries find nothing in an empty Rect; edits and copies (Fill, Move, Copy) refuse it.
type Rect struct{ MinX, MinY, MaxX, MaxY int32 }

// Empty reports whether r contains no cell.
func (r Rect) Empty() bool { return r.MaxX < r.MinX || r.MaxY < r.MinY }

// CheckFill refuses a rectangle that cannot be filled, moved or copied: if Max is less than Min, or r has more than
// MaxFill cells.
func CheckFill(r Rect) error {
	if r.Empty() {
		return fmt.Errorf("%w: the rectangle from (%d, %d) to (%d, %d) is reversed: Max must be at least Min",
			ErrRange, r.MinX, r.MinY, r.MaxX, r.MaxY)
	}
	return CheckSize(int64(r.MaxX)-int64(r.MinX)+1, int64(r.MaxY)-int64(r.MinY)+1)
}

// Contains reports whether c lies in r.
func (r Rect) Contains(c Cell) bool {
	return r.MinX <= c.X && c.X <= r.MaxX && r.MinY <= c.Y && c.Y <= r.MaxY
}

// NoCells is the empty rectangle that Grow starts from.
var NoCells = Rect{1<<31 - 1, 1<<31 - 1, -1 << 31, -1 << 31}

// EveryCell is the rectangle of all cells.
var EveryCell = Rect{-1 << 31, -1 << 31, 1<<31 - 1, 1<<31 - 1}

// Grow returns the smallest rectangle that contains r and c.
func Grow(r Rect, c Cell) Rect {
	return Rect{min(r.MinX, c.X), min(r.MinY, c.Y), max(r.MaxX, c.X), max(r.MaxY, c.Y)}
}

// CheckSize refuses more than MaxFill cells.
func CheckSize(w, h int64) error {
	if w > 0 && h > 0 && (w > MaxFill || h > MaxFill || w*h > MaxFill) {
		return fmt.Errorf("%w: %d x %d cells, at most %d", ErrTooLarge, w, h, MaxFill)
	}
	return nil
}

// Around returns r with n more cells on each side, as far as there are cells.
func Around(r Rect, n int32) Rect {
	at := func(x int64) int32 { return int32(max(-1<<31, min(1<<31-1, x))) }
	return Rect{
		at(int64(r.MinX) - int64(n)), at(int64(r.MinY) - int64(n)), at(int64(r.MaxX) + int64(n)),
		at(int64(r.MaxY) + int64(n)),
	}
}

// ChunkSide is the number of cells along a chunk, a power of two.
const ChunkSide = 16

// ChunksOf returns the smallest rectangle of whole chunks, of 16x16 cells, that contains r.
func ChunksOf(r Rect) Rect {
	const mask = ChunkSide - 1
	return Rect{r.MinX &^ mask, r.MinY &^ mask, r.MaxX | mask, r.MaxY | mask}
}
