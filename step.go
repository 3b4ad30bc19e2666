package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/solve"
)

// listAwake lists the bodies that the solver moves, in slot order, and gives
// each its place there.
func (w *World) listAwake() {
	w.scratch.awake = w.scratch.awake[:0]
	for i := range w.bodies.items {
		b := &w.bodies.items[i]
		b.solverIndex = 0
		if w.bodies.used(int32(i)) && b.moves() {
			w.scratch.awake = append(w.scratch.awake, int32(i))
			b.solverIndex = int32(len(w.scratch.awake))
		}
	}
}

// solve hands the awake bodies and their contacts to the solver, runs it, and
// takes the impulses back.
func (w *World) solve(dt float64) {
	s := &w.solver
	s.MaxSpeed, s.PushSpeed, s.BounceSpeed = MaxSpeed, pushSpeed, bounceSpeed
	s.Hertz, s.Damping = contactHertz, contactDamping
	s.Reset()
	mostSpin := solve.MostSpin(dt, w.config.SubSteps)
	for _, i := range w.scratch.awake {
		b := &w.bodies.items[i]
		b.clampSpeed(mostSpin)
		s.Motions = append(s.Motions, b.toSolver(w.config.Gravity))
	}
	// Contacts with static or kinematic bodies are solved last: Gauss-Seidel satisfies the
	// last row best, and penetration into the floor is worst.
	w.listContacts(dt)
	s.Run(dt, w.config.SubSteps)
	w.takeImpulses()
}

// listContacts hands the solver the contacts of awake bodies: those between two bodies that
// yield, then those with a body that does not.
func (w *World) listContacts(dt float64) {
	refs, still := w.scratch.contactRefs[:0], w.scratch.againstFixed[:0]
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if len(c.manifolds) == 0 || !w.contacts.used(int32(i)) || c.sensor {
			continue
		}
		a, b := &w.bodies.items[c.bodyA], &w.bodies.items[c.bodyB]
		switch {
		case a.solverIndex == 0 && b.solverIndex == 0:
		case a.invMass == 0 || b.invMass == 0:
			still = append(still, int32(i))
		default:
			refs = append(refs, int32(i))
			w.addRows(c, a, b, dt)
		}
	}
	for _, i := range still {
		c := &w.contacts.items[i]
		w.addRows(c, &w.bodies.items[c.bodyA], &w.bodies.items[c.bodyB], dt)
	}
	w.scratch.contactRefs, w.scratch.againstFixed = append(refs, still...), still
}

// addRows hands the solver the manifolds of c.
func (w *World) addRows(c *contact, a, b *body, dt float64) {
	s := &w.solver
	for k := range c.manifolds {
		m := &c.manifolds[k]
		s.Contacts = append(s.Contacts, solve.Contact{})
		w.toSolver(&s.Contacts[len(s.Contacts)-1], c, m, a, b, dt)
		s.Normals = append(s.Normals, solve.Normal(m.normal))
	}
}

// clampSpeed limits the speed of b to MaxSpeed and its spin to most before contacts are made: the
// relative velocities of a huge body with a huge spin would not fit a float32.
func (b *body) clampSpeed(most float64) {
	if v2 := b.velocity.Len2(); v2 > MaxSpeed*MaxSpeed {
		b.velocity = b.velocity.Mul(MaxSpeed / math.Sqrt(v2))
	}
	b.spin = max(-most, min(most, b.spin))
}

// toSolver returns the body as the solver sees it. Held, it is still until there
// is a way out.
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
	if b.pushed {
		return out // it goes the way out, and no other
	}
	acc := b.force.Mul(b.invMass)
	if !b.weightless {
		acc = acc.Add(gravity)
	}
	out.AX, out.AY, out.AW = acc.X, acc.Y, b.torque*b.invInertia
	return out
}

