package quarry

import (
	"fmt"
	"time"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/island"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/store"
	"github.com/quarry2d/quarry/internal/team"
)

// Config configures a world. The zero value is a world without gravity, with four sub-steps a
// step, in which resting bodies fall asleep. World.SetConfig changes it later.
type Config struct {
	// Gravity is the acceleration of every dynamic body, in units of length a second squared,
	// up to 1e15 in each coordinate. (0, -10) is common.
	Gravity geom.Vec
	// SubSteps is the number of sub-steps in a step, 1 to 64; 0 means 4. More sub-steps make
	// tall stacks and heavy loads stiffer, at a cost in proportion.
	SubSteps int
	// NoSleep keeps every body awake.
	NoSleep bool
	// SleepSpeed is the speed below which a body is at rest, in units of length a second, of its fastest
	// point: above 0, at most 400; 0 means 0.05. BodyDef.SleepSpeed is that of one body.
	SleepSpeed float64
	// SleepTime is the time for which all bodies of an island must be at rest before it falls asleep, in
	// seconds: above 0, at most 1e6; 0 means 0.5.
	SleepTime float64
	// MaxSpeed is the highest speed of a body, in units of length a second: above 0, at most the
	// constant MaxSpeed; 0 means that.
	MaxSpeed float64
	// HitSpeed is the least speed of approach that World.Hits reports, in units of length a second:
	// above 0, at most 400; 0 means 1.
	HitSpeed float64
	// BounceSpeed is the speed of approach below which restitution does not act, in units of length a
	// second: above 0, at most 400; 0 means 1. With less, resting stacks of bouncy bodies tremble.
	BounceSpeed float64
	// PushRate is the rate at which the overlap of two bodies that move decays, 1 a second, 0.01 to 60;
	// 0 means 6.2. With static and kinematic bodies it is three times that. The frequency of the
	// contacts' springs follows SubSteps; see docs/solver.md.
	PushRate float64
	// PushSpeed is the highest speed at which overlap is pushed apart, in units of length a second:
	// above 0, at most 400; 0 means 3.
	PushSpeed float64
	// CellSize is the side of the finest cell of the broad phase, in units of length,
	// grid.MinCellSize to grid.MaxCellSize; 0 means 1. The size of the most common body is best.
	CellSize float64
	// Workers is the number of goroutines that a step uses, 1 to 64; 0 means the number of processors, but
	// at most one for each 500 awake bodies and contacts. It has no effect on the results.
	Workers int
	// Profile measures the stages of each step; see World.Profile.
	Profile bool
}

// maxSubSteps and maxWorkers are the largest Config.SubSteps and Config.Workers.
const maxSubSteps, maxWorkers = 64, 64

// MaxSpeed is the highest speed of a body, in units of length a second, unless Config.MaxSpeed is
// lower. Faster bodies are slowed to it in each sub-step, and at the end of the step.
const MaxSpeed = 400.0

// The tuning constants. They assume sizes of 0.1 to 20 units of length and times in seconds. A
// change of one changes all scenes.
const (
	// aabbMargin is the largest margin of a box in the broad phase, in units of length: small
	// motion changes no box. A shape has marginFraction of its extent, and at least leastMargin.
	aabbMargin     = 0.1
	leastMargin    = 0.03
	marginFraction = 0.25
	// pushSpeed is the speed at which shapes in solid ground or pinched leave it, in units of length a second.
	pushSpeed = depenetrate.PushSpeed
)

