package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/solve"
)

// listAwake lists the bodies that the solver moves, in slot order, and gives
// each its place there.
func (w *World) listAwake() {
	w.scratch.awake = w.scratch.awake[:0]
	for i := range w.bodies.items {
		b := &w.bodies.items[i]
		b.solver = 0
		if w.bodies.used(int32(i)) && b.moves() {
			w.scratch.awake = append(w.scratch.awake, int32(i))
			b.solver = int32(len(w.scratch.awake))
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
	for _, i := range w.scratch.awake {
		s.Bodies = append(s.Bodies, w.bodies.items[i].toSolver(w.config.Gravity))
	}
	w.scratch.refs = w.scratch.refs[:0]
	// What stands on the immovable goes last: the last word counts most in a
	// sequential solver, and the floor must not yield.
	w.listContacts(false, dt)
	w.listContacts(true, dt)
	s.Run(float32(dt), w.config.SubSteps)
	w.takeImpulses()
}

// listContacts hands the solver the contacts with a body that moves, of those
// that are with something immovable or of the others.
func (w *World) listContacts(immovable bool, dt float64) {
	s := &w.solver
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if len(c.manifolds) == 0 || !w.contacts.used(int32(i)) || c.sensor {
			continue
		}
		a, b := &w.bodies.items[c.bodyA], &w.bodies.items[c.bodyB]
		if a.solver == 0 && b.solver == 0 || immovable != (a.invMass == 0 || b.invMass == 0) {
			continue
		}
		for k := range c.manifolds {
			s.Contacts = append(s.Contacts, w.toSolver(c, &c.manifolds[k], a, b, dt))
		}
		w.scratch.refs = append(w.scratch.refs, int32(i))
	}
}

// toSolver returns the body as the solver sees it: at the origin of its own
// step.
func (b *body) toSolver(gravity geom.Vec) solve.Body {
	out := solve.Body{
		VX: float32(b.velocity.X), VY: float32(b.velocity.Y), W: float32(b.spin), DC: 1,
		InvMass: float32(b.invMass), InvI: float32(b.invInertia),
		Linear: float32(b.damping), Angular: float32(b.spinDamping),
	}
	if b.kind != Dynamic {
		out.Linear, out.Angular = 0, 0
		return out
	}
	if b.held > 0 {
		return solve.Body{DC: 1} // held until there is a way out
	}
	if b.pushed {
		return out // it goes the way out, and no other
	}
	acc := b.force.Mul(b.invMass)
	if !b.weightless {
		acc = acc.Add(gravity)
	}
	out.AX, out.AY, out.AW = float32(acc.X), float32(acc.Y), float32(b.torque*b.invInertia)
	return out
}

// toSolver returns a manifold as the solver sees it.
func (w *World) toSolver(c *contact, m *manifold, a, b *body, dt float64) solve.Contact {
	out := solve.Contact{
		A: a.solver, B: b.solver, N: int32(m.n),
		Static: a.invMass == 0 || b.invMass == 0,
		NX:     float32(m.normal.X), NY: float32(m.normal.Y),
	}
	sb := &w.shapes.items[c.shapeB]
	rolls := c.ground < 0 && (sb.hull.Radius > 0 || w.shapes.items[c.shapeA].hull.Radius > 0)
	mb := w.material(sb.material)
	out.RB = float32(sb.hull.Radius)
	if c.ground < 0 {
		out.RA = float32(w.shapes.items[c.shapeA].hull.Radius)
	}
	for k := range m.n {
		p := &m.points[k]
		q := &out.Points[k]
		rA, rB := p.rA, p.rB
		if rolls {
			if d, onB := w.roll(c, m, p, a, b, dt); onB {
				rB = rB.MulAdd(d, m.normal.Left())
			} else {
				rA = rA.MulAdd(d, m.normal.Left())
			}
		}
		q.AX, q.AY = float32(rA.X), float32(rA.Y)
		q.BX, q.BY = float32(rB.X), float32(rB.Y)
		q.Separation = float32(p.separation)
		q.NormalImpulse, q.TangentImpulse = p.normalImpulse, p.tangentImpulse
		if p.feature.kind == ofInside || c.wedged {
			continue // on its way out of solid ground: neither rubs nor bounces
		}
		id := p.material
		if c.ground < 0 {
			id = w.shapes.items[c.shapeA].material
		}
		x := mix(w.material(id), mb)
		// The solver's tangent is (ny, -nx): to the right on a floor.
		q.Friction, q.Restitution, q.TangentSpeed = float32(x.friction), float32(x.restitution), float32(x.speed)
		out.Rolling = max(out.Rolling, float32(x.rolling)*max(out.RA, out.RB))
	}
	if out.Rolling > 0 {
		out.RollImpulse = m.rollImpulse
	}
	return out
}

// takeImpulses puts what the solver found into the contacts, for the next
// step's warm start, and tells of hits.
func (w *World) takeImpulses() {
	at := 0
	for _, i := range w.scratch.refs {
		c := &w.contacts.items[i]
		for k := range c.manifolds {
			m, from := &c.manifolds[k], &w.solver.Contacts[at]
			at++
			m.rollImpulse = from.RollImpulse
			hit, speed := -1, float32(hitSpeed)
			for j := range m.n {
				p, q := &m.points[j], &from.Points[j]
				p.normalImpulse, p.tangentImpulse = q.NormalImpulse, q.TangentImpulse
				if q.MaxImpulse > 0 && -q.RelVelocity >= speed {
					hit, speed = j, -q.RelVelocity
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
			ev.Cell, ev.Tile = p.cell, p.tile
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
		b, from := &w.bodies.items[i], &w.solver.Bodies[k+1]
		if b.kind == Dynamic {
			continue
		}
		way := passage{from: b.transform(), center: b.center, body: i, moves: true}
		way.d = geom.V(float64(from.DX), float64(from.DY))
		was := b.rot
		b.rot = turned(b.rot, from)
		way.turn = turnOf(was, b.rot, b.spin*dt)
		b.center = b.center.Add(way.d)
		way.to = b.transform()
		w.scratch.movers = append(w.scratch.movers, way)
		w.refit(i)
	}
	w.prepareWays()
	for k, i := range w.scratch.awake {
		b, from := &w.bodies.items[i], &w.solver.Bodies[k+1]
		v, spin, d := geom.V(float64(from.VX), float64(from.VY)), float64(from.W), geom.V(float64(from.DX), float64(from.DY))
		if b.wedge > 0 {
			v, spin, d = b.unwedged(v, spin, d, dt)
		}
		b.velocity, b.spin = v, spin
		through := b.through && d.Len() <= 2*pushSpeed*dt
		b.force, b.torque, b.wedge = geom.Vec{}, 0, 0
		b.pushed, b.through = false, false
		b.dropping = max(0, b.dropping-dt)
		if through {
			// On its way out through the ground, and slowly: nothing stops it.
			b.center, b.rot = b.center.Add(d), turned(b.rot, from)
			w.refit(i)
		} else if b.kind == Dynamic {
			w.move(k, d, turned(b.rot, from), spin*dt)
		}
		w.events.moved = append(w.events.moved, Move{
			Body: BodyID(w.bodies.id(i)), User: b.user, Transform: b.transform(),
		})
	}
	w.moveBullets()
}

// turned returns rot after the solver has turned the body.
func turned(rot geom.Rot, by *solve.Body) geom.Rot {
	if by.DC == 1 && by.DS == 0 {
		return rot // exactly as it was
	}
	return geom.Rot{C: float64(by.DC), S: float64(by.DS)}.Mul(rot).Norm()
}
