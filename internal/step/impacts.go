package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/state"
)

// Continuous collision stops a body at an impact, and the contact of the next step takes the speed of approach. The
// contact may have another normal than the impact: the narrow phase separates two shapes that overlap along their
// shortest way out, and drops points behind other faces. Then the next sweep would stop the body at the same place, and
// so on: the body would hang in the air at full speed. So an impact that stops a body that hung in place in the step
// before takes the speed of approach itself: it is an inelastic impact without friction, and law 7 of contact holds
// for every normal of the contact.

// hanging is the fraction of its motion through a step below which a body hangs in place.
const hanging = 0.05

// hangs reports whether body b hangs in place, although the solver moves it by d. Its path may be deflected so that it
// ends where it began, after most of the step.
func (out *reached) hangs(b *state.Body, d geom.Vec) bool {
	return out.Fraction < hanging || out.To.Center.Sub(b.Center).Len2() < float64(hanging*hanging*d.Len2())
}

// hangingSpeed is the speed relative to the obstacle, in units of length a second, below which a body does not hang:
// something presses it onto the obstacle.
const hangingSpeed = 2

// impact is an impact of a body that hangs in place.
type impact struct {
	ccd.Impact
	body int32
}

// mostDeflections bounds the number of times that the motion of a body that hangs is deflected in a step.
const mostDeflections = 8

// deflect lists the impacts that have stopped body i, which hung in place in the step before, too, and lets it go on
// without the approach. m is its motion, out its outcome, and d its displacement by the solver. (In the step before,
// the contact had its turn first, with restitution.)
func (k *advancer) deflect(out *reached, i int32, m *ccd.Mover, d geom.Vec) {
	w := k.world
	b := w.Bodies.At(i)
	for range mostDeflections {
		deflected := false
		for _, x := range k.sweeper.Impacts() {
			if w.Bodies.At(x.Body).PointVelocity(b.Center.Add(x.Arm)).Dist(b.Velocity) <= hangingSpeed {
				return
			}
			*k.impacts.Add(k.number, k.part) = impact{x, i}
			deflected = !m.Jointed && m.Deflect(&x) || deflected
		}
		if !deflected {
			return
		}
		if out.Result = k.sweeper.Advance(m, k); !out.hangs(b, d) {
			return
		}
	}
}

// takeImpacts takes the speed of approach at the listed impacts, in the order of the bodies.
func (s *Advance) takeImpacts() {
	w, impacts := s.world, s.impacts.Join()
	for k := range impacts {
		x := &impacts[k]
		b, o := w.Bodies.At(x.body), w.Bodies.At(x.Body)
		p, n := b.Center.Add(x.Arm), x.Normal
		approach := n.Dot(o.PointVelocity(p).Sub(b.PointVelocity(p)))
		if free := mobility(b, p, n) + mobility(o, p, n); approach > 0 && free > 0 {
			push(b, p, n.Mul(approach/free))
			push(o, p, n.Mul(-approach/free))
		}
	}
}

// mobility returns the velocity of b at the point p along n that an impulse of 1 there along n makes.
func mobility(b *state.Body, p, n geom.Vec) float64 {
	if b.SolverIndex == 0 {
		return 0
	}
	around := p.Sub(b.Center).Cross(n)
	return float64(b.InvMass*b.Free(n).Len2()) + float64(b.InvInertia*around*around)
}

// push changes the velocity of b by the impulse j at the point p.
func push(b *state.Body, p, j geom.Vec) {
	if b.SolverIndex != 0 {
		b.Velocity = b.Velocity.MulAdd(b.InvMass, b.Free(j))
		b.Spin += float64(b.InvInertia * p.Sub(b.Center).Cross(j))
	}
}
