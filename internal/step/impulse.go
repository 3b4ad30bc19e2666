package step

import "github.com/quarry2d/quarry/geom"

// side is a body at a point.
type side struct {
	InvMass, InvInertia float64
	Arm                 geom.Vec // from the centre of mass to the point
}

// impulse returns the impulse on b, whose opposite acts on a, that changes the velocity of b relative to a at the
// point from u to end; or to zero, if a change to end would add energy. It is zero for two bodies without inverse
// masses.
func impulse(a, b side, u, end geom.Vec) geom.Vec {
	var xx, xy, yy float64 // the relative velocity that an impulse makes is this matrix times the impulse
	for _, s := range [...]side{a, b} {
		xx += s.InvMass + float64(s.InvInertia*s.Arm.Y*s.Arm.Y)
		yy += s.InvMass + float64(s.InvInertia*s.Arm.X*s.Arm.X)
		xy -= float64(s.InvInertia * s.Arm.X * s.Arm.Y)
	}
	det := float64(xx*yy) - float64(xy*xy)
	if !(det > 0) {
		return geom.Vec{}
	}
	j := func(d geom.Vec) geom.Vec {
		return geom.V((float64(yy*d.X)-float64(xy*d.Y))/det, (float64(xx*d.Y)-float64(xy*d.X))/det)
	}
	out := j(end.Sub(u))
	if out.Dot(u.Add(end)) > 0 { // twice the energy gained
		out = j(u.Neg())
	}
	return out
}
