package host

import (
	"time"

	"github.com/quarry2d/quarry/play"
)

// Local is a world without a log, which ends with its process, as in a page without a server. Make one with NewLocal.
// Its methods are called on one goroutine, but for Ready.
type Local struct{ course }

// NewLocal returns the world of a record Birth, of which Scene, World, Paused and MaxBodies count. If its scene cannot
// be built the world has stopped. NewLocal returns an error if World cannot be read.
func NewLocal(birth Record, find Finder) (*Local, error) {
	birth.Kind = Birth
	s, err := newState(&birth, find)
	return &Local{course{state: s}}, err
}

// Tick makes the steps of a tick. It returns true.
func (w *Local) Tick() bool {
	began := time.Now()
	w.advance(0, func() time.Duration { return time.Since(began) }, func(time.Duration, error) {})
	return true
}

// Work does nothing: no input waits.
func (w *Local) Work() {}

// Woken returns nil, a channel that never receives.
func (w *Local) Woken() <-chan struct{} { return nil }

// Late returns false: no step does.
func (w *Local) Late() bool { return false }

// Do applies an input, and calls answer before it returns.
func (w *Local) Do(in Input, answer func(Answer)) { answer(w.state.apply(&in)) }

// Back returns what makes an input Begin with a state of the present world; see World.Back.
func (w *Local) Back(s *play.Saved) (func() (Input, error), error) {
	in := Input{Op: Begin, built: &built{saved: s, filled: s.Filled()}}
	return func() (Input, error) { return in, nil }, nil
}

// Abandon stops the world after a failure of a reader.
func (w *Local) Abandon(why string) { w.state.world.Stop(why) }
