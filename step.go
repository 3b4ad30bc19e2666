package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
)

// clearSteps clears the results of the step before. It runs before the first stage that sets them.
func (w *World) clearSteps() {
	for _, i := range w.scratch.awake {
		w.bodies.At(i).step = bodyStep{}
	}
}

// listAwake lists the bodies that the solver moves, in slot order, and sets each one's
// solverIndex.
func (w *World) listAwake() {
	w.scratch.awake = w.scratch.awake[:0]
	for i := range w.bodies.Slots() {
		b := w.bodies.At(i)
		b.solverIndex = 0
		if w.bodies.Used(i) && b.moves() {
			w.scratch.awake = append(w.scratch.awake, i)
			b.solverIndex = int32(len(w.scratch.awake))
		}
	}
}

// solve fills the solver with the awake bodies and their contacts, runs it, and stores the
// impulses in the contacts.
func (w *World) solve(dt float64) {
	s := &w.solver
	s.MaxSpeed, s.PushSpeed, s.BounceSpeed = MaxSpeed, pushSpeed, bounceSpeed
	s.Hertz, s.Damping = contactHertz, contactDamping
	s.Reset()
	mostSpin := solve.MostSpin(dt, w.config.SubSteps)
	for _, i := range w.scratch.awake {
		b := w.bodies.At(i)
		b.clampSpeed(mostSpin)
		s.Motions = append(s.Motions, b.toSolver(w.config.Gravity))
	}
	// Contacts with static or kinematic bodies are solved last: Gauss-Seidel satisfies the
	// last row best, and penetration into the floor is worst.
	w.listContacts(dt)
	s.Run(dt, w.config.SubSteps)
	w.takeImpulses()
}

// listContacts adds the contacts of awake bodies to the solver: first contacts between two
// bodies of finite mass, then contacts with a static or kinematic body.
func (w *World) listContacts(dt float64) {
	refs, still := w.scratch.contactRefs[:0], w.scratch.againstFixed[:0]
	for i := range w.contacts.Slots() {
		c := w.contacts.At(i)
		if len(c.manifolds) == 0 || !w.contacts.Used(i) || c.sensor {
			continue
		}
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		switch {
		case a.solverIndex == 0 && b.solverIndex == 0:
		case a.invMass == 0 || b.invMass == 0:
			still = append(still, i)
		default:
			refs = append(refs, i)
			w.addRows(c, a, b, dt)
		}
	}
	for _, i := range still {
		c := w.contacts.At(i)
		w.addRows(c, w.bodies.At(c.bodyA), w.bodies.At(c.bodyB), dt)
	}
	w.scratch.contactRefs, w.scratch.againstFixed = append(refs, still...), still
}

// addRows adds the manifolds of c to the solver.
func (w *World) addRows(c *contactState, a, b *body, dt float64) {
	s := &w.solver
	for k := range c.manifolds {
		m := &c.manifolds[k]
		s.Contacts = append(s.Contacts, solve.Contact{})
		w.toSolver(&s.Contacts[len(s.Contacts)-1], c, m, a, b, dt)
		s.Normals = append(s.Normals, solve.Normal(m.Normal))
	}
}

// clampSpeed limits the speed of b to MaxSpeed and its spin to mostSpin, before the solver
// computes relative velocities: those of a huge body with a huge spin do not fit a float32.
func (b *body) clampSpeed(most float64) {
	if v2 := b.velocity.Len2(); v2 > MaxSpeed*MaxSpeed {
		b.velocity = b.velocity.Mul(MaxSpeed / math.Sqrt(v2))
	}
	b.spin = max(-most, min(most, b.spin))
}

// toSolver returns the solver's input for b. A held body does not move until there is a way
// out.
func (b *body) toSolver(gravity geom.Vec) solve.Motion {
	if b.held > 0 && b.kind == Dynamic {
		b.velocity, b.spin = geom.Vec{}, 0
		return solve.Motion{}
	}
	out := solve.Motion{
		VX: b.velocity.X, VY: b.velocity.Y, Spin: b.spin,
		InvMass: b.invMass, InvI: b.invInertia,
	}
	if b.kind != Dynamic {
		return out
	}
	out.Linear, out.Angular = b.damping, b.spinDamping
	if b.step.pushedOut {
		return out // a body that is pushed out moves only along its exit direction
	}
	acc := b.force.Mul(b.invMass)
	if !b.weightless {
		acc = acc.Add(gravity)
	}
	out.AX, out.AY, out.AW = acc.X, acc.Y, b.torque*b.invInertia
	return out
}

