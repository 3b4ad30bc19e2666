package quarry

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
)

// sideOf is a body as the list of contacts reads it.
type sideOf struct {
	invMass float64
	index   int32 // in the solver, 0: the solver does not move it
}

// listAwake lists the bodies that the solver moves, in slot order, sets each one's solverIndex, and gives
// the solver their motions.
func (w *World) listAwake(dt float64) {
	sc, s := &w.scratch, &w.solver
	for _, i := range sc.awake {
		sc.sides[i] = sideOf{}
	}
	sc.sides = slices.Grow(sc.sides, int(w.bodies.Slots()))[:w.bodies.Slots()]
	sc.awake, sc.kinematic, sc.tiled = sc.awake[:0], sc.kinematic[:0], sc.tiled[:0]
	s.Reset()
	mostSpin := solve.MostSpin(dt, w.config.SubSteps)
	for i := range w.moving.All() {
		b := w.bodies.At(i)
		if !w.bodies.Used(i) || !b.moves() {
			b.solverIndex = 0
			w.moving.Remove(i)
			continue
		}
		sc.awake = append(sc.awake, i)
		b.solverIndex = int32(len(sc.awake))
		if b.kind == Kinematic {
			sc.kinematic = append(sc.kinematic, b.solverIndex-1)
		} else if b.firstGround >= 0 {
			sc.tiled = append(sc.tiled, b.solverIndex-1)
		}
		sc.sides[i] = sideOf{b.invMass, b.solverIndex}
		// Relative velocities of a huge body with a huge spin do not fit a float32.
		b.velocity, b.spin = depenetrate.AtMost(b.velocity, w.config.MaxSpeed), max(-mostSpin, min(mostSpin, b.spin))
		b.dropping = max(0, b.dropping-dt) // for the stages that move the bodies
		b.toSolver(s.Add(), w.gravityOf(i, b))
	}
}

// solve fills the solver with the contacts of the awake bodies, runs it, and stores the impulses in the
// contacts.
func (w *World) solve(dt float64) {
	s := &w.solver
	c := &w.config
	s.MaxSpeed, s.PushSpeed = float32(c.MaxSpeed), float32(c.PushSpeed)
	s.PushRate, s.BounceSpeed = float32(c.PushRate), float32(c.BounceSpeed)
	islands := &w.scratch.islands
	islands.Reset(len(w.scratch.awake))
	for _, k := range w.scratch.kinematic {
		islands.Join(0, k+1)
	}
	w.listJoints(dt)
	w.listLocks()
	w.listContacts()
	islands.Number()
	w.lap(&w.profile.List)
	s.Islands, s.IslandCount = islands.Of(), islands.Len()
	s.Source, s.Team, w.scratch.dt = (*contactSource)(w), w.team, dt
	s.Run(dt, w.config.SubSteps)
	w.reportHits()
	w.reportJoints()
}

// listContacts lists the manifolds of awake bodies for the solver, and joins the islands.
func (w *World) listContacts() {
	list, islands := &w.scratch.manifolds, &w.scratch.islands
	list.Reset(w.team.Workers(), w.config.HitSpeed)
	list.Strengths = w.strengths
	for i := range w.active.All() {
		c := w.contacts.At(i)
		if !c.touching || c.sensor {
			continue
		}
		a, b := w.side(c.bodyA), w.side(c.bodyB)
		if a.index == 0 && b.index == 0 {
			continue
		}
		islands.Touch(a.index, b.index, a.invMass == 0 || b.invMass == 0)
		static, heavy := solve.Static(a.invMass, b.invMass), solve.Heavy(a.invMass, b.invMass)
		if c.ofShapes() {
			ref, link := list.Add(&w.solver, static)
			ref.Contact, ref.A, ref.B = i, c.shapeA, c.shapeB
			link.A, link.B, link.N, link.Static = a.index, b.index, c.points, static
			if heavy {
				link.Impulse = rows.Load(&w.manifolds[i], &w.solver.Motions[a.index], &w.solver.Motions[b.index])
			}
			continue
		}
		manifolds := w.surfaceOf(c).Manifolds
		for k := range manifolds {
			ref, link := list.Add(&w.solver, static)
			ref.Contact, ref.A, ref.B, ref.Index = i, ^c.surface, c.shapeB, int32(k)
			link.A, link.B, link.N, link.Static = a.index, b.index, int8(manifolds[k].N), static
			if heavy {
				link.Impulse = rows.Load(&manifolds[k].Manifold, &w.solver.Motions[a.index], &w.solver.Motions[b.index])
			}
		}
	}
	list.Finish(&w.solver)
}

