package step

import (
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Solve is the stage that runs the solver (internal/solve).
//
// Needs: velocities and displacements of the awake bodies such that contacts and joints hold; the impulses of
// this step in the manifolds and joints, with which the next step begins.
//
// Assumes: List has listed bodies, joints and contacts.
//
// Algorithm: the solver asks for each contact once (Fill), when it packs the contacts into blocks: the stage
// turns the manifold and the mixed materials into a lane (internal/rows). At the end the solver gives the
// impulses back (Take). Then the motions of pinched bodies are limited. Belts and motors that moved a body in
// this step keep its island awake.
//
// Data: the solver has its own arrays. The stage keeps, for each worker, the memory of the contacts that it
// fills.
type Solve struct {
	world   *state.World
	game    Game
	solver  *solve.Solver
	list    *Listing
	workers []filler
}

// filler is the memory of one worker, apart from the next one's in the cache.
type filler struct {
	rows.Contact
	_ [64]byte
}

// Step solves the contacts and joints of l in w, by s. A nil game has no pre-solve function.
func (p *Solve) Step(w *state.World, t *team.Team, s *solve.Solver, l *List, game Game) {
	p.world, p.game, p.solver, p.list = w, game, s, &l.Contacts
	if len(p.workers) != t.Workers() {
		p.workers = make([]filler, t.Workers())
	}
	c := &w.Config
	s.MaxSpeed, s.PushSpeed = float32(c.MaxSpeed), float32(c.PushSpeed)
	s.PushRate, s.BounceSpeed, s.HitSpeed = float32(c.PushRate), float32(c.BounceSpeed), float32(c.HitSpeed)
	s.Source, s.Team = (*source)(p), t
	for i := range p.workers {
		p.workers[i].Begin(&w.Surfaces, s.Motions, &p.list.List, w.DT)
	}
	s.Usual, s.LastSubStep = w.Length.Usual, w.Length.SubStep
	s.Run(w.DT, c.SubSteps)
	capPinched(w, s.Motions)
	w.Length.SubStep = w.DT / float64(c.SubSteps)
	for i := range p.workers {
		p.workers[i].End()
		for _, body := range p.workers[i].Carried {
			w.Islands.Drive(body)
		}
	}
	l.Joints.drive()
	l.Joints.turn()
}

// source is the world as the solver sees it (solve.Source).
type source Solve

// Fill implements solve.Source.
func (p *source) Fill(worker int, i int32, out solve.Lane) {
	w, ref, in := p.world, p.list.At(i), &p.workers[worker].Contact
	a, b := rows.NoShape, rows.NoShape
	m, on := w.Contacts.ManifoldAt(ref)
	if on == nil {
		a = &w.RowShapes[ref.A]
	} else {
		in.Other, in.Smooth = nil, w.Contacts.Surfaces.At(^ref.A).Stuck.State.IsPinched()
	}
	if ref.B >= 0 {
		b = &w.RowShapes[ref.B]
	} else {
		in.Other = w.Contacts.OtherAt(ref)
	}
	in.PreSolved = p.game != nil && p.mix(worker, in, w.Contacts.At(ref.Contact), m, on)
	in.Fill(out, &p.solver.Links[i], a, b, m, on, w.Contacts.TotalsOf(ref.Contact, on))
}

// mix gives in, the rows of the manifold m of c, the properties that the pre-solve function sets. It returns
// false if that function is not called.
func (p *source) mix(worker int, in *rows.Contact, c *state.Contact, m *contact.Manifold,
	on *contact.SurfaceManifold,
) bool {
	if c.Flags&state.AskPreSolve == 0 {
		return false
	}
	p.game.Mix(worker, c, m, on, &in.Points)
	return true
}

// Filled implements solve.Source.
func (p *source) Filled(worker int) { p.workers[worker].Filled() }

// Take implements solve.Source.
func (p *source) Take(worker int, i int32, x *solve.Impulses) {
	cs, list := &p.world.Contacts, p.list
	m, on := cs.ManifoldAt(list.At(i))
	if list.Take(worker, i, m, x); on != nil && len(list.Strengths) > 0 {
		list.Strain(worker, i, on, cs.OtherAt(list.At(i)), x)
	}
}
