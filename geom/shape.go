package geom

import (
	"fmt"
	"math"
)

// LinearSlop is the overlap, in units of length, that resting contacts keep. It keeps them from
// alternating between touching and separate; a smaller value makes stacks jitter, a larger one
// becomes visible. It is chosen for objects of 0.1 to 20 cells.
const LinearSlop = 0.005

// MaxCoord is the largest coordinate and radius, in units of length, of a valid shape. Below it
// squares and their products cannot overflow, and the spacing of float64 is at most 1e-7.
const MaxCoord = 1 << 30

// Shape is one of the convex shapes: Circle, Capsule, Polygon or Segment, in
// the frame of the body that carries it. The set is closed.
type Shape interface {
	// Bounds returns the smallest box around the shape in the frame t.
	Bounds(t Transform) AABB
	// Mass returns the shape's mass, its centre and its moment of inertia about that centre, for a
	// density in mass per unit of area. A Segment has mass 0.
	Mass(density float64) Mass
	// Contains reports whether p (in the shape's own frame) lies in the
	// closed shape. A Segment contains nothing.
	Contains(p Vec) bool
	// RayCast returns where the ray from origin along d, both in the shape's own frame, first
	// enters the shape, for fractions of d in [0, 1]. It returns false for a ray that starts
	// inside, has zero length, or misses.
	RayCast(origin, d Vec) (RayHit, bool)
	// Valid returns nil if the engine accepts the shape, otherwise an error with the reason: a
	// coordinate that is not finite or beyond MaxCoord, a radius out of range, ends or vertices
	// closer than LinearSlop, or a polygon that is not convex.
	Valid() error

	// circleCast implements CircleCast; it also closes the set of shapes.
	circleCast(center Vec, radius float64, d Vec) (RayHit, bool)
}

// Mass is the mass of a shape or a body, in units of density times area.
type Mass struct {
	Mass    float64
	Center  Vec     // centre of mass
	Inertia float64 // moment of inertia about Center
}

// validPoint returns an error if p cannot be a point of a shape.
func validPoint(p Vec) error {
	if !(math.Abs(p.X) <= MaxCoord && math.Abs(p.Y) <= MaxCoord) {
		return fmt.Errorf("geom: point (%v, %v) is not finite, or a coordinate is beyond %d", p.X, p.Y, MaxCoord)
	}
	return nil
}

// validRadius returns an error if r cannot be a radius. Zero is allowed only if zero is set.
func validRadius(r float64, zero bool) error {
	if !(r >= 0 && r <= MaxCoord) || (r == 0 && !zero) {
		if zero {
			return fmt.Errorf("geom: radius %v is not in [0, %d]", r, MaxCoord)
		}
		return fmt.Errorf("geom: radius %v is not in (0, %d]", r, MaxCoord)
	}
	return nil
}

// validEnds returns an error if a and b cannot be the ends of a segment or capsule.
func validEnds(a, b Vec) error {
	if err := validPoint(a); err != nil {
		return err
	}
	if err := validPoint(b); err != nil {
		return err
	}
	if d := a.Dist(b); d < LinearSlop {
		return fmt.Errorf("geom: ends are %v apart, less than %v", d, LinearSlop)
	}
	return nil
}
