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

// capPinched limits the motions that the solver found for the pinched bodies, relative to the body that pinches them if
// that moves freely.
func capPinched(w *state.World, motions []solve.Motion) {
	for _, i := range w.Pinched {
		b := w.Bodies.At(i)
		if b.SolverIndex == 0 {
			continue
		}
		by, p := &motions[b.SolverIndex], b.Step.PinchSpeed
		// The limit is p, or the speed before the step, if that is higher.
		most, turn := max(p, b.Velocity.Len()), max(math.Abs(b.Spin), p/max(b.Extent, geom.LinearSlop))
		if a := w.Bodies.At(pincherOf(w, i)); a.Type == broad.DynamicBody && a.SolverIndex != 0 {
			capBetween(a, b, &motions[a.SolverIndex], by, most, turn, w.DT)
			continue
		}
		v, spin, d := b.Solved(by)
		v, d = narrow.AtMost(v, most), narrow.AtMost(d, most*w.DT)
		by.VX, by.VY, by.Spin, by.DX, by.DY = v.X, v.Y, max(-turn, min(turn, spin)), d.X, d.Y
	}
}

// capBetween limits the speed of b relative to a to most, in units of length a second, and the relative spin to turn,
// in radians a second, by opposite impulses on both: it keeps momentum and angular momentum and adds no energy at any
// mass ratio. to and by are the motions of a and b in a step of dt seconds.
func capBetween(a, b *state.Body, to, by *solve.Motion, most, turn, dt float64) {
	d := geom.V(by.DX-to.DX, by.DY-to.DY)
	d = narrow.AtMost(d, most*dt).Sub(d).Mul(1 / (a.InvMass + b.InvMass))
	by.DX += float64(b.InvMass * d.X)
	by.DY += float64(b.InvMass * d.Y)
	to.DX -= float64(a.InvMass * d.X)
	to.DY -= float64(a.InvMass * d.Y)
	arm := b.Center.Add(geom.V(by.DX, by.DY)).Sub(a.Center.Add(geom.V(to.DX, to.DY))) // at the end of the step
	u := geom.V(by.VX-to.VX, by.VY-to.VY).Sub(arm.Left().Mul(to.Spin))
	j := impulse(side{InvMass: a.InvMass, InvInertia: a.InvInertia, Arm: arm}, side{InvMass: b.InvMass}, u,
		narrow.AtMost(u, most))
	by.VX += float64(b.InvMass * j.X)
	by.VY += float64(b.InvMass * j.Y)
	to.VX -= float64(a.InvMass * j.X)
	to.VY -= float64(a.InvMass * j.Y)
	to.Spin -= float64(a.InvInertia * arm.Cross(j))
	if spin := by.Spin - to.Spin; math.Abs(spin) > turn && a.InvInertia+b.InvInertia > 0 {
		j := (math.Copysign(turn, spin) - spin) / (a.InvInertia + b.InvInertia)
		by.Spin += float64(b.InvInertia * j)
		to.Spin -= float64(a.InvInertia * j)
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
