package geom

// AABB is an axis-aligned box, closed on all sides. It is empty if Max is less than Min in either
// coordinate; the zero value is the single point at the origin.
type AABB struct{ Min, Max Vec }

// Empty is the empty box, the identity of Union.
var Empty = AABB{Min: Vec{maxFloat, maxFloat}, Max: Vec{-maxFloat, -maxFloat}}

const maxFloat = 0x1p1023 * (1 + (1 - 0x1p-52))

// Box returns the smallest box that contains both points, in either order.
func Box(a, b Vec) AABB { return AABB{a.Min(b), a.Max(b)} }

// Overlaps reports whether the closed boxes share a point.
func (a AABB) Overlaps(b AABB) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y
}

// Contains reports whether b lies inside of a.
func (a AABB) Contains(b AABB) bool {
	return a.Min.X <= b.Min.X && a.Min.Y <= b.Min.Y && b.Max.X <= a.Max.X && b.Max.Y <= a.Max.Y
}

// Room returns the distance that b can move in any direction within a, below 0 if a does not contain b.
func (a AABB) Room(b AABB) float64 {
	return min(b.Min.X-a.Min.X, b.Min.Y-a.Min.Y, a.Max.X-b.Max.X, a.Max.Y-b.Max.Y)
}

// ContainsPoint reports whether the closed box contains p.
func (a AABB) ContainsPoint(p Vec) bool {
	return a.Min.X <= p.X && p.X <= a.Max.X && a.Min.Y <= p.Y && p.Y <= a.Max.Y
}

// Union returns the smallest box that contains a and b.
func (a AABB) Union(b AABB) AABB { return AABB{a.Min.Min(b.Min), a.Max.Max(b.Max)} }

// Expand returns a grown by m on every side; m may be negative.
func (a AABB) Expand(m float64) AABB {
	m = float64(m) // keeps a product passed as m from being fused after inlining
	return AABB{Vec{a.Min.X - m, a.Min.Y - m}, Vec{a.Max.X + m, a.Max.Y + m}}
}

// Translate returns a moved by d.
func (a AABB) Translate(d Vec) AABB { return AABB{a.Min.Add(d), a.Max.Add(d)} }

// Center returns the centre of a.
func (a AABB) Center() Vec { return a.Min.Lerp(a.Max, 0.5) }

// Size returns the width and height of a, negative if a is empty.
func (a AABB) Size() Vec { return a.Max.Sub(a.Min) }

// IsEmpty reports whether a contains no point; a box with a NaN is empty.
func (a AABB) IsEmpty() bool { return !(a.Min.X <= a.Max.X && a.Min.Y <= a.Max.Y) }

// IsFinite reports whether no coordinate is NaN or infinite.
func (a AABB) IsFinite() bool { return a.Min.IsFinite() && a.Max.IsFinite() }

// In returns a box around the box a, given in the frame t, in the frame in which t is given: the
// smallest one.
func (a AABB) In(t Transform) AABB {
	if t.Q == Identity {
		return a.Translate(t.P)
	}
	out := Empty
	for _, p := range [4]Vec{a.Min, {X: a.Max.X, Y: a.Min.Y}, a.Max, {X: a.Min.X, Y: a.Max.Y}} {
		p = t.Apply(p)
		out = out.Union(AABB{Min: p, Max: p})
	}
	return out
}
