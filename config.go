package quarry

import (
	"fmt"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/island"
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
	// Workers is the number of goroutines that a step uses, 1 to 64; 0 means the number of processors,
	// in steps with enough to do. It has no effect on the results.
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
	w.mustNotStep()
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
	w.mustNotStep()
	check.VecWithin("SetGravity", "g", g, maxInput)
	w.config.Gravity = g
	w.wakeAll()
}
