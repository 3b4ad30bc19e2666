package geom

import "math"

// Capsule is the set of points within Radius of the segment A-B. Radius must be > 0, and A and B at
// least LinearSlop apart (otherwise use a Circle).
type Capsule struct {
	A, B   Vec
	Radius float64
}

// Bounds returns the smallest box around the capsule in the frame t.
func (c Capsule) Bounds(t Transform) AABB {
	return Box(t.Apply(c.A), t.Apply(c.B)).Expand(c.Radius)
}

// Mass returns the mass of the capsule: a rectangle and the two halves of a disc, whose centroids
// are 4r/(3 pi) beyond its ends.
func (c Capsule) Mass(density float64) Mass {
	r2 := c.Radius * c.Radius
	l := c.A.Dist(c.B)
	box := float64(density * 2 * c.Radius * l)
	disc := float64(density * math.Pi * r2)
	h := float64(0.5 * l)
	cap4 := 4 * c.Radius / (3 * math.Pi)
	return Mass{
		Mass:   box + disc,
		Center: c.A.Lerp(c.B, 0.5),
		Inertia: float64(box*(float64(l*l)+float64(4*r2))/12) +
			float64(disc*(float64(0.5*r2)+float64(h*h)+float64(2*h*cap4))),
	}
}

// Contains reports whether p lies in the closed capsule.
func (c Capsule) Contains(p Vec) bool {
	q := closestOnSegment(p, c.A, c.B)
	return p.Sub(q).Len2() <= c.Radius*c.Radius
}

// RayCast returns where the ray from origin along d enters the capsule.
func (c Capsule) RayCast(origin, d Vec) (RayHit, bool) { return c.circleCast(origin, 0, d) }

// Valid returns an error if c is not valid, see Shape.
func (c Capsule) Valid() error {
	if err := validEnds(c.A, c.B); err != nil {
		return err
	}
	return validRadius(c.Radius, false)
}

func (c Capsule) circleCast(center Vec, radius float64, d Vec) (RayHit, bool) {
	return castSegment(c.A, c.B, c.Radius, center, radius, d)
}
