package lattice

import "errors"

// Reasons for a refusal, for errors.Is.
var (
	ErrTooLarge = errors.New("too large")
	ErrRange    = errors.New("out of the range of cells")
	ErrPolygon  = errors.New("not a simple counter-clockwise polygon of the cell")
	ErrOverlap  = errors.New("polygons overlap")

	ErrNotFinite  error = reason{"coordinate is not a number", ErrRange}
	ErrOutside    error = reason{"outside of the cell", ErrPolygon}
	ErrDegenerate error = reason{"degenerate geometry", ErrPolygon}
	ErrClockwise  error = reason{"clockwise or without area", ErrPolygon}
	ErrCrossing   error = reason{"polygon meets itself", ErrPolygon}
)

// reason is a reason of a kind that games can tell from others.
type reason struct {
	text string
	kind error
}

func (r reason) Error() string { return r.text }

func (r reason) Unwrap() error { return r.kind }

// Limits.
const (
	MaxPolygons = 64      // of a shape
	MaxPatch    = 1024    // vertices of all polygons of a cell
	MaxFill     = 1 << 24 // cells of one edit
	MaxOutline  = 1 << 12 // vertices of all loops of a stroke
	MaxReach    = 1 << 16 // width and height of a stroke, in cells; at most MaxFill cells in all
	MaxCuts     = 1 << 17 // vertices of a stroke, including the crossings of edges with grid lines
)
