package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// cullBox is a shape as coarsely as will do to tell that it is clear of a run: most of
// those in the cells under a wide shape on rough ground are. It is in the lattice of
// the ground, in float64, where all that is asked of it is exact or has cullSlop to
// spare.
type cullBox struct {
	x0, y0, x1, y1 float64 // its box, grown by all that a contact may bridge
	x, y           float64 // its centroid
}

// cullSlop (steps of the lattice) is what a shape must be clear by: far more than is
// lost by rounding, or allowed for by what looks for contacts.
const cullSlop = 8

// cullBoxOf makes the reach of a shape with a box, in cells, grown already by the
// distance of contacts, and a centroid in it.
func cullBoxOf(box geom.AABB, middle geom.Vec) cullBox {
	return cullBox{
		float64(box.Min.X*lattice) - cullSlop, float64(box.Min.Y*lattice) - cullSlop,
		float64(box.Max.X*lattice) + cullSlop, float64(box.Max.Y*lattice) + cullSlop,
		middle.X * lattice, middle.Y * lattice,
	}
}

// misses reports whether the shape is sure not to touch the run: its centroid is
// behind it, or all of it before it and out of reach, or beside it. The last is told
// of level and upright runs alone: what crosses the line of another beside its end
// may still be deep behind it.
func (h *cullBox) misses(r *gridseg.Run) bool {
	ax, ay := float64(r.A.X), float64(r.A.Y)
	bx, by := float64(r.B.X), float64(r.B.Y)
	switch {
	case ay == by && ax > bx: // a floor
		return h.y < ay-cullSlop || h.y0 > ay || h.x0 > ax || h.x1 < bx
	case ay == by:
		return h.y > ay+cullSlop || h.y1 < ay || h.x0 > bx || h.x1 < ax
	case ax == bx && ay < by: // a wall that looks to the right
		return h.x < ax-cullSlop || h.x0 > ax || h.y0 > by || h.y1 < ay
	case ax == bx:
		return h.x > ax+cullSlop || h.x1 < ax || h.y0 > ay || h.y1 < by
	}
	nx, ny := by-ay, ax-bx
	if float64(nx*(h.x-ax))+float64(ny*(h.y-ay)) < -cullSlop*(math.Abs(nx)+math.Abs(ny)) {
		return true
	}
	x, y := h.x0, h.y0 // the corner that is farthest back
	if nx < 0 {
		x = h.x1
	}
	if ny < 0 {
		y = h.y1
	}
	return float64(nx*(x-ax))+float64(ny*(y-ay)) > 0
}