// toSolver sets out to a manifold as the solver sees it.
func (w *World) toSolver(out *solve.Contact, c *contact, m *manifold, a, b *body, dt float64) {
	// The solver's tangent is (ny, -nx): to the right on a floor.
	n, t := m.normal, m.normal.Right()
	apart := b.velocity.Sub(a.velocity) // of the centres; exact where both are fast
	out.A, out.B, out.N = a.solverIndex, b.solverIndex, int8(m.n)
	out.Static = a.invMass == 0 || b.invMass == 0
	out.NX, out.NY = float32(n.X), float32(n.Y)
	out.Drift, out.Spin = float32(apart.Dot(n)), float32(b.spin-a.spin)
	sb := &w.shapes.items[c.shapeB]
	radiusA, radiusB := 0.0, sb.hull.Radius
	if c.ofShapes() {
		radiusA = w.shapes.items[c.shapeA].hull.Radius
	}
	out.RadiusA, out.RadiusB = float32(radiusA), float32(radiusB)
	rolls := c.ofShapes() && (radiusA > 0 || radiusB > 0)
	switch discB := sb.hull.N == 1; {
	case discB && sb.offCentre(b) && (!c.ofShapes() || w.shapes.items[c.shapeA].hull.N > 1):
		out.Disc = solve.DiscB
	case !discB && c.ofShapes() && w.shapes.items[c.shapeA].hull.N == 1 && w.shapes.items[c.shapeA].offCentre(a):
		out.Disc = solve.DiscA
	}
	mb := w.material(sb.material)
	var mixed MaterialID // the material of the other side in x
	x := mix(w.material(mixed), mb)
	least := math.MaxFloat64
	for k := range m.n {
		p := &m.points[k]
		q := &out.Points[k]
		if p.separation < least {
			least = p.separation
		}
		rA, rB := p.rA, p.rB
		if rolls {
			if d, onB := w.rollAhead(c, m, p, a, b, dt); onB {
				rB = rB.MulAdd(d, n.Left())
			} else {
				rA = rA.MulAdd(d, n.Left())
			}
		}
		hA, hB := rA.Dot(n), rB.Dot(n)
		nA, nB := rA.Cross(n), rB.Cross(n)
		q.NormalA, q.NormalB = float32(nA), float32(nB)
		q.TangentA, q.TangentB = float32(-hA), float32(-hB) // rA x t
		q.Separation = float32(p.separation)
		q.Velocity = float32(apart.Dot(n) + float64(b.spin*nB) - float64(a.spin*nA))
		slip := apart.Dot(t) - float64(b.spin*hB) + float64(a.spin*hA)
		q.Slip = float32(slip)
		q.NormalImpulse, q.TangentImpulse = p.normalImpulse, p.tangentImpulse
		if p.feature.kind == ofInside || c.pinched {
			continue // on its way out of solid ground: neither rubs nor bounces
		}
		id := p.material
		if c.ofShapes() {
			id = w.shapes.items[c.shapeA].material
		}
		if id != mixed {
			mixed, x = id, mix(w.material(id), mb)
		}
		q.Friction, q.Restitution, q.Slip = float32(x.friction), float32(x.restitution), float32(slip-x.speed)
		out.Rolling = max(out.Rolling, float32(float64(x.rolling)*max(radiusA, radiusB)))
	}
	if out.Rolling > 0 {
		out.RollImpulse = m.rollImpulse
	}
	if least < -pinchDepth {
		a.jammed, b.jammed = true, true
	}
	if out.Static && least < 0 && c.chain < 0 {
		w.markDeep(c, a, b, -least)
	}
}

// offCentre reports whether the middle of the disc s is farther from the centre of mass of
// its body b than a twentieth of its radius: such a disc rolls to and fro.
func (s *shape) offCentre(b *body) bool {
	return s.hull.V[0].Sub(b.localCenter).Len2() > float64(0.05*s.hull.Radius)*float64(0.05*s.hull.Radius)
}

