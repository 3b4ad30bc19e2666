package step

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
)

// pinchBetween pinches the shape of c, with a ground or chain, if it is depth deep in that surface
// and another contact of the shape with a surface has an opposed normal. It runs when the manifolds
// of all contacts are this step's.
func pinchBetween(w *state.World, c *state.Contact, depth float64) {
	if c.OfShapes() || c.OfGrounds() || w.Bodies.At(c.BodyB).Type != broad.DynamicBody ||
		depth <= narrow.PinchDepthOf(w.Shapes.At(c.ShapeB).InnerRadius) {
		return
	}
	for _, o := range w.ContactsOf(c.BodyB) {
		if o == c || o.OfShapes() || o.ShapeB != c.ShapeB {
			continue
		}
		if s, t := w.Contacts.SurfaceOf(c), w.Contacts.SurfaceOf(o); narrow.Opposed(s.Manifolds, t.Manifolds,
			narrow.PinchDepthOf(w.Shapes.At(c.ShapeB).InnerRadius)) {
			pinch(w, c, s, narrow.Between)
			pinch(w, o, t, narrow.Between)
		}
	}
}

// pinch takes friction from contact c, of the state s, unless it is held, and caps the speed of its body.
func pinch(w *state.World, c *state.Contact, s *state.SurfaceContact, to narrow.StuckState) {
	a, b := w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB)
	if s.Stuck.State != narrow.Held {
		s.Stuck.State = to
	}
	if b.Type == broad.DynamicBody {
		w.Pinched = append(w.Pinched, c.BodyB)
		b.Step.PinchSpeed = max(b.Step.PinchSpeed, 2*narrow.PushSpeed+a.VelocityAt(b.Center.Sub(a.Center)).Len())
	}
}

// pushOut pushes b out of solid ground of a: it sets the exit velocity of b by an impulse on both bodies that
// keeps their momentum and adds no energy. base is the velocity of the ground at the contact.
func pushOut(out *Outcome, a, b *state.Body, base geom.Vec) {
	arm, to := b.Center.Sub(a.Center), out.Leave(b.Velocity, base).Sub(base)
	j := impulse(side{InvMass: a.InvMass, InvInertia: a.InvInertia, Arm: arm}, side{InvMass: b.InvMass},
		b.Velocity.Sub(base), to)
	b.Velocity = b.Free(b.Velocity.MulAdd(b.InvMass, j))
	a.Velocity = a.Free(a.Velocity.MulAdd(-a.InvMass, j))
	a.Spin -= float64(a.InvInertia * arm.Cross(j))
}

// capPinched limits the motions that the solver found for the pinched bodies. The heaviest body that pinches one takes
// the momentum and the displacement beyond the limit, so that a pinch between bodies that move freely keeps momentum
// and angular momentum.
func capPinched(w *state.World, motions []solve.Motion) {
	for _, i := range w.Pinched {
		b := w.Bodies.At(i)
		if b.SolverIndex == 0 {
			continue
		}
		by, p := &motions[b.SolverIndex], b.Step.PinchSpeed
		v, spin, d := b.Solved(by)
		// The limit is p, or the speed before the step, if that is higher.
		most, turn := max(p, b.Velocity.Len()), max(math.Abs(b.Spin), p/max(b.Extent, geom.LinearSlop))
		slow, near, slowSpin := narrow.AtMost(v, most), narrow.AtMost(d, most*w.DT), max(-turn, min(turn, spin))
		if slow == v && near == d && slowSpin == spin {
			continue
		}
		by.VX, by.VY, by.Spin, by.DX, by.DY = slow.X, slow.Y, slowSpin, near.X, near.Y
		a := w.Bodies.At(pincherOf(w, i))
		if a.Type != broad.DynamicBody || a.SolverIndex == 0 {
			continue
		}
		to := &motions[a.SolverIndex]
		lost, far := v.Sub(slow).Mul(b.Mass), d.Sub(near).Mul(b.Mass)
		to.DX += float64(a.InvMass * far.X)
		to.DY += float64(a.InvMass * far.Y)
		arm := b.Center.Add(near).Sub(a.Center.Add(geom.V(to.DX, to.DY))) // at the end of the step
		to.VX += float64(a.InvMass * lost.X)
		to.VY += float64(a.InvMass * lost.Y)
		to.Spin += float64(a.InvInertia * (arm.Cross(lost) + float64(b.Inertia*(spin-slowSpin))))
	}
}

// pincherOf returns the heaviest body of the surfaces that pinch body i, which is pinched.
func pincherOf(w *state.World, i int32) (heaviest int32) {
	least := math.Inf(1)
	for _, c := range w.ContactsOf(i) {
		if c.BodyB != i || c.OfShapes() || !w.Contacts.SurfaceOf(c).Stuck.State.IsPinched() {
			continue
		}
		if inv := w.Bodies.At(c.BodyA).InvMass; inv < least {
			heaviest, least = c.BodyA, inv
		}
	}
	return heaviest
}
