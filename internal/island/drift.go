package island

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/store"
)

// Drift tells whether forces that do not cancel change the velocity of a slow body. It averages the velocity twice, so
// that the difference of the two averages is the mean acceleration of the last steps: the errors of the solver, which
// change their direction from step to step, cancel in it. A body that comes to rest has such an acceleration, too, but
// an earlier one: so the velocity drifts only as long as that of the last step keeps up with the mean.
//
// The zero Drift is that of a body that is not slow.
type Drift struct {
	Mean, Twice [3]float32 // of the velocity, and of the speed of the farthest point by the spin
}

// Limits of a Drift. Piles swing a little before they come to rest: with a fifth of driftChange, a pyramid of 10 boxes
// sleeps after 1.5 s instead of 1.1, and a house of cards after 2.4 instead of 1.7.
const (
	driftMemory = 0.5 // of each mean, of the time to sleep
	driftChange = 0.2 // least change of the velocity in the time to sleep, of the speed of rest
	driftNow    = 0.5 // least acceleration of the last step along the mean, of the mean
)

// DriftShare is the share of the time to sleep that a body with a drift keeps.
const DriftShare = 0.9

// Begin begins the averages of a body that has become slow, with the velocity v, and the speed turn by its spin.
func (d *Drift) Begin(v geom.Vec, turn float64) {
	d.Mean = [3]float32{float32(v.X), float32(v.Y), float32(turn)}
	d.Twice = d.Mean
}

// Note averages the velocity after a step of dt seconds; from is that before the step. turn and fromTurn are the speeds
// by the spin. sleepTime is the time to sleep, and least the speed of rest. Note reports whether the velocity drifts.
func (d *Drift) Note(v, from geom.Vec, turn, fromTurn, dt, sleepTime, least float64) bool {
	now := [3]float64{v.X, v.Y, turn}
	before := [3]float64{from.X, from.Y, fromTurn}
	memory := driftMemory * sleepTime
	k := float32(min(1, dt/memory))
	square, along := 0.0, 0.0
	for i := range now {
		d.Mean[i] += float32(k * (float32(now[i]) - d.Mean[i]))
		d.Twice[i] += float32(k * (d.Mean[i] - d.Twice[i]))
		a := float64(d.Mean[i]-d.Twice[i]) / memory
		square += float64(a * a)
		along += float64(a * ((now[i] - before[i]) / dt))
	}
	limit := driftChange * least / sleepTime
	return square > limit*limit && along > driftNow*square
}

// Visit visits d.
func (d *Drift) Visit(c *store.Codec) {
	for i := range d.Mean {
		c.Singles(&d.Mean[i], &d.Twice[i])
	}
}
