package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// axisSlop (units of length) is by how much another axis must separate better
// than the preferred one (A's, or the ground's own normal) to be chosen. With
// none, two parallel faces would take turns to be the reference as rounding
// falls, and the normal would flicker; much larger, and a contact would be
// pushed along a visibly wrong normal.
const axisSlop = 0.1 * geom.LinearSlop

// axisBias returns how much better than the preferred axis another must separate
// two cores that best separates, r being the sum of their radii. Sharp hulls
// rest with cores that touch, where axisSlop is little; rounded ones rest a
// radius apart, where it is little too, but pressed together until the cores
// touch it would allow any axis, and clip off the nearest points. A twentieth of
// the distance allows axes up to 18 degrees off.
func axisBias(best, r float64) float64 {
	if r > 0 {
		return min(axisSlop, 0.05*math.Abs(best))
	}
	return axisSlop
}

// minCoreDistance (units of length) is the distance of two cores from which on their
// closest points give a trustworthy direction. It only has to be far above the
// rounding of coordinates.
const minCoreDistance = 1e-6

// sideSlop (units of length) widens an edge's side planes, so that a point
// exactly over the seam of two faces, moved by rounding, is on one of them
// rather than on neither. Within it both may report the point.
const sideSlop = 1e-6

// flatSine is the sine of the largest angle at which two faces count as one
// straight surface: above the rounding of coordinates, below the smallest angle
// that the tile lattice makes visible.
const flatSine = 1e-6

// leanSine is the sine of the angle off a face's normal below which two rounded
// edges whose nearest points are two corners may still meet as edges, if that
// gives two points that say as much.
const leanSine = 0.02

// endSine is the sine of the angle off the line of a face, to its back, up to which
// an open end pushes a hull: half way between straight off the end, and through. What
// lies along the face, deep in it, would be pushed out of its back.
const endSine = 0.7071067811865476
