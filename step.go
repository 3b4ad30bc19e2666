package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
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
	s.MaxSpeed, s.PushSpeed, s.PushRate, s.BounceSpeed = MaxSpeed, pushSpeed, pushRate, bounceSpeed
	s.Reset()
	mostSpin := solve.MostSpin(dt, w.config.SubSteps)
	islands := &w.scratch.islands
	islands.Reset(len(w.scratch.awake))
	for _, i := range w.scratch.awake {
		b := w.bodies.At(i)
		if b.kind == Kinematic {
			islands.Join(0, b.solverIndex)
		}
		// Relative velocities of a huge body with a huge spin do not fit a float32.
		b.velocity, b.spin = depenetrate.AtMost(b.velocity, MaxSpeed), max(-mostSpin, min(mostSpin, b.spin))
		b.dropping = max(0, b.dropping-dt) // for the stages that move the bodies
		s.Motions = append(s.Motions, b.toSolver(w.config.Gravity))
	}
	w.listContacts()
	islands.Number()
	w.lap(&w.profile.List)
	s.Islands, s.IslandCount = islands.Of(), islands.Len()
	s.Source, s.Team, w.scratch.dt = (*contactSource)(w), w.team, dt
	s.Run(dt, w.config.SubSteps)
	w.reportHits()
}

// listContacts lists the manifolds of awake bodies for the solver, and joins the islands.
func (w *World) listContacts() {
	list, islands := &w.scratch.manifolds, &w.scratch.islands
	list.Reset(w.team.Workers())
	for i := range w.active.All() {
		c := w.contacts.At(i)
		if !c.touching || c.sensor {
			continue
		}
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		if a.solverIndex == 0 && b.solverIndex == 0 {
			continue
		}
		static := a.invMass == 0 || b.invMass == 0
		if both := a.solverIndex != 0 && b.solverIndex != 0; both && static { // a moving kinematic body keeps b awake
			islands.KeepAwake(a.solverIndex)
			islands.KeepAwake(b.solverIndex)
		} else if both {
			islands.Join(a.solverIndex, b.solverIndex)
		}
		link := solve.Link{A: a.solverIndex, B: b.solverIndex, N: c.points, Static: static}
		if c.ofShapes() {
			if solve.Heavy(a.invMass, b.invMass) {
				link.Impulse = rows.Load(&w.manifolds[i], &rows.Side{Velocity: a.velocity, Spin: a.spin}, &rows.Side{Velocity: b.velocity, Spin: b.spin})
			}
			list.Add(&w.solver, rows.Ref{Contact: i}, link)
			continue
		}
		manifolds := w.surfaceOf(c).Manifolds
		for k := range manifolds {
			link.N = int8(manifolds[k].N)
			list.Add(&w.solver, rows.Ref{Contact: i, Index: int32(k)}, link)
		}
	}
	list.Finish(&w.solver)
}

// manifoldAt returns the manifold of ref; of a contact with a ground or chain with its surface.
func (w *World) manifoldAt(ref rows.Ref) (*contact.Manifold, *contact.SurfaceManifold) {
	if c := w.contacts.At(ref.Contact); !c.ofShapes() {
		on := &w.surfaceOf(c).Manifolds[ref.Index]
		return &on.Manifold, on
	}
	return &w.manifolds[ref.Contact], nil
}

// contactSource is the world as the solver sees it (solve.Source).
type contactSource World

// Fill implements solve.Source.
func (src *contactSource) Fill(worker int, i int32, out *solve.Contact) {
	w := (*World)(src)
	ref := w.scratch.manifolds.At(i)
	c, in := w.contacts.At(ref.Contact), &w.workers[worker].rows
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	in.A = rows.Side{Velocity: a.velocity, Spin: a.spin, InvInertia: a.invInertia}
	in.B = rows.Side{Shape: w.rowShapes[c.shapeB], Velocity: b.velocity, Spin: b.spin, InvInertia: b.invInertia}
	if in.Smooth, in.DT = false, w.scratch.dt; c.ofShapes() {
		in.A.Shape = w.rowShapes[c.shapeA]
	} else {
		in.Smooth = w.surfaceOf(c).Pinched
	}
	m, on := w.manifoldAt(ref)
	in.Fill(out, &w.surfaces, m, on)
}

// Take implements solve.Source: it stores the impulses for the warm start of the next step.
func (src *contactSource) Take(worker int, i int32, x *solve.Impulses) solve.Normal {
	list := &src.scratch.manifolds
	m, _ := (*World)(src).manifoldAt(list.At(i))
	list.Take(worker, i, m, x)
	return solve.Normal(m.Normal)
}

// reportHits adds the events of the hits.
func (w *World) reportHits() {
	for _, h := range w.scratch.manifolds.Hits() {
		ref := w.scratch.manifolds.At(h.Manifold)
		c := w.contacts.At(ref.Contact)
		m, on := w.manifoldAt(ref)
		ev := HitEvent{
			ContactEvent: w.eventOf(c), Normal: m.Normal, Speed: h.Speed,
			Point: w.bodies.At(c.bodyB).center.Add(m.Points[h.Point].AnchorB),
		}
		if on != nil {
			ev.setSource(&on.Sources[h.Point])
		}
		w.events.hits = append(w.events.hits, ev)
	}
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
