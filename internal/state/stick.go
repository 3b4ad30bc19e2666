package state

import "github.com/quarry2d/quarry/geom"

// MovingMass is a body that moves.
type MovingMass struct {
	Mass, Inertia    float64 // about the centre
	Center, Velocity geom.Vec
	Spin             float64
}

// Stick returns the velocity and the spin of the body that a and b have become, so that it has their momentum, and
// their angular momentum if it can turn.
func Stick(a, b, whole MovingMass) (v geom.Vec, spin float64) {
	var p geom.Vec
	l := 0.0
	for _, m := range [...]MovingMass{a, b} {
		p = p.MulAdd(m.Mass, m.Velocity)
		l += float64(m.Inertia*m.Spin) + float64(m.Mass*m.Center.Sub(whole.Center).Cross(m.Velocity))
	}
	if whole.Inertia > 0 {
		spin = l / whole.Inertia
	}
	return p.Mul(1 / whole.Mass), spin
}
