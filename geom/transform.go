package geom

// Transform is a rotation followed by a translation: the frame of a body. The zero value is not
// valid (its Rot is not a rotation); use At.
type Transform struct {
	P Vec
	Q Rot
}

// At returns the frame at p, without rotation.
func At(p Vec) Transform { return Transform{p, Identity} }

// Apply maps a point from the frame t to the frame in which t is given.
func (t Transform) Apply(v Vec) Vec { return t.Q.Apply(v).Add(t.P) }

// Inv maps a point from the frame in which t is given to the frame t.
func (t Transform) Inv(v Vec) Vec { return t.Q.Inv(v.Sub(t.P)) }

// Inverse returns the frame in which t is given, in the frame t: t.Inverse().Apply(v) is t.Inv(v).
func (t Transform) Inverse() Transform { return Transform{t.Q.Inv(t.P.Neg()), t.Q.Inverse()} }

// Lerp returns the frame at fraction f from t to u: its origin lies on the line between the two origins, and it turns
// the shorter way (Rot.Lerp). An f of 0 gives t, and 1 gives u. It serves for pictures between two steps of a world.
func (t Transform) Lerp(u Transform, f float64) Transform {
	if f == 1 {
		return u // P.Lerp may be off by a rounding error
	}
	return Transform{t.P.Lerp(u.P, f), t.Q.Lerp(u.Q, f)}
}

// Mul returns u, given in the frame t, in the frame in which t is given.
func (t Transform) Mul(u Transform) Transform { return Transform{t.Apply(u.P), t.Q.Mul(u.Q)} }

// InvMul returns u relative to the frame t. Both must be given in the same frame.
func (t Transform) InvMul(u Transform) Transform {
	return Transform{t.Q.Inv(u.P.Sub(t.P)), t.Q.InvMul(u.Q)}
}