// side returns body i as the list of contacts reads it.
func (w *World) side(i int32) sideOf {
	s := w.scratch.sides[i]
	if s.index == 0 {
		s.invMass = w.bodies.At(i).invMass
	}
	return s
}

// manifoldAt returns the manifold of ref; of a contact with a ground or chain with its surface.
func (w *World) manifoldAt(ref rows.Ref) (*contact.Manifold, *contact.SurfaceManifold) {
	if ref.A >= 0 {
		return &w.manifolds[ref.Contact], nil
	}
	on := &w.surfaceContacts.At(^ref.A).Manifolds[ref.Index]
	return &on.Manifold, on
}

// otherAt returns the sources of side B of the manifold of ref, if that is a ground; otherwise nil.
func (w *World) otherAt(ref rows.Ref) *[2]contact.Source {
	if ref.B >= 0 {
		return nil
	}
	return &w.surfaceContacts.At(^ref.A).Others[ref.Index].Sources
}

// contactSource is the world as the solver sees it (solve.Source).
type contactSource World

// Fill implements solve.Source.
func (src *contactSource) Fill(worker int, i int32, out *solve.Contact) {
	w := (*World)(src)
	ref, link, in := w.scratch.manifolds.At(i), &w.solver.Links[i], &w.workers[worker].rows
	in.A, in.B, in.Other = rows.Side{Motion: &w.solver.Motions[link.A]}, rows.Side{Motion: &w.solver.Motions[link.B]}, w.otherAt(ref)
	if ref.B >= 0 {
		in.B.Shape = w.rowShapes[ref.B]
	}
	if in.Smooth, in.DT = false, w.scratch.dt; ref.A >= 0 {
		in.A.Shape = w.rowShapes[ref.A]
	} else {
		in.Smooth = w.surfaceContacts.At(^ref.A).Pinched
	}
	m, on := w.manifoldAt(ref)
	in.Asked = w.preSolve != nil && w.workers[worker].setRules(in, w.contacts.At(ref.Contact), m, on)
	in.Fill(out, &w.surfaces, m, on)
}

// Take implements solve.Source: it stores the impulses for the warm start of the next step.
func (src *contactSource) Take(worker int, i int32, x *solve.Impulses) solve.Normal {
	list := &src.scratch.manifolds
	m, on := (*World)(src).manifoldAt(list.At(i))
	if list.Take(worker, i, m, x); on != nil && len(list.Strengths) > 0 {
		list.Strain(worker, i, on, (*World)(src).otherAt(list.At(i)), x)
	}
	return solve.Normal(m.Normal)
}

// reportHits adds the events of the hits.
func (w *World) reportHits() {
	for _, h := range w.scratch.manifolds.Hits() {
		ref := w.scratch.manifolds.At(h.Manifold)
		c := w.contacts.At(ref.Contact)
		if c.flags&NoHitEvents != 0 {
			continue
		}
		m, on := w.manifoldAt(ref)
		ev := HitEvent{
			ContactEvent: w.eventOf(c), Normal: m.Normal, Speed: h.Speed, Impulse: h.Impulse,
			Point: w.bodies.At(c.bodyB).center.Add(m.Points[h.Point].AnchorB),
		}
		if on != nil {
			ev.setSource(&on.Sources[h.Point])
			ev.setSourceB(w.surfaceOf(c), ref.Index, h.Point)
		}
		w.events.hits = append(w.events.hits, ev)
	}
}

// toSolver sets out, which is zero, to the solver's input for b. A held body does not move until there is
// a way out.
func (b *body) toSolver(out *solve.Motion, gravity geom.Vec) {
	if b.held > 0 && b.kind == Dynamic {
		b.velocity, b.spin = geom.Vec{}, 0
		return
	}
	if b.locks() != 0 {
		b.velocity = b.free(b.velocity)
	}
	out.VX, out.VY, out.Spin = b.velocity.X, b.velocity.Y, b.spin
	if b.kind != Dynamic {
		return
	}
	out.InvMass, out.InvI = b.invMass, b.invInertia
	out.Linear, out.Angular = b.damping, b.spinDamping
	if b.step.pushedOut {
		return // a body that is pushed out moves only along its exit direction
	}
	acc := b.force.Mul(b.invMass)
	if !b.weightless {
		acc = acc.Add(gravity)
	}
	if b.locks() != 0 {
		acc = b.free(acc)
	}
	out.AX, out.AY, out.AW = acc.X, acc.Y, b.torque*b.invInertia
}
