package gridseg

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Reasons for a refusal, for errors.Is.
var (
	ErrUnknownShape = errors.New("unknown shape")
	ErrUnloaded     = errors.New("the cell is unloaded")
	ErrOwned        = errors.New("the grid has an owner: if a ground of a world has it, edit it by the methods " +
		"of the ground, and copy its tiles (Copy, Place) to use them elsewhere")

	// ErrPolygon is the reason for refusing a polygon that is clockwise, crosses or touches itself, has no area,
	// or leaves its cell.
	ErrPolygon = lattice.ErrPolygon
	// ErrOverlap is the reason for refusing a polygon that overlaps another one.
	ErrOverlap = lattice.ErrOverlap
	// ErrTooLarge is the reason for refusing an edit or data beyond a limit, which the error names.
	ErrTooLarge = lattice.ErrTooLarge
	// ErrRange is the reason for refusing a number that is not finite, a block of tiles that would reach beyond the
	// last cell or has a negative size, and a rectangle whose Max is less than its Min.
	ErrRange = lattice.ErrRange
)

var (
	errTurn     = errors.New("turn is not 0 to 7")
	errNoShape  = errors.New("tile has attributes but no shape")
	errNotEmpty = errors.New("grid already holds tiles")
	errLoaded   = errors.New("the cell is loaded")
	errName     = errors.New("name is empty or taken")
	errNotFound = errors.New("no such polygon")
	errAsked    = fmt.Errorf("the function of Keep must not edit the grid that it is asked about: %w", ErrOwned)
)

// Error is a refused edit.
type Error struct {
	Op   string // the name of the method
	Cell Cell   // the refused cell; for Fill the lower left corner
	Err  error  // the reason: wraps one of the errors above
}

// Error names the method, the cell and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("gridseg: %s at cell (%d, %d): %v", e.Op, e.Cell.X, e.Cell.Y, e.Err)
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// ShapeError is a refused registration of a shape.
type ShapeError struct {
	Name    string
	Polygon int   // index of the polygon, or -1 if the reason is not about one polygon
	Vertex  int   // index of the vertex (of an edge, its first vertex), or -1
	Err     error // the reason: wraps one of the errors above
}

// Error names the shape, the polygon and the vertex if the reason is about one, and the reason.
func (e *ShapeError) Error() string {
	s := fmt.Sprintf("gridseg: shape %q", e.Name)
	if e.Polygon >= 0 {
		s += fmt.Sprintf(", polygon %d", e.Polygon)
	}
	if e.Vertex >= 0 {
		s += fmt.Sprintf(", vertex %d", e.Vertex)
	}
	return s + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *ShapeError) Unwrap() error { return e.Err }