// takeImpulses puts what the solver found into the contacts, for the next
// step's warm start, and tells of hits.
func (w *World) takeImpulses() {
	at := 0
	for _, i := range w.scratch.contactRefs {
		c := &w.contacts.items[i]
		for k := range c.manifolds {
			m, from := &c.manifolds[k], &w.solver.Contacts[at]
			at++
			m.rollImpulse = from.RollImpulse
			hit, speed := -1, float32(hitSpeed)
			for j := range m.n {
				p, q := &m.points[j], &from.Points[j]
				p.normalImpulse, p.tangentImpulse = q.NormalImpulse, q.TangentImpulse
				if q.MaxImpulse > 0 && -q.Velocity >= speed {
					hit, speed = j, -q.Velocity
				}
			}
			if hit < 0 {
				continue
			}
			p := &m.points[hit]
			ev := HitEvent{
				ContactEvent: w.eventOf(c), Normal: m.normal, Speed: float64(speed),
				Point: w.bodies.items[c.bodyB].center.Add(p.rB),
			}
			ev.setSource(c, p)
			w.events.hits = append(w.events.hits, ev)
		}
	}
}

// moveBodies takes velocities and displacements from the solver, keeps fast
// bodies from passing through what is not dynamic, and updates the broad phase.
func (w *World) moveBodies(dt float64) {
	// What nothing pushes goes first: the others are swept against its way.
	w.scratch.movers = w.scratch.movers[:0]
	for k, i := range w.scratch.awake {
		b, from := &w.bodies.items[i], &w.solver.Motions[k+1]
		if b.kind == Dynamic {
			continue
		}
		motion := bodyMotion{from: b.transform(), center: b.center, body: i, moves: true}
		b.startPose, b.startedAt = motion.from, w.steps+1
		motion.d = geom.V(from.DX, from.DY)
		was := b.rot
		b.rot = turned(b.rot, from)
		motion.turn = turnOf(was, b.rot, from.Turn)
		b.center = b.center.Add(motion.d)
		motion.to = b.transform()
		b.moverIndex = int32(len(w.scratch.movers))
		w.scratch.movers = append(w.scratch.movers, motion)
		w.updateProxies(i, &motion)
	}
	w.markNearMovers()
	w.prepareMotions()
	for k, i := range w.scratch.awake {
		b, from := &w.bodies.items[i], &w.solver.Motions[k+1]
		v, spin, d := geom.V(from.VX, from.VY), from.Spin, geom.V(from.DX, from.DY)
		if b.wedge > 0 {
			v, spin, d = b.limitPinched(v, spin, d, dt)
		}
		b.fell = w.gravityGain(b, v, dt)
		b.velocity, b.spin = v, spin
		through := b.through && d.Len() <= 2*pushSpeed*dt
		b.force, b.torque, b.wedge = geom.Vec{}, 0, 0
		b.pushed, b.through = false, false
		b.dropping = max(0, b.dropping-dt)
		if through {
			// On its way out through the ground, and slowly: nothing stops it.
			b.startPose, b.startedAt = b.transform(), w.steps+1
			b.center, b.rot = b.center.Add(d), turned(b.rot, from)
			b.sunk, b.deep = false, false
			w.updateProxies(i, nil)
		} else if b.kind == Dynamic {
			b.startPose, b.startedAt = b.transform(), w.steps+1
			w.move(k, d, turned(b.rot, from), from.Turn)
		}
		w.events.moved = append(w.events.moved, Move{
			Body: BodyID(w.bodies.id(i)), User: b.user, Transform: b.transform(),
		})
	}
	w.moveBullets()
}

// gravityGain returns what gravity adds to the velocity of b, as far as that comes to be
// v at the end of the step: nothing of what rests.
func (w *World) gravityGain(b *body, v geom.Vec, dt float64) geom.Vec {
	down, g := w.config.Gravity.Unit()
	if g == 0 || b.weightless || b.kind != Dynamic {
		return geom.Vec{}
	}
	return down.Mul(max(0, min(g*dt, v.Sub(b.velocity).Dot(down))))
}

// turned returns rot after the solver has turned the body.
func turned(rot geom.Rot, by *solve.Motion) geom.Rot {
	if by.C == 1 && by.S == 0 {
		return rot // exactly as it was
	}
	return geom.Rot{C: by.C, S: by.S}.Mul(rot).Norm()
}
