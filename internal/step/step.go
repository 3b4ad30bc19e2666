package step

import (
	"unsafe"

	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// Stages are the stages of a step, in their order, and the solver, which List fills, Solve runs, and Advance
// reads. The zero value is ready for use after SetWorkers. Stages keep their memory from step to step, so that a
// warm step allocates nothing, and must not be copied.
type Stages struct {
	Team    *team.Team
	Solver  solve.Solver
	Pairs   Pairs
	Narrow  Narrow
	Apply   Apply
	List    List
	Solve   Solve
	Advance Advance
	Sense   Sense
	Sleep   Sleep
}

// Grains of the loops that run on all workers: words of 64 contacts, and bodies, of some microseconds.
const (
	WordGrain = 2
	BodyGrain = 64
)

// shareOfWorker is the smallest number of awake bodies and contacts for each worker if Config.Workers is 0: 0.1 to
// 0.3 ms of work. A helper polls for the whole step, so with less work it costs more processor time than it
// saves.
const shareOfWorker = 500

// SetWorkers sets the number of workers.
func (s *Stages) SetWorkers(n int) { s.Team = team.New(n) }

// Begin begins a step of w of dt seconds; End ends it.
func (s *Stages) Begin(w *state.World, dt float64) {
	w.Stepping, w.DT = true, dt
	w.Length.Begin(dt)
	w.Pace = narrow.Pace(min(w.Config.PushSpeed, w.Config.MaxSpeed), w.Config.PushRate)
	workers := w.Config.Workers
	if workers == 0 {
		workers = (w.Moving.Count() + w.Contacts.Active.Count()) / shareOfWorker
	}
	s.Team.BeginSome(workers)
}

// End ends a step of w of dt seconds.
func (s *Stages) End(w *state.World, dt float64) {
	w.Steps++
	w.Time += dt
	w.Stepping = false
}

// Forget makes the next step list everything again: the world has another state.
func (s *Stages) Forget() { s.List.Contacts.Reset() }

// Kernels returns the code of the solver's passes: "avx2", "neon" or "go".
func Kernels() string { return solve.Kernels() }

// Bytes returns the bytes of a body and of a contact with one manifold, in world and solver, without the broad
// phase.
func Bytes() (ofBody, ofContact int) {
	b, c := solve.Bytes()
	b += int(unsafe.Sizeof(state.Body{}) + unsafe.Sizeof(state.BodyRare{}))
	c += int(unsafe.Sizeof(state.Contact{}) + unsafe.Sizeof(contact.Manifold{}) +
		unsafe.Sizeof(contact.Totals{}) + unsafe.Sizeof(narrow.Base{}))
	return b, c
}
