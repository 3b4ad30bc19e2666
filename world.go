package quarry

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/solve"
)

// Config is how a world is made. The zero value is a world without gravity,
// four sub-steps a step, in which what rests falls asleep.
type Config struct {
	// Gravity is the acceleration of every dynamic body, in units of length a
	// second squared, up to 1e15 in each coordinate. The zero value is none;
	// (0, -10) is common.
	Gravity geom.Vec
	// SubSteps is into how many parts a step is cut, 1 to 64; 0 means 4. More
	// makes tall stacks and heavy loads stiffer, at a cost in proportion.
	SubSteps int
	// NoSleep keeps every body awake.
	NoSleep bool
	// CellSize is the side of the finest cell of the broad phase, in units of
	// length, grid.MinCellSize to grid.MaxCellSize; 0 means 1. About the size of
	// the most common body is best.
	CellSize float64
}

// maxSubSteps is the most that Config.SubSteps may be.
const maxSubSteps = 64

// MaxSpeed is the fastest that a body moves, in units of length a second:
// faster ones are slowed to it in each sub-step, and at the end of the step.
const MaxSpeed = 400.0

// The figures that the engine is tuned with. They assume sizes of 0.1 to 20
// units of length and times in seconds; change one and the scenes change.
const (
	// speculativeDistance is how far apart two surfaces may be and still get
	// a contact, which then only limits their approach. Four slops: less and
	// contacts flicker, more and corners are felt before they are met.
	speculativeDistance = 4 * geom.LinearSlop
	// aabbMargin is by how much a moving shape's box in the broad phase
	// outgrows it, so that small motion touches nothing there.
	aabbMargin = 0.1
	// contactHertz and contactDamping make a contact a stiff, overdamped
	// spring; the sub-step rate caps the frequency at a quarter of itself.
	contactHertz   = 30.0
	contactDamping = 10.0
	// pushSpeed is the fastest that overlap is pushed apart.
	pushSpeed = 3.0
	// bounceSpeed is the approach speed below which nothing bounces.
	bounceSpeed = 1.0
	// hitSpeed is the approach speed from which a contact is a hit event.
	hitSpeed = 1.0
	// sleepSpeed is the speed below which a body is at rest, and sleepTime
	// for how long an island must be, in seconds, to fall asleep.
	sleepSpeed = 0.05
	sleepTime  = 0.5
)

// World holds bodies, ground, contacts, and the time that has passed. NewWorld
// makes one: the zero World has no bodies and no events, and Step, every change and
// every query of it panic. A World is not safe for concurrent use, except that
// queries may run concurrently between steps.
type World struct {
	config          Config
	steps           uint64
	time            float64 // that has passed, in seconds
	stepping        bool
	worldBody       BodyID // the body that carries grounds and chains which name none; 0 until used
	held            int    // contacts that hold a body in solid ground
	jammed          bool   // a body was jammed in the last step
	crowded         bool   // there has been a crowd
	bodies          pool[body]
	shapes          pool[shape]
	grounds         pool[ground]
	chains          pool[chain]
	contacts        pool[contact]
	pairs           map[pairKey]int32 // slot of the contact of two shapes; looked up, never ranged
	materials       []Material
	oneWayMaterials int // materials that are one-way
	bullets         int // bodies that are swept against dynamic ones

	oneWayVersion uint64 // how often materials were added or changed
	broad         *grid.Grid
	sensorBoxes   *grid.Grid // of sensors; nil until there is one

	events  events
	scratch scratch
	solver  solve.Solver
}

// scratch is what a step works in, kept so that a warm step allocates nothing.
type scratch struct {
	moved        []proxy      // whose box in the broad phase is new or changed
	near         []grid.ID    // answers of the broad phase
	pairs        []pairKey    // pairs to make contacts of
	awake        []int32      // bodies that the solver moves, in slot order
	contactRefs  []int32      // contact slots, in the order of the solver's manifolds
	againstFixed []int32      // of those, the ones with a body that does not yield
	movers       []bodyMotion // the kinematic bodies that move
	motions      []bodyMotion // the ways of awake, if there are bullets
	bullets      []bullet     // the fast ones
	movedFar     []int32      // indices in awake of what moved far
	fastMotions  []bodyMotion // the motions that may pass a sensor
	fastIndex    []int32      // index in fast, or -1, by the index in the solver
	touched      []int32      // sleepers that something awake touches
	woken        []int32      // what woke in this step
	stack        []int32      // bodies to wake
	parent       []int32      // union-find over awake
	rest         []float64
	stays        []float64
	surface      surfaceQuery
	noContact    contact // of a shape with a ground that it is not near; see contactOn
	crowd        crowd
	chainFaces   chainFaces
}

