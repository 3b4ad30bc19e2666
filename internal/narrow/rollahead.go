package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// A flat body that rocks on a round one (a plank on a marble) rests on a point that rolls
// along the flat body as it tilts, and that restores it. The solver holds points still for
// the whole step, so the restoring torque comes from where the point was, a little late, and
// the delay feeds the swing: from one hundredth of a radian to a quarter in half a minute.
// So the arm of the flat body points to where the point will be at the end of the step,
// which damps swings.

// rollFraction bounds the shift of an arm, as a fraction of the rounding's radius: more than
// rocking needs, and little enough to do no harm where a body spins fast.
const rollFraction = 0.1

// Roller is a shape of a pair and the motion of its body.
type Roller struct {
	Velocity geom.Vec // of the centre of mass
	Spin     float64
	Turns    bool    // contacts turn the body
	Radius   float64 // of the shape's rounding
}

// velocityAt returns the velocity of the point at arm from the centre of mass.
func (r *Roller) velocityAt(arm geom.Vec) geom.Vec { return r.Velocity.MulAdd(r.Spin, arm.Left()) }

// RollAhead returns how far, in the step of dt seconds that begins, point p of the shapes a and b
// will roll along the shape whose edge it is on, in the direction of normal.Left(), and whether
// that shape is b. normal is that of p's manifold.
func RollAhead(p *contact.Point, normal geom.Vec, a, b *Roller, dt float64) (d float64, onB bool) {
	round, flat := a, b
	arm, flatArm := p.AnchorA, p.AnchorB
	radius, side := 0.0, 1.0
	va, vb := p.Feature.Pair.Vertices()
	switch {
	case va && !vb:
		radius = a.Radius
	case vb && !va:
		round, flat, arm, flatArm = b, a, p.AnchorB, p.AnchorA
		radius, side = b.Radius, -1
	}
	if radius == 0 || !flat.Turns {
		return 0, false
	}
	t := normal.Left()
	// Rolling moves the point by the radius times the relative spin; slip moves it
	// otherwise.
	spin := flat.Spin - round.Spin
	rolled := float64(side * radius * spin)
	slip := round.velocityAt(arm).Sub(flat.velocityAt(flatArm)).Dot(t)
	runs := rolled + slip
	if rolled > 0 {
		d = max(0, min(rolled, runs))
	} else {
		d = min(0, max(rolled, runs))
	}
	most := float64(rollFraction * radius)
	return max(-most, min(most, float64(d*dt))), flat == b
}
