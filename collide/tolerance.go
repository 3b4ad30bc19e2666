package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// axisSlop (units of length) is the smallest excess of another axis's separation over the preferred axis's
// (A's, or the ground's normal) at which the other axis is chosen. Without it, two parallel faces would alternate
// as reference with rounding, and the normal would flicker; if it were much larger, contacts would be pushed along
// a visibly wrong normal.
const axisSlop = 0.1 * geom.LinearSlop

// axisBias returns the smallest excess of another axis's separation over the preferred axis's at which the
// other axis is chosen; best is the largest separation of the cores, r the sum of their radii. Sharp hulls rest
// with touching cores, where axisSlop is small. Rounded hulls rest a radius apart, where it is small too, but when
// they are pressed together until the cores touch, it would allow any axis, and clip off the closest points. A
// twentieth of the distance allows axes up to 18 degrees off.
func axisBias(best, r float64) float64 {
	if r > 0 {
		return min(axisSlop, 0.05*math.Abs(best))
	}
	return axisSlop
}

// minCoreDistance (units of length) is the distance of two cores above which their closest points have a reliable
// direction. It only has to be far above the rounding of coordinates.
const minCoreDistance = 1e-6

// sideSlop (units of length) widens an edge's side planes, so that a point exactly over the seam of
// two faces, moved by rounding, is on at least one of them. Within sideSlop both may report the
// point.
const sideSlop = 1e-6

// flatSine is the sine of the largest angle at which two faces count as one
// straight surface: above the rounding of coordinates, below the smallest angle
// that the tile lattice makes visible.
const flatSine = 1e-6

// leanSine is the sine of the largest angle to a face's normal at which two rounded edges whose
// closest points are two corners may still be in contact as edges, if that gives two points of the
// same depth.
const leanSine = 0.02

// endSine limits the normals of an open end: it is the sine of the largest angle by which a normal may point behind
// the line of the face. The limit is half way between straight off the end and straight through. Otherwise a hull
// that lies along the face, deep in it, would be pushed out of its back.
const endSine = 0.7071067811865476