// NewWorld returns an empty world. It panics when a field of c is out of range; the
// message names the field, its value and the range.
func NewWorld(c Config) *World {
	if c.SubSteps == 0 {
		c.SubSteps = 4
	}
	if c.CellSize == 0 {
		c.CellSize = 1
	}
	switch {
	case c.SubSteps < 1 || c.SubSteps > maxSubSteps:
		panic(outOfRange("NewWorld", "Config.SubSteps", c.SubSteps, fmt.Sprintf("1 to %d, or 0 for 4", maxSubSteps)))
	case !(c.CellSize >= grid.MinCellSize && c.CellSize <= grid.MaxCellSize):
		panic(outOfRange("NewWorld", "Config.CellSize", c.CellSize,
			fmt.Sprintf("%v to %v, or 0 for 1", grid.MinCellSize, grid.MaxCellSize)))
	}
	checkGravity("NewWorld", "Config.Gravity", c.Gravity)
	return &World{
		config:    c,
		pairs:     map[pairKey]int32{},
		materials: []Material{defaultMaterial},
		broad:     grid.NewHierarchical(c.CellSize),
	}
}

// Gravity returns the world's gravity.
func (w *World) Gravity() geom.Vec { return w.config.Gravity }

// SetGravity changes the gravity from the next step on, and wakes every body. It
// panics when a coordinate of g is NaN or beyond 1e15.
func (w *World) SetGravity(g geom.Vec) {
	w.mustNotStep()
	checkGravity("SetGravity", "g", g)
	w.config.Gravity = g
	w.wakeAll()
}

// Step moves the world on by dt seconds, 1/60 as a rule; the same dt each time
// gives the steadiest stacks. It panics when dt is not in (0, 1]. In steps above a
// quarter of a second, a body that turns much may get past static shapes that are
// thin; several short steps do better.
func (w *World) Step(dt float64) {
	w.mustNotStep()
	if !(dt > 0 && dt <= 1) {
		panic(outOfRange("Step", "dt", dt, "more than 0 and at most 1 second"))
	}
	dt = max(dt, leastStep)
	w.stepping = true
	w.events.clear()
	w.clearSteps()
	w.findPairs()
	w.updateContacts()
	w.listAwake()
	w.solve(dt)
	w.moveBodies(dt)
	w.sense()
	w.sleepIslands(dt)
	w.steps++
	w.time += dt
	w.stepping = false
}

// leastStep (seconds) is what any shorter step is made: the solver's float32 has no
// inverse of much less.
const leastStep = 1e-30

// StepCount returns how many steps the world has made.
func (w *World) StepCount() uint64 { return w.steps }

// mustNotStep panics where w cannot be changed: during Step, and where NewWorld did
// not make it.
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

// checkGravity panics when g, an argument of call, cannot be a world's gravity.
func checkGravity(call, field string, g geom.Vec) {
	if !(math.Abs(g.X) <= maxInput && math.Abs(g.Y) <= maxInput) {
		panic(outOfRange(call, field, g, fmt.Sprintf("-%v to %v in each coordinate", maxInput, maxInput)))
	}
}

// checkFinite panics when x, the argument or field of call, is NaN or an infinity.
func checkFinite(call, field string, x float64) {
	if !isFinite(x) {
		panic(outOfRange(call, field, x, "finite"))
	}
}

// checkFiniteVec is checkFinite for both coordinates of v.
func checkFiniteVec(call, field string, v geom.Vec) {
	if !v.IsFinite() {
		panic(outOfRange(call, field, v, "finite"))
	}
}

// outOfRange returns the text of a panic: call got value for field, which must be as
// limit says.
func outOfRange(call, field string, value any, limit string) string {
	return fmt.Sprintf("quarry: %s: %s %v is out of range: it must be %s", call, field, value, limit)
}

// isFinite reports whether x is neither NaN nor an infinity.
func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
