package step

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// AwakeSet lists the bodies that the solver moves in a step: awake dynamic bodies, and kinematic bodies that
// move. The zero AwakeSet is empty.
type AwakeSet struct {
	Bodies    []int32 // slots, ascending; Body.SolverIndex is the index here plus 1
	Kinematic []int32 // indices in Bodies of the kinematic bodies
	Tiled     []int32 // indices in Bodies of the dynamic bodies with grounds

	world    *state.World
	solver   *solve.Solver
	listing  *Listing
	special  team.Lists[int32]          // Kinematic and Tiled, by ranges of words of World.Moving
	firsts   []int32                    // number of bodies before each of these ranges
	mostSpin float64                    // of a body in this step, radians a second
	stopped  atomic.Bool                // a body in World.Moving does not move
	relisted bool                       // the bodies are listed again without the stopped ones
	loop     func(worker, from, to int) // made once, so that a step allocates nothing
}

// List lists the bodies that s moves in a step of w, sets the SolverIndex of each, passes them to l, and gives s
// their motions. All workers list them, by words of World.Moving: the number of bodies in the words before is the
// place of a word's bodies. If some bodies have stopped, all are listed again.
func (a *AwakeSet) List(w *state.World, t *team.Team, s *solve.Solver, l *Listing) {
	a.world, a.solver, a.listing = w, s, l
	if a.loop == nil {
		a.loop = a.list
	}
	l.BeginBodies(int(w.Bodies.Slots()))
	a.Kinematic, a.Tiled = a.Kinematic[:0], a.Tiled[:0]
	a.mostSpin = solve.MostSpin(w.DT, w.Config.SubSteps)
	s.Reset()
	for a.relisted = false; ; a.relisted = true {
		n := 0
		a.firsts, n = w.Moving.AppendCounts(a.firsts[:0], WordGrain)
		a.Bodies, s.Motions = slices.Grow(a.Bodies[:0], n)[:n], slices.Grow(s.Motions[:1], n)[:1+n]
		a.special.Reset(t.Workers(), len(w.Moving), WordGrain)
		t.Each(len(w.Moving), WordGrain, a.loop)
		if !a.stopped.Swap(false) {
			break
		}
	}
	for _, k := range a.special.Join() {
		if w.Bodies.At(a.Bodies[k]).Type == broad.KinematicBody {
			a.Kinematic = append(a.Kinematic, k)
		} else {
			a.Tiled = append(a.Tiled, k)
		}
	}
}

// list lists the bodies in a range of the words of World.Moving.
func (a *AwakeSet) list(worker, from, to int) {
	w := a.world
	at := a.firsts[from/WordGrain]
	for i := range w.Moving.Within(from, to) {
		b := w.Bodies.At(i)
		if !w.Bodies.Used(i) || !b.Moves() {
			b.SolverIndex = 0
			w.Moving.Remove(i)
			a.listing.NoteResting(i)
			a.stopped.Store(true)
			continue
		}
		if b.Type == broad.KinematicBody || b.FirstGround >= 0 {
			*a.special.Add(worker, from/WordGrain) = at
		}
		a.Bodies[at] = i
		at++
		b.SolverIndex = at
		a.listing.NoteMoving(i, b)
		// Relative velocities of a huge body with a huge spin do not fit a float32.
		if b.Velocity = narrow.AtMost(b.Velocity, w.Config.MaxSpeed); !(math.Abs(b.Spin) <= a.mostSpin) {
			b.Spin = max(-a.mostSpin, min(a.mostSpin, b.Spin))
		}
		if b.Dropping != 0 && !a.relisted {
			b.Dropping = max(0, b.Dropping-w.DT) // for the stages that move the bodies
		}
		m := &a.solver.Motions[at]
		*m = solve.Motion{}
		b.ToSolver(m, b.Gravity(w.Rare(i), w.Config.Gravity), w.Length.Usual/float64(w.Config.SubSteps))
	}
}
