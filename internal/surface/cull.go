package surface

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// CullBox is a coarse form of a shape. It rules out most runs in the cells under a wide shape on rough ground. It
// is in lattice steps, in float64; its comparisons are exact or have cullSlop to spare.
type CullBox struct {
	x0, y0, x1, y1 float64 // the shape's box, grown by the distance of contacts
	x, y           float64 // its centroid
}

// cullSlop (lattice steps) is the clearance that counts as no contact: far above rounding
// and the tolerances of contacts.
const cullSlop = 8

// CullBoxOf returns the CullBox of a shape with the given box, in cells, already grown by
// the distance of contacts, and the given centroid.
func CullBoxOf(box geom.AABB, middle geom.Vec) CullBox {
	return CullBox{
		float64(box.Min.X*Lattice) - cullSlop, float64(box.Min.Y*Lattice) - cullSlop,
		float64(box.Max.X*Lattice) + cullSlop, float64(box.Max.Y*Lattice) + cullSlop,
		middle.X * Lattice, middle.Y * Lattice,
	}
}

// Misses reports whether the shape certainly does not touch the run: its centroid is behind
// the run, or all of it is in front and out of reach, or beside it. Beside is tested for
// horizontal and vertical runs alone: a shape beside the end of a sloped run may still be
// deep behind its line.
func (h *CullBox) Misses(r *gridseg.Run) bool {
	ax, ay := float64(r.A.X), float64(r.A.Y)
	bx, by := float64(r.B.X), float64(r.B.Y)
	switch {
	case ay == by && ax > bx: // a floor
		return h.y < ay-cullSlop || h.y0 > ay || h.x0 > ax || h.x1 < bx
	case ay == by:
		return h.y > ay+cullSlop || h.y1 < ay || h.x0 > bx || h.x1 < ax
	case ax == bx && ay < by: // a wall that faces right
		return h.x < ax-cullSlop || h.x0 > ax || h.y0 > by || h.y1 < ay
	case ax == bx:
		return h.x > ax+cullSlop || h.x1 < ax || h.y0 > ay || h.y1 < by
	}
	nx, ny := by-ay, ax-bx
	if float64(nx*(h.x-ax))+float64(ny*(h.y-ay)) < -cullSlop*(math.Abs(nx)+math.Abs(ny)) {
		return true
	}
	x, y := h.x0, h.y0 // the rearmost corner
	if nx < 0 {
		x = h.x1
	}
	if ny < 0 {
		y = h.y1
	}
	return float64(nx*(x-ax))+float64(ny*(y-ay)) > 0
}
