package ccd

import "github.com/quarry2d/quarry/geom"

// Impact is an impact that stopped a mover, at a point of the mover. It is as if it were at the start of the motion.
type Impact struct {
	Normal geom.Vec // unit, from the obstacle, in the world
	Arm    geom.Vec // from the mover's centre of mass to the point
	By     geom.Vec // displacement of the obstacle at the point, through the step
	Body   int32    // the caller's number of the obstacle's body
}

// usualImpacts is the number of impacts for which a Sweeper has room from the start.
const usualImpacts = 16

// impactOf returns the impact of a mover, with its centre of mass at center, at the point p, with a body of the motion
// by, along the normal n.
func impactOf(by *Motion, n, p, center geom.Vec) Impact {
	x := Impact{Normal: n, Arm: p.Sub(center), Body: by.Body}
	if by.Moves {
		x.By = by.D.MulAdd(by.Turn, p.Sub(by.Center).Left())
	}
	return x
}

// Impacts returns the impacts that have stopped or deflected the mover in the last Advance.
func (s *Sweeper) Impacts() []Impact { return s.impacts }

// Deflect takes the approach to the obstacle of x from the motion of m, as an inelastic impact without friction. It
// reports whether there was any.
func (m *Mover) Deflect(x *Impact) bool {
	d, n, around := m.To.Center.Sub(m.From.Center), x.Normal, x.Arm.Cross(x.Normal)
	free := float64(m.InvMass.X*n.X*n.X) + float64(m.InvMass.Y*n.Y*n.Y) + float64(m.InvInertia*around*around)
	approach := n.Dot(x.By.Sub(d.MulAdd(m.Turn, x.Arm.Left())))
	if !(approach > 0) || !(free > 0) {
		return false
	}
	j := approach / free
	m.To.Center = m.To.Center.Add(geom.V(float64(j*m.InvMass.X*n.X), float64(j*m.InvMass.Y*n.Y)))
	m.Turn += float64(j * m.InvInertia * around)
	m.To.Rot = geom.NewRot(m.Turn).Mul(m.From.Rot).Norm()
	return true
}
