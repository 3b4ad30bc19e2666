package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
)

// listAwake lists the bodies that the solver moves, in slot order, and sets each one's
// solverIndex.
func (w *World) listAwake() {
	w.scratch.awake, w.scratch.kinematic = w.scratch.awake[:0], w.scratch.kinematic[:0]
	for i := range w.moving.All() {
		b := w.bodies.At(i)
		if !w.bodies.Used(i) || !b.moves() {
			b.solverIndex = 0
			w.moving.Remove(i)
			continue
		}
		w.scratch.awake = append(w.scratch.awake, i)
		b.solverIndex = int32(len(w.scratch.awake))
		if b.kind == Kinematic {
			w.scratch.kinematic = append(w.scratch.kinematic, b.solverIndex-1)
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
	islands := &w.scratch.islands
	islands.Reset(len(w.scratch.awake))
	for _, i := range w.scratch.awake {
		b := w.bodies.At(i)
		if b.kind == Kinematic {
			islands.Join(0, b.solverIndex)
		}
		b.clampSpeed(mostSpin)
		b.dropping = max(0, b.dropping-dt) // for the stages that move the bodies
		s.Motions = append(s.Motions, b.toSolver(w.config.Gravity))
	}
	// Contacts with static or kinematic bodies are solved last: Gauss-Seidel satisfies the
	// last row best, and penetration into the floor is worst.
	w.listContacts(dt)
	islands.Number()
	s.Islands, s.IslandCount = islands.Of(), islands.Len()
	s.Run(dt, w.config.SubSteps)
	w.takeImpulses()
}

// listContacts adds the contacts of awake bodies to the solver: first contacts between two
// bodies of finite mass, then contacts with a static or kinematic body.
func (w *World) listContacts(dt float64) {
	refs, still := w.scratch.contactRefs[:0], w.scratch.againstFixed[:0]
	islands := &w.scratch.islands
	for i := range w.active.All() {
		c := w.contacts.At(i)
		if len(c.manifolds) == 0 || !w.contacts.Used(i) || c.sensor {
			continue
		}
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		switch {
		case a.solverIndex == 0 && b.solverIndex == 0:
		case a.invMass == 0 || b.invMass == 0:
			still = append(still, i)
			if a.solverIndex != 0 && b.solverIndex != 0 { // a moving kinematic body keeps b awake
				islands.KeepAwake(a.solverIndex)
				islands.KeepAwake(b.solverIndex)
			}
		default:
			refs = append(refs, i)
			if a.solverIndex != 0 && b.solverIndex != 0 {
				islands.Join(a.solverIndex, b.solverIndex)
			}
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
	in := &w.scratch.rows
	in.Static, in.Smooth, in.DT = a.invMass == 0 || b.invMass == 0, c.pinched, dt
	var sa *shape
	if c.ofShapes() {
		sa = w.shapes.At(c.shapeA)
	}
	a.side(&in.A, sa)
	b.side(&in.B, w.shapes.At(c.shapeB))
	for k := range c.manifolds {
		in.Add(&w.solver, &w.surfaces, &c.manifolds[k])
	}
}

// side sets out to b as a side of a contact, with its shape s, or nil for a ground or chain.
func (b *body) side(out *rows.Side, s *shape) {
	out.Index, out.LocalCenter, out.InvInertia = b.solverIndex, b.localCenter, b.invInertia
	out.Velocity, out.Spin = b.velocity, b.spin
	if out.Hull = nil; s != nil {
		out.Hull, out.Material = &s.hull, uint16(s.material)
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

// takeImpulses stores the solver's impulses in the contacts, for the warm start of the next
// step, and records hit events.
func (w *World) takeImpulses() {
	at := 0
	for _, i := range w.scratch.contactRefs {
		c := w.contacts.At(i)
		for k := range c.manifolds {
			m, from := &c.manifolds[k], &w.solver.Contacts[at]
			at++
			hit, speed := rows.Take(m, from)
			if hit < 0 || speed < hitSpeed {
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