// toSolver sets out to the solver's input for the manifold m of c.
func (w *World) toSolver(out *solve.Contact, c *contactState, m *contact.Manifold, a, b *body, dt float64) {
	// The solver's tangent is (ny, -nx): to the right on a floor.
	n, t := m.Normal, m.Normal.Right()
	apart := b.velocity.Sub(a.velocity) // relative velocity of the centres; exact even if both are fast
	out.A, out.B, out.N = a.solverIndex, b.solverIndex, int8(m.N)
	out.Static = a.invMass == 0 || b.invMass == 0
	out.NX, out.NY = float32(n.X), float32(n.Y)
	out.Drift, out.Spin = float32(apart.Dot(n)), float32(b.spin-a.spin)
	sb := w.shapes.At(c.shapeB)
	radiusA, radiusB := 0.0, sb.hull.Radius
	if c.ofShapes() {
		radiusA = w.shapes.At(c.shapeA).hull.Radius
	}
	out.RadiusA, out.RadiusB = float32(radiusA), float32(radiusB)
	rolls := c.ofShapes() && (radiusA > 0 || radiusB > 0)
	switch discB := sb.hull.N == 1; {
	case discB && sb.offCentre(b) && (!c.ofShapes() || w.shapes.At(c.shapeA).hull.N > 1):
		out.Disc = solve.DiscB
	case !discB && c.ofShapes() && w.shapes.At(c.shapeA).hull.N == 1 && w.shapes.At(c.shapeA).offCentre(a):
		out.Disc = solve.DiscA
	}
	mb := w.material(sb.material)
	var mixed MaterialID // the material of side A that x was mixed with
	x := mix(w.material(mixed), mb)
	for k := range m.N {
		p := &m.Points[k]
		q := &out.Points[k]
		rA, rB := p.AnchorA, p.AnchorB
		if vertexA, vertexB := p.Feature.Pair.Vertices(); rolls && vertexA != vertexB {
			rollA, rollB := a.roller(radiusA), b.roller(radiusB)
			if d, onB := narrow.RollAhead(p, n, &rollA, &rollB, dt); onB {
				rB = rB.MulAdd(d, n.Left())
			} else {
				rA = rA.MulAdd(d, n.Left())
			}
		}
		hA, hB := rA.Dot(n), rB.Dot(n)
		nA, nB := rA.Cross(n), rB.Cross(n)
		q.NormalA, q.NormalB = float32(nA), float32(nB)
		q.TangentA, q.TangentB = float32(-hA), float32(-hB) // AnchorA x t
		q.Separation = float32(p.Separation)
		q.Velocity = float32(apart.Dot(n) + float64(b.spin*nB) - float64(a.spin*nA))
		slip := apart.Dot(t) - float64(b.spin*hB) + float64(a.spin*hA)
		q.Slip = float32(slip)
		q.NormalImpulse, q.TangentImpulse = p.NormalImpulse, p.TangentImpulse
		if p.Feature.Kind.PushesOut() || c.pinched {
			continue // no friction and no restitution while the body is pushed out of solid ground
		}
		id := MaterialID(p.Source.Material)
		if c.ofShapes() {
			id = w.shapes.At(c.shapeA).material
		}
		if id != mixed {
			mixed, x = id, mix(w.material(id), mb)
		}
		q.Friction, q.Restitution, q.Slip = float32(x.friction), float32(x.restitution), float32(slip-x.speed)
		out.Rolling = max(out.Rolling, float32(float64(x.rolling)*max(radiusA, radiusB)))
	}
	if out.Rolling > 0 {
		out.RollImpulse = m.RollImpulse
	}
}

// roller returns the motion of b for a shape with a rounding of the given radius.
func (b *body) roller(radius float64) narrow.Roller {
	return narrow.Roller{Velocity: b.velocity, Spin: b.spin, Turns: b.invInertia != 0, Radius: radius}
}

// offCentre reports whether the centre of the disc s is farther from the centre of mass of
// its body b than a twentieth of its radius: such a disc rolls back and forth.
func (s *shape) offCentre(b *body) bool {
	return s.hull.V[0].Sub(b.localCenter).Len2() > float64(0.05*s.hull.Radius)*float64(0.05*s.hull.Radius)
}

// takeImpulses stores the solver's impulses in the contacts, for the warm start of the next
// step, and records hit events.
func (w *World) takeImpulses() {
	at := 0
	for _, i := range w.scratch.contactRefs {
		c := w.contacts.At(i)
		for k := range c.manifolds {
			m, from := &c.manifolds[k], &w.solver.Contacts[at]
			at++
			m.RollImpulse = from.RollImpulse
			hit, speed := -1, float32(hitSpeed)
			for j := range m.N {
				p, q := &m.Points[j], &from.Points[j]
				p.NormalImpulse, p.TangentImpulse = q.NormalImpulse, q.TangentImpulse
				if q.MaxImpulse > 0 && -q.Velocity >= speed {
					hit, speed = j, -q.Velocity
				}
			}
			if hit < 0 {
				continue
			}
			p := &m.Points[hit]
			ev := HitEvent{
				ContactEvent: w.eventOf(c), Normal: m.Normal, Speed: float64(speed),
				Point: w.bodies.At(c.bodyB).center.Add(p.AnchorB),
			}
			ev.setSource(&p.Source)
			w.events.hits = append(w.events.hits, ev)
		}
	}
}
