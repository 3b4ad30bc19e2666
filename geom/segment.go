package geom

// Segment is a line without thickness that collides on both sides. It has no mass: a dynamic body
// needs another shape. A and B must be at least LinearSlop apart.
type Segment struct{ A, B Vec }

// Bounds returns the smallest box around the segment in the frame t.
func (s Segment) Bounds(t Transform) AABB { return Box(t.Apply(s.A), t.Apply(s.B)) }

// Mass returns a mass of 0 at the middle of the segment.
func (s Segment) Mass(density float64) Mass { return Mass{Center: s.A.Lerp(s.B, 0.5)} }

// Contains returns false: a segment has no inside.
func (s Segment) Contains(p Vec) bool { return false }

// RayCast returns where the ray from origin along d crosses the segment, from either side; the
// normal points to the side of the origin. A ray that starts on the segment hits it at fraction 0;
// a parallel ray never hits it.
func (s Segment) RayCast(origin, d Vec) (RayHit, bool) {
	e := s.B.Sub(s.A)
	den := d.Cross(e)
	to := s.A.Sub(origin)
	t := to.Cross(e) / den
	u := to.Cross(d) / den
	if !(t >= 0 && t <= 1 && u >= 0 && u <= 1) { // false for NaN, as with den = 0
		return RayHit{}, false
	}
	n, _ := e.Right().Unit()
	if n.Dot(d) > 0 {
		n = n.Neg()
	}
	return RayHit{Fraction: t, Point: origin.MulAdd(t, d), Normal: n}, true
}

// Valid returns an error if s is not valid, see Shape.
func (s Segment) Valid() error { return validEnds(s.A, s.B) }

func (s Segment) circleCast(center Vec, radius float64, d Vec) (RayHit, bool) {
	if radius == 0 {
		return s.RayCast(center, d)
	}
	return castSegment(s.A, s.B, 0, center, radius, d)
}
