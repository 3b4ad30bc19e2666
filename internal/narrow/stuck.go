package narrow

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/pool"
)

// StuckState tells how a shape is stuck in a surface. The narrow phase finds a state in each step (Outcome); a
// contact keeps Held, Pinched and Between (Memory).
type StuckState uint8

const (
	Free     StuckState = iota
	Held                // in solid static ground with no way out
	Carried             // as Held, in ground that is not static: the shape moves along with the ground
	Leaving             // pushed out through the nearest surface
	Escaping            // pushed to a free spot, through the ground
	Pinched             // deep between opposed faces, and not pushed out
	Between             // deep between this surface and another
)

// PushesOut reports whether the contact pushes the shape out.
func (s StuckState) PushesOut() bool { return s == Leaving || s == Escaping }

// IsPinched reports whether the shape is between surfaces that push it apart: it has no friction and a cap on its
// speed.
func (s StuckState) IsPinched() bool { return s >= Pinched }

// A shape deep between surfaces without a free spot near is pushed back and forth for ever, or
// held. It is reported as crushed after StuckTime, in seconds, without moving farther than
// stuckReach, in units of length, times the Pace of the world: a shape on its way out moves farther. (StuckTime
// must be less than state.SleepTime, the default time after which an island falls asleep.)
const (
	StuckTime  = 1.0 / 3
	stuckReach = 0.25
)

// Stuck is the state of a shape in a surface, and for how long the shape has been stuck at a place. The zero value is
// for a shape that is not stuck.
type Stuck struct {
	State    StuckState
	at       geom.Vec // its centroid, in the frame of the surface
	since    float64  // 1 + the world's time, 0: it is not stuck
	reported bool
}

// Update records at the world's time now whether the shape, with its centroid at p, is stuck, in a world of the given
// Pace. It reports whether the shape has been stuck for StuckTime; the caller then calls Restart or SetReported.
func (t *Stuck) Update(stuck bool, p geom.Vec, now, pace float64) (due bool) {
	switch {
	case !stuck:
		if t.since != 0 {
			t.at, t.since, t.reported = geom.Vec{}, 0, false
		}
	case t.since == 0 || !t.reported && t.at.Dist(p) > stuckReach*pace:
		t.at, t.since, t.reported = p, 1+now, false
	default:
		return !t.reported && 1+now-t.since >= StuckTime
	}
	return false
}

// Timed reports whether the shape was stuck in the step before.
func (t *Stuck) Timed() bool { return t.since != 0 }

// Idle reports whether the shape neither is nor was stuck in the step before.
func (t *Stuck) Idle() bool { return t.State == Free && !t.Timed() }

// Reported reports whether the shape was reported as stuck, and is still.
func (t *Stuck) Reported() bool { return t.reported }

// Restart lets the time begin again.
func (t *Stuck) Restart(now float64) { t.since = 1 + now }

// SetReported records that the shape was reported as crushed. It is not reported again until it has been free.
func (t *Stuck) SetReported() { t.reported = true }

// Visit visits t. A snapshot has a flag for each of three states (Between is Pinched, too), since versions 1 to 3
// have them.
func (t *Stuck) Visit(c *pool.Codec) {
	c.Floats(&t.at.X, &t.at.Y)
	c.Positive(&t.since)
	c.Flag(&t.reported)
	held, pinched, between := t.State == Held, t.State.IsPinched(), t.State == Between
	if c.Flags(new(uint8), 0, &held, &pinched, &between); !c.Reading() {
		return
	}
	switch {
	case held:
		t.State = Held
	case between:
		t.State = Between
	case pinched:
		t.State = Pinched
	}
}
