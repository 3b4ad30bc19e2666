package state

import (
	"cmp"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
)

// Config is quarry.Config: it has the same fields in the same order, so that one converts to the other.
type Config struct {
	Gravity     geom.Vec
	SubSteps    int
	NoSleep     bool
	SleepSpeed  float64
	SleepTime   float64
	MaxSpeed    float64
	HitSpeed    float64
	BounceSpeed float64
	PushRate    float64
	PushSpeed   float64
	CellSize    float64
	Workers     int
	Profile     bool
}

// MaxSpeed is the highest Config.MaxSpeed.
const MaxSpeed = 400.0

// MaxWorkers is the largest Config.Workers, maxSubSteps the largest Config.SubSteps.
const MaxWorkers, maxSubSteps = 64, 64

// numbers returns the fields of which 0 stands for a default.
func (c *Config) numbers() [8]check.Number {
	const above = 1e-9
	return [...]check.Number{
		{Name: "CellSize", Value: &c.CellSize, Least: grid.MinCellSize, Most: grid.MaxCellSize, Usual: 1},
		{Name: "MaxSpeed", Value: &c.MaxSpeed, Least: above, Most: MaxSpeed, Usual: MaxSpeed},
		{Name: "HitSpeed", Value: &c.HitSpeed, Least: above, Most: MaxSpeed, Usual: 1},
		{Name: "BounceSpeed", Value: &c.BounceSpeed, Least: above, Most: MaxSpeed, Usual: 1},
		{Name: "PushRate", Value: &c.PushRate, Least: 0.01, Most: 60, Usual: narrow.PushRate},
		{Name: "PushSpeed", Value: &c.PushSpeed, Least: above, Most: MaxSpeed, Usual: narrow.PushSpeed},
		{Name: "SleepSpeed", Value: &c.SleepSpeed, Least: above, Most: MaxSpeed, Usual: 0.05},
		{Name: "SleepTime", Value: &c.SleepTime, Least: above, Most: 1e6, Usual: SleepTime},
	}
}

// Complete replaces zeros by the defaults that they stand for. It panics if a field of c, an argument of call, is
// out of range.
func (c *Config) Complete(call string) {
	c.SubSteps = cmp.Or(c.SubSteps, 4)
	check.Within(call, "Config.SubSteps", float64(c.SubSteps), 1, maxSubSteps, ", or 0 for 4")
	check.Within(call, "Config.Workers", float64(c.Workers), 0, MaxWorkers, "")
	check.VecWithin(call, "Config.Gravity", c.Gravity, MaxInput)
	for _, n := range c.numbers() {
		n.Complete(call, "Config")
	}
}

// visit visits c, without Workers and Profile.
func (c *Config) visit(to *pool.Codec) {
	to.Vecs(&c.Gravity)
	pool.Up(to, &c.SubSteps, maxSubSteps)
	to.Float(&c.CellSize)
	to.Flag(&c.NoSleep)
	for k, n := range c.numbers() {
		if !to.Hashing() || n.Value != &c.CellSize {
			to.Number(rune(k)+1, &n)
		}
	}
}
