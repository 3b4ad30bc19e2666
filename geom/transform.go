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

// Mul returns u, given in the frame t, in the frame in which t is given.
func (t Transform) Mul(u Transform) Transform { return Transform{t.Apply(u.P), t.Q.Mul(u.Q)} }

// InvMul returns u relative to the frame t. Both must be given in the same frame.
func (t Transform) InvMul(u Transform) Transform {
	return Transform{t.Q.Inv(u.P.Sub(t.P)), t.Q.InvMul(u.Q)}
}
