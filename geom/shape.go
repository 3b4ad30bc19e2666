package geom

import (
	"errors"
	"fmt"
	"math"
)

// LinearSlop is the overlap, in units of length, that contacts are left with
// at rest. It keeps them from flickering between touching and not; smaller
// makes stacks jitter, larger becomes visible. It assumes things of 0.1 to 20
// cells.
const LinearSlop = 0.005

// MaxCoord is the largest coordinate and radius, in units of length, that
// Valid takes in a shape. Squares and their products stay far from overflow
// below it, and floats there are still 1e-7 apart.
const MaxCoord = 1 << 30

// Shape is one of the convex shapes: Circle, Capsule, Polygon or Segment, in
// the frame of the body that carries it. The set is closed.
type Shape interface {
	// Bounds returns the smallest box round the shape in the frame t.
	Bounds(t Transform) AABB
	// Mass returns the shape's mass, its centre and its moment of inertia
	// about that centre, for a density in mass per area. A Segment has none.
	Mass(density float64) Mass
	// Contains reports whether p (in the shape's own frame) lies in the
	// closed shape. A Segment contains nothing.
	Contains(p Vec) bool
	// RayCast returns where the ray from origin along d, both in the shape's
	// own frame, first enters the shape, for fractions of d in [0, 1].
	// A ray that starts inside hits nothing, and so does one of no length.
	RayCast(origin, d Vec) (RayHit, bool)
	// Valid returns nil, or why the shape is not one that the engine takes:
	// a coordinate or radius that is not finite, beyond MaxCoord or negative,
	// no area.
	Valid() error

	// circleCast is CircleCast; it also closes the set.
	circleCast(center Vec, radius float64, d Vec) (RayHit, bool)
}

// Mass is a shape's or a body's mass, in units of density times area.
type Mass struct {
	Mass    float64
	Center  Vec     // centre of mass
	Inertia float64 // moment of inertia about Center
}

var errCoord = errors.New("geom: coordinate is not finite or beyond MaxCoord")

// validPoint returns why p cannot be a point of a shape, or nil.
func validPoint(p Vec) error {
	if !(math.Abs(p.X) <= MaxCoord && math.Abs(p.Y) <= MaxCoord) {
		return errCoord
	}
	return nil
}

// validRadius returns why r cannot be a radius, or nil. Zero is one only if
// zero is set.
func validRadius(r float64, zero bool) error {
	if !(r >= 0 && r <= MaxCoord) || (r == 0 && !zero) {
		return fmt.Errorf("geom: radius %v is not in the range of radii", r)
	}
	return nil
}

// validEnds returns why a and b cannot be the ends of a core segment, or nil.
func validEnds(a, b Vec) error {
	if err := validPoint(a); err != nil {
		return err
	}
	if err := validPoint(b); err != nil {
		return err
	}
	if d := a.Dist(b); d < LinearSlop {
		return fmt.Errorf("geom: ends are %v apart, less than LinearSlop", d)
	}
	return nil
}
