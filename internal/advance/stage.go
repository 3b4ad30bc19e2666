package advance

import (
	"slices"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/pieces"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
	"github.com/quarry2d/quarry/internal/team"
)

// Stage is the working memory of the stage. The zero Stage is ready for Step, and keeps its memory, so that a warm step
// allocates nothing. A Stage must not be copied.
type Stage struct {
	world   *state.World
	awake   *state.AwakeSet
	solved  []solve.Motion // by Body.SolverIndex
	workers []worker
	loops   struct{ advance, commit func(worker, from, to int) }

	moving   []ccd.Motion // motions of the moving obstacles: kinematic bodies, then dynamic bodies with grounds
	outcomes []outcome    // by index in awake.Bodies
	stops    team.Lists[stop]
	stopped  []int32 // indices in awake.Bodies of the bodies that one stop stops; see stopJoined
	boxes    team.Lists[state.NewBox]
	put      team.Queue[[]state.NewBox] // boxes of finished ranges, to go into the broad phase
	putBoxes func([]state.NewBox)       // world.PutBoxes, made once
	effects  team.Lists[effect]
	passing  team.Lists[ccd.Motion] // motions that may pass a sensor
	fast     []ccd.Motion           // passing, joined
	motions  []ccd.Motion           // motions made, by index in awake.Bodies, if there are bullets
	movedFar []int32                // indices in awake.Bodies of the bodies that moved far, if there are bullets
}

// worker is the working memory of one worker of the team. Besides its own memory, a worker writes only the outcome, or
// the record, of the current body. It is the world as continuous collision sees it (ccd.Obstacles).
type worker struct {
	*Stage
	number    int         // of the worker
	part      int         // number of the current range
	mover     ccd.Mover   // the current body
	pieces    pieces.List // of its grounds
	sweeper   ccd.Sweeper
	near      []broad.ID                  // result of find
	chainNear []int32                     // faces of a chain
	filter    oneway.Filter               // of AppendFaces
	query     state.OneWay                // of queryOf
	noMemory  narrow.Memory               // empty, of a shape and a ground that have no contact; see queryOf
	nearest   ccd.Nearest                 // finds arrival.Near
	arrival   state.Arrival               // about which the pre-solve function is asked
	keep      func(*gridseg.Segment) bool // keepsSegment, made once, so that a step allocates nothing
}

// Step moves the bodies of awake in w by the motions that the solver found.
func (s *Stage) Step(w *state.World, t *team.Team, awake *state.AwakeSet, solved []solve.Motion) {
	s.begin(w, t, awake, solved)
	s.moveKinematic()
	s.planGrounds()
	n := len(awake.Bodies)
	s.outcomes = slices.Grow(s.outcomes[:0], n)[:n]
	s.stops.Reset(len(s.workers), n, state.BodyGrain)
	t.Each(n, state.BodyGrain, s.loops.advance)
	s.stopJoined()
	if w.Bullets > 0 {
		s.motions = append(s.motions[:0], make([]ccd.Motion, n)...)
	}
	s.beginLists(n)
	t.Each(n, state.BodyGrain, s.loops.commit)
	s.applyEffects()
	s.commitBullets()
}

// begin begins a step.
func (s *Stage) begin(w *state.World, t *team.Team, awake *state.AwakeSet, solved []solve.Motion) {
	s.world, s.awake, s.solved = w, awake, solved
	s.moving, s.movedFar, s.fast = s.moving[:0], s.movedFar[:0], s.fast[:0]
	if n := t.Workers(); len(s.workers) != n {
		s.putBoxes = func(boxes []state.NewBox) { s.world.PutBoxes(boxes) }
		s.workers = make([]worker, n)
		for i := range s.workers {
			k := &s.workers[i]
			k.Stage, k.number = s, i
			k.keep = k.keepsSegment
		}
		s.loops.advance = func(worker, from, to int) { s.workers[worker].advanceBodies(from, to) }
		s.loops.commit = func(worker, from, to int) { s.workers[worker].commitBodies(from, to) }
	}
}

// Kinematic returns the motions of the kinematic bodies, valid until the next Step.
func (s *Stage) Kinematic() []ccd.Motion { return s.moving[:len(s.awake.Kinematic)] }

// Fast returns the motions of the dynamic bodies that may have passed a sensor, valid until the next Step.
func (s *Stage) Fast() []ccd.Motion { return s.fast }

// Tally returns the work of the filters of one-way tiles so far.
func (s *Stage) Tally() (sum surface.Tally) {
	for i := range s.workers {
		sum.Add(&s.workers[i].filter.Tally)
	}
	return sum
}
