package geom

import "math"

// Rot is a rotation, stored as the cosine and sine of its angle. The zero value is not a rotation;
// use Identity.
type Rot struct{ C, S float64 }

// Identity is the rotation by 0.
var Identity = Rot{C: 1}

// NewRot returns the rotation by angle radians, counter-clockwise.
func NewRot(angle float64) Rot {
	s, c := SinCos(angle)
	return Rot{c, s}
}

// Angle returns the angle of q in (-pi, pi].
func (q Rot) Angle() float64 { return Atan2(q.S, q.C) }

// Apply rotates v by q.
func (q Rot) Apply(v Vec) Vec {
	return Vec{float64(q.C*v.X) - float64(q.S*v.Y), float64(q.S*v.X) + float64(q.C*v.Y)}
}

// Inv rotates v by the inverse of q.
func (q Rot) Inv(v Vec) Vec {
	return Vec{float64(q.C*v.X) + float64(q.S*v.Y), float64(q.C*v.Y) - float64(q.S*v.X)}
}

// Mul returns the rotation by p followed by q.
func (q Rot) Mul(p Rot) Rot {
	return Rot{float64(q.C*p.C) - float64(q.S*p.S), float64(q.S*p.C) + float64(q.C*p.S)}
}

// InvMul returns the rotation p relative to q: p followed by the inverse of q.
func (q Rot) InvMul(p Rot) Rot {
	return Rot{float64(q.C*p.C) + float64(q.S*p.S), float64(q.C*p.S) - float64(q.S*p.C)}
}

// Inverse returns the rotation by the angle of q the other way round.
func (q Rot) Inverse() Rot { return Rot{q.C, -q.S} }

// Lerp returns the rotation at fraction t of the shorter turn from q to p; of a half turn, counter-clockwise. A t of 0
// gives q, and 1 gives p.
func (q Rot) Lerp(p Rot, t float64) Rot {
	switch {
	case q == p || t == 0:
		return q
	case t == 1:
		return p
	}
	return q.Mul(NewRot(t * q.InvMul(p).Angle()))
}

// Norm returns q normalised to length 1; a zero q gives Identity.
func (q Rot) Norm() Rot {
	l := math.Sqrt(float64(q.C*q.C) + float64(q.S*q.S))
	if l == 0 {
		return Identity
	}
	return Rot{q.C / l, q.S / l}
}
