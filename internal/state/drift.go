package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// Drift tells whether forces that do not cancel change the velocity of a slow body steadily, as at the top of a throw:
// the acceleration of the last step is as in the steps before. A body that comes to rest slows down less and less,
// and the errors of the solver, by which a body of a pile trembles, differ from step to step. So the bound on the
// acceleration is far below both.
//
// The velocity is averaged twice. The difference of the two averages is the mean acceleration of the last steps, times
// the memory of an average. The zero Drift is a body that is not slow.
type Drift struct {
	Mean, Twice [3]float32 // of the velocity, and of the speed of the farthest point by the spin
}

// Limits of a Drift. With twice the driftMemory or 1.7 times driftError, pyramids sleep up to a second later; a
// hundredth of driftChange makes no difference to them.
const (
	driftMemory = 0.25  // of each average, of the time to sleep
	driftError  = 0.4   // most difference of the mean and the acceleration of a step, of the greater
	driftChange = 0.002 // smallest change of the velocity in the time to sleep, of the speed of rest
)

// DriftShare is the share of the time to sleep that a body with a drift keeps, so that one uneven step does not let it
// sleep.
const DriftShare = 0.9

// Begin begins the averages of a body that has become slow, with the velocity v, and the speed turn by its spin.
func (d *Drift) Begin(v geom.Vec, turn float64) {
	d.Mean = [3]float32{float32(v.X), float32(v.Y), float32(turn)}
	d.Twice = d.Mean
}

// Note averages the velocity v after a step of dt seconds; from is that before the step. turn and fromTurn are the
// speeds by the spin. sleepTime is the time to sleep, and smallest the speed of rest. Note reports whether the velocity
// drifts.
func (d *Drift) Note(v, from geom.Vec, turn, fromTurn, dt, sleepTime, least float64) bool {
	now := [3]float64{v.X, v.Y, turn}
	before := [3]float64{from.X, from.Y, fromTurn}
	memory := driftMemory * sleepTime
	k := min(1, dt/memory)
	meanSquare, lastSquare, apart := 0.0, 0.0, 0.0
	for i := range now {
		d.Mean[i] += float32(k * (now[i] - float64(d.Mean[i])))
		d.Twice[i] += float32(k * float64(d.Mean[i]-d.Twice[i]))
		mean := float64(d.Mean[i]-d.Twice[i]) / memory
		last := (now[i] - before[i]) / dt
		meanSquare += float64(mean * mean)
		lastSquare += float64(last * last)
		apart += float64((last - mean) * (last - mean))
	}
	least *= driftChange / sleepTime
	return meanSquare > least*least && apart < driftError*driftError*max(meanSquare, lastSquare)
}

// Visit visits d. A hash leaves out the zero Drift.
func (d *Drift) Visit(c *pool.Codec) {
	if c.Hashing() && *d == (Drift{}) {
		return
	}
	for i := range d.Mean {
		c.Singles(&d.Mean[i], &d.Twice[i])
	}
}