// World holds bodies, grounds, contacts and the simulated time. NewWorld makes one: the zero
// World has no bodies and no events, and its Step, changes and queries panic. A World is not safe
// for concurrent use, except that queries may run concurrently between steps.
type World struct {
	state
	stepping bool

	customFilter func(a, b Side) bool
	preSolve     func(*PreSolve)
	log          *record.Log // of Record, or nil

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

// state is all that decides how a world goes on, and so all that a snapshot holds, with the events that the next
// step will report: see World.visit.
type state struct {
	config          Config
	steps           uint64
	time            float64    // simulated, in seconds
	worldBody       BodyID     // the static body of grounds and chains that name no body; 0 until used
	held            int        // contacts with a shape held in solid ground
	moving          store.Bits // bodies that may move in the next step; listAwake removes those at rest
	active          store.Bits // contacts of those, and more; updateContacts removes those of bodies at rest
	bodies          store.Pool[body]
	bodiesRare      []bodyRare       // by slot of body
	locked          store.Bits       // bodies with lockX or lockY
	names           map[int32]string // of the bodies that have one, by slot
	shapes          store.Pool[shape]
	rowShapes       []rows.Shape // by slot of shape
	grounds         store.Pool[ground]
	torn            store.Bits // grounds that may have parts that have come off
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

	oneWays   oneway.Ways // of the materials
	strengths []float64   // of the materials, by id up to the last that has one; made anew by a change
	broad     *broad.Phase
}

// scratch is the working memory of a step, kept so that a warm step allocates nothing.
type scratch struct {
	pairs     []broad.Key                // of sensors
	awake     []int32                    // bodies that the solver moves, in slot order
	sides     []sideOf                   // of the contacts, by slot of body; zero for bodies not in awake
	kinematic []int32                    // indices in awake of the kinematic bodies
	tiled     []int32                    // indices in awake of the dynamic bodies with grounds
	manifolds rows.List                  // of the solver
	dt        float64                    // of the step
	locked    []int32                    // bodies of the solver's last joints, which are locks
	movers    []ccd.Motion               // motions of the moving kinematic bodies, and of the bodies in tiled
	advanced  []advanced                 // outcomes of the stage advance, by index in awake
	motions   []ccd.Motion               // motions of the bodies in awake, if there are bullets
	effects   team.Lists[effect]         // of the commit
	passing   team.Lists[ccd.Motion]     // motions that may pass a sensor
	movedFar  []int32                    // indices in awake of the bodies that moved far
	fast      ccd.Fast                   // motions that may pass a sensor
	touched   []int32                    // sleeping bodies that awake bodies touch
	woken     []int32                    // bodies that woke in this step
	stack     []int32                    // bodies to wake
	islands   island.Islands             // of the bodies, by solverIndex
	outcomes  team.Lists[contactOutcome] // to be applied
	masses    []geom.Mass                // of a body's shapes and tiles
	moments   []gridseg.Moments
	parts     []gridseg.Part
}

// NewWorld returns an empty world. It panics if a field of c is out of range; the message names
// the field, its value and its range.
func NewWorld(c Config) *World {
	c.complete("NewWorld")
	w := &World{state: state{
		config:    c,
		materials: []Material{defaultMaterial},
		broad:     broad.NewPhase(c.CellSize),
	}}
	w.makeTeam()
	w.surfaces.Set(0, defaultMaterial.surface("NewWorld"))
	return w
}

// usualConfig holds the values for fields that are 0.
var usualConfig = Config{
	SubSteps: 4, CellSize: 1, MaxSpeed: MaxSpeed, HitSpeed: 1, BounceSpeed: 1, PushRate: 6.2, PushSpeed: pushSpeed,
	SleepSpeed: 0.05, SleepTime: island.SleepTime,
}

// tunables returns the fields whose 0 means another value, with their names and ranges.
func (c *Config) tunables() [8]tunable {
	const above = 1e-9
	return [...]tunable{
		{"CellSize", &c.CellSize, grid.MinCellSize, grid.MaxCellSize},
		{"MaxSpeed", &c.MaxSpeed, above, MaxSpeed},
		{"HitSpeed", &c.HitSpeed, above, MaxSpeed},
		{"BounceSpeed", &c.BounceSpeed, above, MaxSpeed},
		{"PushRate", &c.PushRate, 0.01, 60},
		{"PushSpeed", &c.PushSpeed, above, MaxSpeed},
		{"SleepSpeed", &c.SleepSpeed, above, MaxSpeed},
		{"SleepTime", &c.SleepTime, above, 1e6},
	}
}

type tunable struct {
	name   string
	value  *float64
	lo, hi float64
}

// complete sets the fields that are 0 and mean another value to that. It panics if a field of c, an
// argument of call, is out of range.
func (c *Config) complete(call string) {
	if c.SubSteps == 0 {
		c.SubSteps = usualConfig.SubSteps
	}
	check.Within(call, "Config.SubSteps", float64(c.SubSteps), 1, maxSubSteps, ", or 0 for 4")
	check.Within(call, "Config.Workers", float64(c.Workers), 0, maxWorkers, "")
	check.VecWithin(call, "Config.Gravity", c.Gravity, maxInput)
	usual := usualConfig.tunables()
	for k, f := range c.tunables() {
		if *f.value == 0 {
			*f.value = *usual[k].value
		}
		check.Within(call, "Config."+f.name, *f.value, f.lo, f.hi, fmt.Sprintf(", or 0 for %v", *usual[k].value))
	}
}

// Config returns the configuration, with the values that zeros stand for.
func (w *World) Config() Config { return w.config }

// SetConfig changes the configuration from the next step on, with zeros as in NewWorld, and wakes every
// body unless only Workers and Profile differ. It panics if a field is out of range, or if CellSize, other
// than 0, differs from the world's, which is that of NewWorld for good. To change one field:
//
//	c := w.Config()
//	c.HitSpeed = 5
//	w.SetConfig(c)
func (w *World) SetConfig(c Config) {
	record.Call1(w.recorder(w), "World.SetConfig", record.OfWorld, c)
	if c.CellSize == 0 {
		c.CellSize = w.config.CellSize
	}
	c.complete("SetConfig")
	if c.CellSize != w.config.CellSize {
		check.Refuse("SetConfig", "Config.CellSize", c.CellSize, fmt.Sprintf("%v, that of NewWorld, or 0", w.config.CellSize))
	}
	old := w.config
	if w.config = c; c.Workers != old.Workers {
		w.makeTeam()
	}
	old.Workers, old.Profile = c.Workers, c.Profile
	if old != c {
		w.wakeAll()
	}
}

// Gravity returns the world's gravity.
func (w *World) Gravity() geom.Vec { return w.config.Gravity }

// SetGravity changes the gravity from the next step on, and wakes every body. It panics if a
// coordinate of g is NaN or beyond 1e15.
func (w *World) SetGravity(g geom.Vec) {
	record.Call1(w.recorder(w), "World.SetGravity", record.OfWorld, g)
	check.VecWithin("SetGravity", "g", g, maxInput)
	w.config.Gravity = g
	w.wakeAll()
}

// Step advances the world by dt seconds, usually 1/60. A constant dt gives the steadiest stacks.
// Step panics if dt is not in (0, 1]. In a step above a quarter of a second, a body that turns
// much may pass thin static shapes; use several short steps instead.
func (w *World) Step(dt float64) {
	record.Call1(w.recorder(w), "World.Step", record.OfWorld, dt)
	if !(dt > 0 && dt <= 1) {
		check.Refuse("Step", "dt", dt, "more than 0 and at most 1 second")
	}
	dt = max(dt, 1e-30) // the inverse of a much shorter step overflows the solver's float32
	w.stepping = true
	workers := w.config.Workers
	if workers == 0 {
		workers = (w.moving.Count() + w.active.Count()) / shareOfWorker
	}
	w.team.BeginSome(workers)
	defer w.team.End()
	p := &w.profile
	w.lap(&p.Step)
	began := w.lapped
	w.events.clear()
	w.breakGrounds()
	w.findPairs()
	w.lap(&p.Pairs)
	w.updateContacts()
	w.lap(&p.Narrow)
	w.listAwake(dt)
	w.solve(dt)
	w.lap(&p.Solve)
	w.moveKinematic()
	w.planGrounds(dt)
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
	w.log.Stepped()
	if checkRecords != nil {
		checkRecords(w)
	}
}

// checkRecords, if set, checks the world after each step; see invariants_test.go.
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

// recorder returns the log, nil unless w is being recorded, of a call that is about to change w. It panics if w cannot be
// changed. The argument is only evaluated: get of a view panics if its thing was removed.
func (w *World) recorder(any) *record.Log {
	w.mustNotStep()
	return w.log
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
