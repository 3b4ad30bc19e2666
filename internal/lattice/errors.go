package lattice

import "errors"

// Reasons for a refusal, for errors.Is.
var (
	ErrTooLarge   = errors.New("too large")
	ErrRange      = errors.New("out of the range of cells")
	ErrNotFinite  = errors.New("coordinate is not a number")
	ErrOutside    = errors.New("outside of the cell")
	ErrDegenerate = errors.New("degenerate geometry")
	ErrClockwise  = errors.New("clockwise or without area")
	ErrCrossing   = errors.New("polygon meets itself")
	ErrOverlap    = errors.New("polygons overlap")
)

// Limits.
const (
	MaxPatch   = 1024    // vertices of all polygons of a cell
	MaxFill    = 1 << 24 // cells of one edit
	MaxOutline = 1 << 12 // vertices of all loops of a stroke
	MaxReach   = 1 << 16 // width and height of a stroke, in cells; at most MaxFill cells in all
	MaxCuts    = 1 << 17 // vertices of a stroke, including the crossings of edges with grid lines
)
