package quarry

import (
	"runtime"
	"time"

	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
)

// Step advances the world by dt seconds, usually 1/60. A constant dt gives the steadiest stacks.
// Step panics if dt is not in (0, 1]. In a step above a quarter of a second, a body that turns
// much may pass thin static shapes; use several short steps instead.
func (w *World) Step(dt float64) {
	replay.Call1(w.recorder(w), "World.Step", replay.OfWorld, dt)
	if !(dt > 0 && dt <= 1) {
		check.Refuse("Step", "dt", dt, "more than 0 and at most 1 second")
	}
	dt = max(dt, 1e-30) // the inverse of a much shorter step overflows the solver's float32
	st, sw := &w.stages, &w.state
	st.Begin(sw, dt)
	defer st.Team.End()
	var pre step.Game
	if w.preSolve != nil {
		pre = (*game)(w)
	}
	p := &w.profile
	w.lap(&p.Step)
	began := w.lapped
	w.events.clear()
	w.breakGrounds()
	sw.MeasureAll()
	w.events.changed()
	st.Pairs.Step(sw, st.Team)
	w.lap(&p.Pairs)
	st.Narrow.Step(sw, st.Team, pre)
	st.Apply.Step(sw, st.Team, &st.Narrow)
	w.lap(&p.Narrow)
	st.List.Step(sw, st.Team, &st.Solver, &st.Narrow)
	w.lap(&p.List)
	st.Solve.Step(sw, st.Team, &st.Solver, &st.List, pre)
	w.reportHits()
	w.reportJoints()
	w.lap(&p.Solve)
	st.Advance.Step(sw, st.Team, &st.List.Awake, st.Solver.Motions, pre)
	w.reportMoves()
	w.lap(&p.Advance)
	st.Sense.Step(sw, st.Advance.Fast(), st.Advance.Kinematic(), len(st.List.Awake.Bodies))
	w.events.settle()
	w.lap(&p.Sensors)
	for _, k := range st.Sleep.Step(sw, st.Team, st.List.Awake.Bodies, st.Solver.Motions) {
		w.events.moved[k].FellAsleep = true
	}
	w.lap(&p.Sleep)
	p.Step = w.lapped.Sub(began)
	st.End(sw, dt)
	if w.log != nil {
		w.log.Stepped()
	}
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

// makeTeam makes the workers of steps.
func (w *World) makeTeam() {
	n := w.state.Config.Workers
	if n == 0 {
		n = min(runtime.GOMAXPROCS(0), state.MaxWorkers)
	}
	w.stages.SetWorkers(n)
	w.preSolves = make([]PreSolve, n)
}
