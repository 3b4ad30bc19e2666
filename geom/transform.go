package geom

// Transform is a rotation followed by a translation: a body's frame. The zero
// value is not a frame (its Rot is not a rotation); At is.
type Transform struct {
	P Vec
	Q Rot
}

// At is the frame at p, not turned.
func At(p Vec) Transform { return Transform{p, Identity} }

// Apply maps a point of the frame t to the frame that t is given in.
func (t Transform) Apply(v Vec) Vec { return t.Q.Apply(v).Add(t.P) }

// Inv maps a point of the frame that t is given in to the frame t.
func (t Transform) Inv(v Vec) Vec { return t.Q.Inv(v.Sub(t.P)) }

// Mul returns u, given in the frame t, in the frame that t is given in.
func (t Transform) Mul(u Transform) Transform { return Transform{t.Apply(u.P), t.Q.Mul(u.Q)} }

// InvMul returns u as seen from the frame t. Both must be given in one frame.
func (t Transform) InvMul(u Transform) Transform {
	return Transform{t.Q.Inv(u.P.Sub(t.P)), t.Q.InvMul(u.Q)}
}
