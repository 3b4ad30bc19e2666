package geom

import "math"

// Circle is a disc: all points within Radius of Center. Radius must be > 0.
type Circle struct {
	Center Vec
	Radius float64
}

// Bounds returns the smallest box around the disc in the frame t.
func (c Circle) Bounds(t Transform) AABB {
	p := t.Apply(c.Center)
	return AABB{p, p}.Expand(c.Radius)
}

// Mass returns the mass of the disc.
func (c Circle) Mass(density float64) Mass {
	r2 := c.Radius * c.Radius
	m := density * math.Pi * r2
	return Mass{Mass: m, Center: c.Center, Inertia: 0.5 * m * r2}
}

// Contains reports whether p lies in the closed disc.
func (c Circle) Contains(p Vec) bool {
	return p.Sub(c.Center).Len2() <= c.Radius*c.Radius
}

// RayCast returns where the ray from origin along d enters the disc.
func (c Circle) RayCast(origin, d Vec) (RayHit, bool) { return c.circleCast(origin, 0, d) }

// Valid returns an error if c is not valid, see Shape.
func (c Circle) Valid() error {
	if err := validPoint(c.Center); err != nil {
		return err
	}
	return validRadius(c.Radius, false)
}

func (c Circle) circleCast(center Vec, radius float64, d Vec) (RayHit, bool) {
	core := [1]Vec{c.Center}
	return castCore(core[:], nil, c.Radius, center, radius, d)
}
