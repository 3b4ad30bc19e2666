package quarry

import (
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/island"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/team"
)

// World holds bodies, grounds, contacts and the simulated time. NewWorld makes one: the zero
// World has no bodies and no events, and its Step, changes and queries panic. A World is not safe
// for concurrent use, except that queries may run concurrently between steps.
type World struct {
	config          Config
	steps           uint64
	time            float64 // simulated, in seconds
	stepping        bool
	worldBody       BodyID     // the static body of grounds and chains that name no body; 0 until used
	held            int        // contacts with a shape held in solid ground
	moving          store.Bits // bodies that may move in the next step; listAwake removes those at rest
	active          store.Bits // contacts of those, and more; updateContacts removes those of bodies at rest
	bodies          store.Pool[body]
	bodiesRare      []bodyRare       // by slot of body
	names           map[int32]string // of the bodies that have one, by slot
	shapes          store.Pool[shape]
	rowShapes       []rows.Shape // by slot of shape
	grounds         store.Pool[ground]
	chains          store.Pool[chain]
	contacts        store.Pool[contactState]
	manifolds       []contact.Manifold // by slot of contact, of those of two shapes
	bases           []narrow.Base      // of the manifolds that are kept
	contactEnds     store.Edges        // by slot of contact, in the lists of its bodies
	chosenAt        []uint64           // by slot of contact: 1 + the number of steps when a crowd last chose it
	surfaceContacts store.Pool[surfaceContact]
	materials       []Material
	surfaces        rows.Table // of the materials
	joints          joints
	bullets         int // number of bodies with continuous collision against dynamic bodies

	customFilter func(a, b Side) bool
	preSolve     func(*PreSolve)

	oneWays oneway.Ways // of the materials
	broad   *broad.Phase

	events  events
	scratch scratch
	solver  solve.Solver
	team    *team.Team
	workers []worker // of the team
	loops   loops
	profile Profile
	lapped  time.Time
	askers  store.Spare[asker] // of queries
}

// scratch is the working memory of a step, kept so that a warm step allocates nothing.
type scratch struct {
	pairs     []broad.Key      // of sensors
	awake     []int32          // bodies that the solver moves, in slot order
	sides     []sideOf         // of the contacts, by slot of body; zero for bodies not in awake
	kinematic []int32          // indices in awake of the kinematic bodies
	manifolds rows.List        // of the solver
	dt        float64          // of the step
	movers    []ccd.Motion     // motions of the moving kinematic bodies
	advanced  []advanced       // outcomes of the stage advance, by index in awake
	motions   []ccd.Motion     // motions of the bodies in awake, if there are bullets
	movedFar  []int32          // indices in awake of the bodies that moved far
	fast      ccd.Fast         // motions that may pass a sensor
	touched   []int32          // sleeping bodies that awake bodies touch
	woken     []int32          // bodies that woke in this step
	stack     []int32          // bodies to wake
	islands   island.Islands   // of the bodies, by solverIndex
	outcomes  []contactOutcome // to be applied
	masses    []geom.Mass      // of a body's shapes
}

// NewWorld returns an empty world. It panics if a field of c is out of range; the message names
// the field, its value and its range.
func NewWorld(c Config) *World {
	c.complete("NewWorld")
	w := &World{
		config:    c,
		materials: []Material{defaultMaterial},
		broad:     broad.NewPhase(c.CellSize),
	}
	w.makeTeam()
	w.surfaces.Set(0, defaultMaterial.surface("NewWorld"))
	return w
}

// Step advances the world by dt seconds, usually 1/60. A constant dt gives the steadiest stacks.
// Step panics if dt is not in (0, 1]. In a step above a quarter of a second, a body that turns
// much may pass thin static shapes; use several short steps instead.
func (w *World) Step(dt float64) {
	w.mustNotStep()
	if !(dt > 0 && dt <= 1) {
		check.Refuse("Step", "dt", dt, "more than 0 and at most 1 second")
	}
	dt = max(dt, 1e-30) // the inverse of a much shorter step overflows the solver's float32
	w.stepping = true
	if w.config.Workers > 0 || w.moving.Count()+w.active.Count() >= fewestShared {
		w.team.Begin()
		defer w.team.End()
	}
	p := &w.profile
	w.lap(&p.Step)
	began := w.lapped
	w.events.clear()
	w.findPairs()
	w.lap(&p.Pairs)
	w.updateContacts()
	w.lap(&p.Narrow)
	w.listAwake(dt)
	w.solve(dt)
	w.lap(&p.Solve)
	w.moveKinematic()
	w.advance()
	w.commit(dt)
	w.lap(&p.Advance)
	w.sense()
	w.lap(&p.Sensors)
	w.sleepIslands(dt)
	w.lap(&p.Sleep)
	p.Step = w.lapped.Sub(began)
	w.steps++
	w.time += dt
	w.stepping = false
	if checkRecords != nil {
		checkRecords(w)
	}
}

// checkRecords, if set, checks the world after each step; see invariants.go.
var checkRecords func(*World)

// StepCount returns the number of steps made.
func (w *World) StepCount() uint64 { return w.steps }

// mustNotStep panics if w cannot be changed: during Step, or if NewWorld did not make it.
func (w *World) mustNotStep() {
	w.mustBeMade()
	if w.stepping {
		panic("quarry: the world was changed during Step")
	}
}

// mustBeMade panics on a World that NewWorld did not make.
func (w *World) mustBeMade() {
	if w == nil || w.broad == nil {
		panic("quarry: a zero World was used: NewWorld makes one")
	}
}

// BodyID names a body: a slot and a generation. It is below 2^53, so that JSON and JavaScript keep
// it exactly, and names no other body until its slot has been freed 2^26 times. 0 names no body.
type BodyID uint64

// ShapeID, GroundID and ChainID name shapes, grounds and chains as BodyID names bodies.
type (
	ShapeID  uint64
	GroundID uint64
	ChainID  uint64
)
