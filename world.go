package quarry

import (
	"fmt"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/store"
)

// Config configures a world. The zero value is a world without gravity, with four sub-steps a
// step, in which resting bodies fall asleep.
type Config struct {
	// Gravity is the acceleration of every dynamic body, in units of length a second squared,
	// up to 1e15 in each coordinate. (0, -10) is common.
	Gravity geom.Vec
	// SubSteps is the number of sub-steps in a step, 1 to 64; 0 means 4. More sub-steps make
	// tall stacks and heavy loads stiffer, at a cost in proportion.
	SubSteps int
	// NoSleep keeps every body awake.
	NoSleep bool
	// CellSize is the side of the finest cell of the broad phase, in units of length,
	// grid.MinCellSize to grid.MaxCellSize; 0 means 1. The size of the most common body is
	// best.
	CellSize float64
}

// maxSubSteps is the largest Config.SubSteps.
const maxSubSteps = 64

// MaxSpeed is the highest speed of a body, in units of length a second. Faster bodies are
// slowed to it in each sub-step, and at the end of the step.
const MaxSpeed = 400.0

// The tuning constants. They assume sizes of 0.1 to 20 units of length and times in seconds. A
// change of one changes all scenes.
const (
	// speculativeDistance is the distance of two surfaces, in units of length, up to which
	// they have a contact.
	speculativeDistance = contact.SpeculativeDistance
	// aabbMargin is the margin of a shape's box in the broad phase, in units of length:
	// small motion changes no box.
	aabbMargin = 0.1
	// contactHertz and contactDamping make a contact a stiff, overdamped spring. The
	// frequency is at most a quarter of the sub-step rate.
	contactHertz   = 30.0
	contactDamping = 10.0
	// pushSpeed is the highest speed at which overlap is pushed apart, in units of length a second.
	pushSpeed = depenetrate.PushSpeed
	// bounceSpeed is the approach speed below which restitution does not act.
	bounceSpeed = 1.0
	// hitSpeed is the least approach speed of a hit event.
	hitSpeed = 1.0
	// sleepSpeed is the speed below which a body is at rest, and sleepTime the time, in
	// seconds, for which an island must be at rest to fall asleep.
	sleepSpeed = 0.05
	sleepTime  = 0.5
)

// World holds bodies, grounds, contacts and the simulated time. NewWorld makes one: the zero
// World has no bodies and no events, and its Step, changes and queries panic. A World is not safe
// for concurrent use, except that queries may run concurrently between steps.
type World struct {
	config    Config
	steps     uint64
	time      float64 // simulated, in seconds
	stepping  bool
	worldBody BodyID // the static body of grounds and chains that name no body; 0 until used
	held      int    // contacts with a shape held in solid ground
	jammed    bool   // the last step had a jammed body
	crowded   bool   // some step has had a crowd
	bodies    store.Pool[body]
	shapes    store.Pool[shape]
	grounds   store.Pool[ground]
	chains    store.Pool[chain]
	contacts  store.Pool[contactState]
	pairs     map[pairKey]int32 // slot of the contact of a pair; looked up, never ranged over
	materials []Material
	bullets   int // number of bodies with continuous collision against dynamic bodies

	oneWays       []oneway.Direction // of the materials; nil: none is one-way
	oneWayVersion uint64             // number of additions and changes of materials
	broad         *grid.Grid
	sensorBoxes   *grid.Grid // of sensors; nil until there is one

	events  events
	scratch scratch
	solver  solve.Solver
}

// scratch is the working memory of a step, kept so that a warm step allocates nothing.
type scratch struct {
	moved        []proxy      // proxies whose box is new or changed
	near         []grid.ID    // results of the broad phase
	pairs        []pairKey    // pairs to add contacts for
	awake        []int32      // bodies that the solver moves, in slot order
	contactRefs  []int32      // contact slots, in the order of the solver's manifolds
	againstFixed []int32      // of those, the contacts with a static or kinematic body
	movers       []ccd.Motion // motions of the moving kinematic bodies
	advanced     []advanced   // outcomes of the stage advance, by index in awake
	mover        ccd.Mover    // the body that continuous collision has in work
	sweeper      ccd.Sweeper
	motions      []ccd.Motion    // motions of the bodies in awake, if there are bullets
	movedFar     []int32         // indices in awake of the bodies that moved far
	fastMotions  []ccd.Motion    // motions that may pass a sensor
	fastIndex    []int32         // index in fastMotions, or -1, by solverIndex
	touched      []int32         // sleeping bodies that awake bodies touch
	woken        []int32         // bodies that woke in this step
	stack        []int32         // bodies to wake
	islands      store.UnionFind // of indices in awake
	rest         []float64
	stays        []float64
	narrow       narrow.Scratch
	input        narrow.Input     // of the contact in work
	outcome      narrow.Outcome   // of the contact in work
	outcomes     []contactOutcome // to be applied
	stood        []gridseg.Cell   // one-way tiles under the contact in work
	oneWay       oneway.Query     // of the narrow phase
	sweep        oneway.Filter    // of continuous collision
	sweepQuery   oneway.Query     // of continuous collision
	noContact    contactState     // stands for the contact of a shape and a ground that it is not near; see contactOn
	crowd        crowd
	chainNear    []int32 // faces of a chain, for continuous collision
}

// NewWorld returns an empty world. It panics if a field of c is out of range; the message names
// the field, its value and its range.
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
	w := &World{
		config:    c,
		pairs:     map[pairKey]int32{},
		materials: []Material{defaultMaterial},
		broad:     grid.NewHierarchical(c.CellSize),
	}
	w.broad.Separate(inDynamic)
	return w
}

// Gravity returns the world's gravity.
func (w *World) Gravity() geom.Vec { return w.config.Gravity }

// SetGravity changes the gravity from the next step on, and wakes every body. It panics if a
// coordinate of g is NaN or beyond 1e15.
func (w *World) SetGravity(g geom.Vec) {
	w.mustNotStep()
	checkGravity("SetGravity", "g", g)
	w.config.Gravity = g
	w.wakeAll()
}

// Step advances the world by dt seconds, usually 1/60. A constant dt gives the steadiest stacks.
// Step panics if dt is not in (0, 1]. In a step above a quarter of a second, a body that turns
// much may pass thin static shapes; use several short steps instead.
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
	w.moveKinematic(dt)
	w.advance(dt)
	w.commit(dt)
	w.sense()
	w.sleepIslands(dt)
	w.steps++
	w.time += dt
	w.stepping = false
}

// leastStep is the shortest step, in seconds: the inverse of a much shorter one overflows the
// solver's float32. Shorter steps are lengthened to it.
const leastStep = 1e-30

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

// checkGravity panics if g, an argument of call, is out of range as a gravity.
func checkGravity(call, field string, g geom.Vec) {
	if !(math.Abs(g.X) <= maxInput && math.Abs(g.Y) <= maxInput) {
		panic(outOfRange(call, field, g, fmt.Sprintf("-%v to %v in each coordinate", maxInput, maxInput)))
	}
}

// checkFinite panics if x, an argument or field of call, is NaN or an infinity.
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

// outOfRange returns the text of a panic: call received value for field, outside the range that
// limit describes.
func outOfRange(call, field string, value any, limit string) string {
	return fmt.Sprintf("quarry: %s: %s %v is out of range: it must be %s", call, field, value, limit)
}

// isFinite reports whether x is neither NaN nor an infinity.
func isFinite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }
