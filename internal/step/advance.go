package step

import (
	"slices"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
	"github.com/quarry2d/quarry/internal/team"
)

// Advance is the stage that moves the bodies.
//
// Needs: each awake body gets the pose and velocity at the end of the step: those that the solver found, or as
// much of the displacement as passes no obstacle. Boxes in the broad phase hold their shapes again.
//
// Assumes: the solver's motions (solve.Motion) are relative to the poses at the start of the step; contacts and
// islands are those that the solver used.
//
// Algorithm: kinematic bodies move first (moving.go). All workers then compute the pose that each dynamic body
// reaches, which changes no body (reach.go): most keep the solver's displacement, the others are swept by
// internal/ccd against the obstacles near the path (obstacles.go), about which the pre-solve function is asked
// (arrival.go). Bodies that joints hold to stopped bodies stop, too (joined.go). Then all workers commit the
// poses (commit.go). Bullets move last, one after the other (bullets.go).
//
// Data: the records of state.World. The stage keeps the poses reached, by index in AwakeSet.Bodies, the
// motions of moving obstacles, and lists of boxes and effects on other records, which are applied in the order of
// the bodies.
type Advance struct {
	world   *state.World
	game    Game
	awake   *AwakeSet
	solved  []solve.Motion // by Body.SolverIndex
	workers []advancer
	loops   struct{ advance, commit func(worker, from, to int) }

	moving   []ccd.Motion // motions of the moving obstacles: kinematic bodies, then dynamic bodies with grounds
	outcomes []reached    // by index in awake.Bodies
	stops    team.Lists[stop]
	impacts  team.Lists[impact] // of bodies that hang in place
	stopped  []int32            // indices in awake.Bodies of the bodies that one stop stops; see stopJoined
	boxes    team.Lists[state.NewBox]
	put      team.Queue[[]state.NewBox] // boxes of finished ranges, to go into the broad phase
	putBoxes func([]state.NewBox)       // world.PutBoxes, made once
	effects  team.Lists[effect]
	passing  team.Lists[ccd.Motion] // motions that may pass a sensor
	fast     []ccd.Motion           // passing, joined
	motions  []ccd.Motion           // motions made, by index in awake.Bodies, if there are bullets
	movedFar []int32                // indices in awake.Bodies of the bodies that moved far, if there are bullets
}

// advancer is the working memory of one worker of the team. Besides its own memory, a worker writes only the
// outcome, or the record, of the current body. It is the world as continuous collision sees it (ccd.Obstacles).
type advancer struct {
	*Advance
	number    int           // of the worker
	part      int           // number of the current range
	mover     ccd.Mover     // the current body
	pieces    narrow.Pieces // of its grounds
	sweeper   ccd.Sweeper
	near      []broad.ID                  // result of find
	chainNear []int32                     // faces of a chain
	filter    surface.Filter              // of AppendFaces
	query     OneWay                      // of queryOf
	noMemory  narrow.Memory               // empty, of a shape and a ground that have no contact; see queryOf
	nearest   ccd.Nearest                 // finds arrival.Near
	arrival   Arrival                     // about which the pre-solve function is asked
	keep      func(*gridseg.Segment) bool // keepsSegment, made once, so that a step allocates nothing
}

// Step moves the bodies of awake in w by the motions that the solver found. A nil game has no pre-solve function.
func (s *Advance) Step(w *state.World, t *team.Team, awake *AwakeSet, solved []solve.Motion, game Game) {
	s.game = game
	s.begin(w, t, awake, solved)
	s.moveKinematic()
	s.planGrounds()
	n := len(awake.Bodies)
	s.outcomes = slices.Grow(s.outcomes[:0], n)[:n]
	s.stops.Reset(len(s.workers), n, BodyGrain)
	s.impacts.Reset(len(s.workers), n, BodyGrain)
	t.Each(n, BodyGrain, s.loops.advance)
	s.stopJoined()
	if w.Bullets > 0 {
		s.motions = append(s.motions[:0], make([]ccd.Motion, n)...)
	}
	s.beginLists(n)
	t.Each(n, BodyGrain, s.loops.commit)
	s.applyEffects()
	s.takeImpacts()
	s.commitBullets()
}

// begin begins a step.
func (s *Advance) begin(w *state.World, t *team.Team, awake *AwakeSet, solved []solve.Motion) {
	s.world, s.awake, s.solved = w, awake, solved
	s.moving, s.movedFar, s.fast = s.moving[:0], s.movedFar[:0], s.fast[:0]
	if n := t.Workers(); len(s.workers) != n {
		s.putBoxes = func(boxes []state.NewBox) { s.world.PutBoxes(boxes) }
		s.workers = make([]advancer, n)
		for i := range s.workers {
			k := &s.workers[i]
			k.Advance, k.number = s, i
			k.keep = k.keepsSegment
		}
		s.loops.advance = func(worker, from, to int) { s.workers[worker].advanceBodies(from, to) }
		s.loops.commit = func(worker, from, to int) { s.workers[worker].commitBodies(from, to) }
	}
}

// Kinematic returns the motions of the kinematic bodies, valid until the next Step.
func (s *Advance) Kinematic() []ccd.Motion { return s.moving[:len(s.awake.Kinematic)] }

// Fast returns the motions of the dynamic bodies that may have passed a sensor, valid until the next Step.
func (s *Advance) Fast() []ccd.Motion { return s.fast }

// Tally returns the work of the filters of one-way tiles so far.
func (s *Advance) Tally() (sum surface.Tally) {
	for i := range s.workers {
		sum.Add(&s.workers[i].filter.Tally)
	}
	return sum
}
