package quarry

import (
	"runtime"
	"time"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/flush"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Step advances the world by dt seconds, usually 1/60. A constant dt gives the steadiest stacks.
// Step panics if dt is not in (0, 1]. In a step above a quarter of a second, a body that turns
// much may pass thin static shapes; use several short steps instead.
func (w *World) Step(dt float64) {
	record.Call1(w.recorder(w), "World.Step", record.OfWorld, dt)
	if !(dt > 0 && dt <= 1) {
		check.Refuse("Step", "dt", dt, "more than 0 and at most 1 second")
	}
	dt = max(dt, 1e-30) // the inverse of a much shorter step overflows the solver's float32
	w.state.BeginStep(dt)
	workers := w.state.Config.Workers
	if workers == 0 {
		workers = (w.state.Moving.Count() + w.state.Contacts.Active.Count()) / shareOfWorker
	}
	w.team.BeginSome(workers)
	defer w.team.End()
	p := &w.profile
	w.lap(&p.Step)
	began := w.lapped
	w.events.clear()
	w.breakGrounds()
	w.events.changed()
	w.state.FindPairs(w.team)
	w.lap(&p.Pairs)
	w.updateContacts()
	w.lap(&p.Narrow)
	sc := &w.scratch
	sc.awake.List(&w.state, w.team, &w.solver, &sc.listing)
	w.solve(dt)
	w.lap(&p.Solve)
	sc.advance.Step(&w.state, w.team, &sc.awake, w.solver.Motions)
	w.reportMoves()
	w.lap(&p.Advance)
	if w.state.Broad.HasSensors() {
		sc.sensors.Step(&w.state, sc.advance.Fast(), sc.advance.Kinematic(), len(sc.awake.Bodies))
	}
	w.events.settle()
	w.lap(&p.Sensors)
	for k := range w.state.SleepIslands(w.team, sc.awake.Bodies, w.solver.Motions) {
		w.events.moved[k].FellAsleep = true
	}
	w.lap(&p.Sleep)
	p.Step = w.lapped.Sub(began)
	w.state.Steps++
	w.state.Time += dt
	w.state.Stepping = false
	w.log.Stepped()
	if checkRecords != nil {
		checkRecords(w)
	}
}

// checkRecords, if set, checks the world after each step; see invariants_test.go.
var checkRecords func(*World)

// Profile holds the time of the last step, and the times of its stages, which add up to it.
type Profile struct {
	Step    time.Duration // the whole step
	Pairs   time.Duration // find pairs of shapes whose boxes came to overlap
	Narrow  time.Duration // compute manifolds, and apply their events and wake-ups
	List    time.Duration // list awake bodies and their contacts, join islands
	Solve   time.Duration // contacts: from impacts to restitution, and the impulses taken back
	Advance time.Duration // continuous collision, poses and boxes of the bodies that moved
	Sensors time.Duration // overlaps of sensors
	Sleep   time.Duration // put islands to sleep
}

// Profile returns the times of the last step if Config.Profile is set, else zeros.
func (w *World) Profile() Profile {
	w.mustBeMade()
	return w.profile
}

// lap sets d to the time since the last lap, the time of a stage. No other function reads a clock.
func (w *World) lap(d *time.Duration) {
	if w.state.Config.Profile {
		now := time.Now()
		*d, w.lapped = now.Sub(w.lapped), now
	}
}

// worker is the scratch memory of one goroutine of the team, for the narrow phase and the solver's source. Besides it,
// the two write only the current contact, and lists that have a part for each worker.
type worker struct {
	w         *World
	number    int // of the worker
	part      int // number of the current range of contacts
	rows      rows.Contact
	preSolve  PreSolve // of the current manifold
	narrow    narrow.Scratch
	input     narrow.Input        // of the current contact
	outcome   narrow.Outcome      // of the current contact
	jams      []int32             // contacts that jam their bodies, and change nothing else
	relists   bool                // a contact changed its number of points
	pair      narrow.Pair         // current
	pose      narrow.Pose         // of its bodies
	stood     []gridseg.Cell      // one-way tiles under the current contact
	materials [2][]contact.Source // of A and B of the current contact, with MaterialEvents
	oneWay    state.OneWay        // of the narrow phase
	seam      flush.Seam          // of the narrow phase
	resting   resting             // the shape whose seam is in work
}

// shareOfWorker is the smallest number of awake bodies and contacts for each worker if Config.Workers is 0: 0.1 to 0.3
// ms of work. A helper polls for the whole step, so with less work it costs more processor time than it saves.
const shareOfWorker = 500

// loops are the loops that run on all workers, made once, so that a step allocates nothing.
type loops struct{ contacts, joints, moves func(worker, from, to int) }

// makeTeam makes the workers and their loops.
func (w *World) makeTeam() {
	n := w.state.Config.Workers
	if n == 0 {
		n = min(runtime.GOMAXPROCS(0), state.MaxWorkers)
	}
	w.team, w.workers = team.New(n), make([]worker, n)
	for i := range w.workers {
		k := &w.workers[i]
		k.w, k.number = w, i
		k.seam.Source = k
	}
	w.loops.contacts = func(worker, from, to int) { w.workers[worker].updateWords(from, to) }
	w.loops.joints = func(worker, from, to int) {
		w.state.Joints.EachSleeper(from, to, &w.state.Bodies, func(i int32) {
			*w.scratch.jointSleepers.Add(worker, from/state.WordGrain) = i
		})
	}
	w.loops.moves = func(_, from, to int) { w.setMoves(from, to) }
}

// solve fills the solver with the contacts of the awake bodies, runs it, and stores the impulses in the
// contacts.
func (w *World) solve(dt float64) {
	s, c := &w.solver, &w.state.Config
	s.MaxSpeed, s.PushSpeed = float32(c.MaxSpeed), float32(c.PushSpeed)
	s.PushRate, s.BounceSpeed, s.HitSpeed = float32(c.PushRate), float32(c.BounceSpeed), float32(c.HitSpeed)
	w.scratch.joints.Make(&w.state, w.team, s, &w.scratch.listing)
	w.listContacts()
	w.lap(&w.profile.List)
	s.Source, s.Team = (*contactSource)(w), w.team
	for i := range w.workers {
		w.workers[i].rows.Begin(&w.state.Surfaces, s.Motions, &w.scratch.listing.List, dt)
	}
	length := &w.state.Length
	s.Usual, s.LastSubStep = length.Usual, length.SubStep
	s.Run(dt, c.SubSteps)
	length.SubStep = dt / float64(c.SubSteps)
	for i := range w.workers {
		w.workers[i].rows.End()
		for _, body := range w.workers[i].rows.Carried {
			w.state.Islands.Drive(body)
		}
	}
	w.scratch.joints.Drive()
	w.reportHits()
	w.reportJoints()
}

// listContacts lists the manifolds of awake bodies for the solver, and joins the islands.
func (w *World) listContacts() {
	l, changed := &w.scratch.listing, false
	for k := range w.workers {
		changed, w.workers[k].relists = changed || w.workers[k].relists, false
	}
	l.Begin(w.team.Workers(), w.state.Config.HitSpeed)
	l.Strengths = w.state.Strengths
	l.Make(&w.state, w.team, &w.solver, w.scratch.awake.Kinematic, w.scratch.joints.Joints, changed)
}

// contactSource is the world as the solver sees it (solve.Source).
type contactSource World

// Fill implements solve.Source.
func (src *contactSource) Fill(worker int, i int32, out solve.Lane) {
	w := (*World)(src)
	ref, in := w.scratch.listing.At(i), &w.workers[worker].rows
	a, b := rows.NoShape, rows.NoShape
	m, on := w.state.Contacts.ManifoldAt(ref)
	if on == nil {
		a = &w.state.RowShapes[ref.A]
	} else {
		in.Other, in.Smooth = nil, w.state.Contacts.Surfaces.At(^ref.A).Pinched
	}
	if ref.B >= 0 {
		b = &w.state.RowShapes[ref.B]
	} else {
		in.Other = w.state.Contacts.OtherAt(ref)
	}
	in.PreSolved = w.preSolve != nil && w.workers[worker].setRules(in, w.state.Contacts.At(ref.Contact), m, on)
	in.Fill(out, &w.solver.Links[i], a, b, m, on, w.state.Contacts.TotalsOf(ref.Contact, on))
}

// Filled implements solve.Source.
func (src *contactSource) Filled(worker int) { (*World)(src).workers[worker].rows.Filled() }

// Take implements solve.Source.
func (src *contactSource) Take(worker int, i int32, x *solve.Impulses) {
	list := &src.scratch.listing
	m, on := (*World)(src).state.Contacts.ManifoldAt(list.At(i))
	if list.Take(worker, i, m, x); on != nil && len(list.Strengths) > 0 {
		list.Strain(worker, i, on, (*World)(src).state.Contacts.OtherAt(list.At(i)), x)
	}
}

// reportHits adds the events of the hits.
func (w *World) reportHits() {
	for _, h := range w.scratch.listing.Hits() {
		ref := w.scratch.listing.At(h.Manifold)
		c := w.state.Contacts.At(ref.Contact)
		if c.Flags&state.NoHitEvents != 0 {
			continue
		}
		m, on := w.state.Contacts.ManifoldAt(ref)
		ev := HitEvent{
			ContactEvent: w.eventOf(c), Bodies: [2]BodyID{
				BodyID(w.state.Bodies.ID(c.BodyA)),
				BodyID(w.state.Bodies.ID(c.BodyB)),
			},
			Normal: m.Normal, Speed: h.Speed, Impulse: h.Impulse,
			Point: w.state.Bodies.At(c.BodyB).Center.Add(m.Points[h.Point].AnchorB),
		}
		if on != nil {
			ev.setSource(&on.Sources[h.Point])
			ev.setSourceB(w.state.Contacts.SurfaceOf(c), ref.Index, h.Point)
		}
		w.events.hits = append(w.events.hits, ev)
	}
}
