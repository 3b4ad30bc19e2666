package quarry

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
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
	// SleepSpeed is the speed of its fastest point below which a body is at rest, in units of length a second, 1e-9
	// to 400; 0 means 0.05. BodyDef.SleepSpeed replaces it for one body. A slow body is not at rest while forces
	// change its velocity steadily, as at the top of a throw, or while a belt, a motor or a kinematic body moves it.
	SleepSpeed float64
	// SleepTime is the time for which all bodies of an island must be at rest before it falls asleep, in
	// seconds: 1e-9 to 1e6; 0 means 0.5.
	SleepTime float64
	// MaxSpeed is the highest speed of a body, in units of length a second: 1e-9 to the
	// constant MaxSpeed, which 0 stands for.
	MaxSpeed float64
	// HitSpeed is the smallest speed of approach that World.Hits reports, in units of length a second:
	// 1e-9 to 400; 0 means 1.
	HitSpeed float64
	// BounceSpeed is the speed of approach below which restitution does not act, in units of length a
	// second: 1e-9 to 400; 0 means 1. With less, resting stacks of bouncy bodies tremble.
	BounceSpeed float64
	// PushRate is the rate at which the overlap of two moving bodies decays, in 1/second, 0.01 to 60; 0 means 6.2.
	// The overlap with static and kinematic bodies decays three times as fast. The frequency of the contacts'
	// springs follows SubSteps; see docs/solver.md.
	PushRate float64
	// PushSpeed is the highest speed at which overlap is pushed apart, in units of length a second:
	// 1e-9 to 400; 0 means 3. If it is not well above SleepSpeed, bodies may fall asleep with an overlap of up
	// to 0.05. With less than 0.02 or more than 15, World.Crushed may miss thin bodies that are stuck.
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

// MaxSpeed, 400, is the highest speed of a body, in units of length a second, unless Config.MaxSpeed is
// lower. Faster bodies are slowed to it in each sub-step, and at the end of the step.
const MaxSpeed = state.MaxSpeed

// World holds bodies, grounds, contacts and the simulated time. NewWorld makes one: the zero
// World has no bodies and no events, and its Step, changes and queries panic. A World is not safe
// for concurrent use, except that queries may run concurrently between steps.
type World struct {
	state state.World

	customFilter func(a, b Side) bool
	preSolve     func(*PreSolve)
	log          replay.Log // of Record, or nil

	events    events
	stages    step.Stages                // of a step, with their memory
	preSolves []PreSolve                 // by worker: the argument of the pre-solve function
	moves     func(worker, from, to int) // setMoves, made once, so that a step allocates nothing
	profile   Profile
	lapped    time.Time
	askers    pool.Spare[asker] // of queries
	parts     []gridseg.Part    // of a ground, in breakGrounds
	joint     joint.Joint       // memory of setters, so that they allocate none
}

// NewWorld returns an empty world. It panics if a field of c is out of range; the message names
// the field, its value and its range.
func NewWorld(c Config) *World {
	w := &World{}
	w.state.Begin("NewWorld", state.Config(c), defaultMaterial.record())
	w.state.Game = (*game)(w)
	w.moves = w.setMoves
	w.makeTeam()
	return w
}

// Config returns the configuration, with zeros replaced by the values that they stand for.
func (w *World) Config() Config { return Config(w.state.Config) }

// SetConfig changes the configuration from the next step on, with zeros as in NewWorld, and wakes every body unless
// only Workers and Profile differ. It panics if a field is out of range, or if CellSize is neither 0 nor the one of
// NewWorld. To change one field:
//
//	c := w.Config()
//	c.HitSpeed = 5
//	w.SetConfig(c)
func (w *World) SetConfig(c Config) {
	replay.Call1(w.recorder(w), "World.SetConfig", replay.OfWorld, c)
	if c.CellSize == 0 {
		c.CellSize = w.state.Config.CellSize
	}
	to := state.Config(c)
	to.Complete("SetConfig")
	if to.CellSize != w.state.Config.CellSize {
		check.Refuse("SetConfig", "Config.CellSize", to.CellSize, fmt.Sprintf("%v, that of NewWorld, or 0",
			w.state.Config.CellSize))
	}
	old := w.state.Config
	if w.state.Config = to; to.Workers != old.Workers {
		w.makeTeam()
	}
	old.Workers, old.Profile = to.Workers, to.Profile
	if old != to {
		w.state.WakeAll()
	}
}

// Gravity returns the world's gravity.
func (w *World) Gravity() geom.Vec { return w.state.Config.Gravity }

// SetGravity changes the gravity from the next step on, and wakes every body, unless g is the present gravity. It
// panics if a coordinate of g is NaN or beyond 1e15.
func (w *World) SetGravity(g geom.Vec) {
	replay.Call1(w.recorder(w), "World.SetGravity", replay.OfWorld, g)
	check.VecWithin("SetGravity", "g", g, state.MaxInput)
	if g == w.state.Config.Gravity {
		return
	}
	w.state.Config.Gravity = g
	w.state.WakeAll()
}

// StepCount returns the number of steps made.
func (w *World) StepCount() uint64 { return w.state.Steps }

// mustNotStep panics if w cannot be changed: during Step, or if NewWorld did not make it.
func (w *World) mustNotStep() {
	w.mustBeMade()
	if w.state.Stepping {
		panic("quarry: " + exportedCaller() + " was called during Step, or after a Step that panicked: change the " +
			"world between steps")
	}
}

// exportedCaller returns the name of the method or function of this package that the game called, such as
// "World.AddBody": the outermost of those that call each other, as Dig calls Subtract.
func exportedCaller() string {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	called, of := "a method", ""
	for {
		f, more := frames.Next()
		pkg, name, _ := strings.Cut(f.Function[strings.LastIndexByte(f.Function, '/')+1:], ".")
		if of == "" {
			of = pkg
		}
		if pkg != of {
			return called
		}
		name = strings.NewReplacer("(*", "", ")", "").Replace(name)
		if method := name[strings.LastIndexByte(name, '.')+1:]; method != "" && method[0] >= 'A' && method[0] <= 'Z' {
			called = name
		}
		if !more {
			return called
		}
	}
}

// recorder returns the log, nil unless w is being recorded, of a call that is about to change w. It panics if w
// cannot be changed. Its argument is evaluated but not used: the method get of a view panics if the object was
// removed.
func (w *World) recorder(any) replay.Log {
	w.mustNotStep()
	return w.log
}

// mustBeMade panics on a World that NewWorld did not make.
func (w *World) mustBeMade() {
	if w == nil || w.state.Broad == nil {
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
