package geom

import "math"

// Vec is a point or a displacement, in units of length. The zero value is the origin.
type Vec struct{ X, Y float64 }

// V returns Vec{x, y}.
func V(x, y float64) Vec { return Vec{x, y} }

// Add returns v + u.
func (v Vec) Add(u Vec) Vec { return Vec{v.X + u.X, v.Y + u.Y} }

// Sub returns v - u.
func (v Vec) Sub(u Vec) Vec { return Vec{v.X - u.X, v.Y - u.Y} }

// Neg returns -v.
func (v Vec) Neg() Vec { return Vec{-v.X, -v.Y} }

// Mul returns v scaled by s.
func (v Vec) Mul(s float64) Vec { return Vec{float64(v.X * s), float64(v.Y * s)} }

// MulAdd returns v + u*s.
func (v Vec) MulAdd(s float64, u Vec) Vec {
	return Vec{v.X + float64(u.X*s), v.Y + float64(u.Y*s)}
}

// Dot returns the dot product of v and u.
func (v Vec) Dot(u Vec) float64 { return float64(v.X*u.X) + float64(v.Y*u.Y) }

// Cross returns the z component of the cross product v x u: positive if u is counter-clockwise of
// v.
func (v Vec) Cross(u Vec) float64 { return float64(v.X*u.Y) - float64(v.Y*u.X) }

// Left returns v rotated by a quarter turn counter-clockwise.
func (v Vec) Left() Vec { return Vec{-v.Y, v.X} }

// Right returns v rotated by a quarter turn clockwise: the outward normal, not of unit length, of
// edge v of a counter-clockwise polygon.
func (v Vec) Right() Vec { return Vec{v.Y, -v.X} }

// Len returns the length of v.
func (v Vec) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Len2 returns the square of the length of v.
func (v Vec) Len2() float64 { return v.Dot(v) }

// Dist returns the distance between the points v and u.
func (v Vec) Dist(u Vec) float64 { return v.Sub(u).Len() }

// Unit returns v divided by its length, and that length. A vector shorter than 1e-150 (whose square
// is not a normal number) gives the zero vector and 0.
func (v Vec) Unit() (Vec, float64) {
	l := v.Len()
	if l < 1e-150 {
		return Vec{}, 0
	}
	return Vec{v.X / l, v.Y / l}, l
}

// Lerp returns the point at fraction t from v to u.
func (v Vec) Lerp(u Vec, t float64) Vec {
	return Vec{v.X + float64((u.X-v.X)*t), v.Y + float64((u.Y-v.Y)*t)}
}

// Min returns the smaller value of each coordinate.
func (v Vec) Min(u Vec) Vec { return Vec{min(v.X, u.X), min(v.Y, u.Y)} }

// Max returns the larger value of each coordinate.
func (v Vec) Max(u Vec) Vec { return Vec{max(v.X, u.X), max(v.Y, u.Y)} }

// IsFinite reports whether no coordinate is NaN or infinite.
func (v Vec) IsFinite() bool { return finite(v.X) && finite(v.Y) }

// finite reports whether x is neither NaN nor an infinity.
func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
