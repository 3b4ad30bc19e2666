package depenetrate

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/store"
)

// A shape deep between surfaces without a free spot near is pushed back and forth for ever, or
// held. It is reported as crushed after StuckTime, in seconds, without moving farther than
// stuckReach, in units of length, times the Pace of the world: a shape on its way out moves farther. (StuckTime
// must be less than island.SleepTime, the default time after which an island falls asleep.)
const (
	StuckTime  = 1.0 / 3
	stuckReach = 0.25
)

// Timer measures how long a shape has been stuck at a place. The zero value is for a shape that is not stuck.
type Timer struct {
	at       geom.Vec // its centroid, in the frame of the surface
	since    float64  // 1 + the world's time, 0: it is not stuck
	reported bool
}

// Update records at the world's time now whether the shape, with its centroid at p, is stuck, in a world of the given
// Pace. It reports whether the shape has been stuck for StuckTime; the caller then calls Restart or SetReported.
func (t *Timer) Update(stuck bool, p geom.Vec, now, pace float64) (due bool) {
	switch {
	case !stuck:
		if t.since != 0 {
			*t = Timer{}
		}
	case t.since == 0 || !t.reported && t.at.Dist(p) > stuckReach*pace:
		*t = Timer{at: p, since: 1 + now}
	default:
		return !t.reported && 1+now-t.since >= StuckTime
	}
	return false
}

// Idle reports whether the shape was not stuck in the step before.
func (t *Timer) Idle() bool { return t.since == 0 }

// Reported reports whether the shape was reported as stuck, and is still.
func (t *Timer) Reported() bool { return t.reported }

// Restart lets the time begin again.
func (t *Timer) Restart(now float64) { t.since = 1 + now }

// SetReported records that the shape was reported as crushed. It is not reported again until it has been free.
func (t *Timer) SetReported() { t.reported = true }

// Visit visits t.
func (t *Timer) Visit(c *store.Codec) {
	c.Floats(&t.at.X, &t.at.Y)
	c.Positive(&t.since)
	c.Flag(&t.reported)
}
