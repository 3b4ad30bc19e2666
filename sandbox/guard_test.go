//go:build !js

package sandbox

import (
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/play"
)

// A world is paused after one long step while several clients are connected: they are told the limit, nothing is added
// to it, and it cannot be resumed for pauseTime. A client alone may run it. (It took a fifth of a second of excess, and
// only a world of 4,096 bodies and contacts was paused: bodies in solid ground and ground that broke were not.)
func TestOneLongStepPausesASharedWorld(t *testing.T) {
	s := newSim(pit)
	a, b := newClient(), newClient()
	a.idle.Store(false) // the errors stay where the test reads them
	s.resume()
	s.clients = []*client{a}
	s.watch(time.Hour)
	if s.tick(); s.paused || s.Steps() != 1 {
		t.Fatalf("one client: paused %v after %d steps", s.paused, s.Steps())
	}
	s.clients = append(s.clients, b)
	s.watch(longStep)
	if s.tick(); s.paused || s.Steps() != 2 {
		t.Fatalf("a step at the limit: paused %v after %d steps", s.paused, s.Steps())
	}
	const half = "add: a step took 50 ms, the limit is 25 ms while several clients are connected"
	s.watch(longStep)
	if err := s.order(a, Command{Command: play.Command{Do: "add", Kind: "box", Size: 1, Y: 5}}); err == nil ||
		!strings.Contains(err.Error(), half) {
		t.Errorf("an addition after a step of more than half the limit: %v", err)
	}
	if err := s.order(a, Command{Command: play.Command{Do: "resume"}}); err != nil {
		t.Errorf("after a step at the limit: %v", err)
	}
	s.watch(longStep + time.Millisecond)
	const told = "a step took 51 ms, the limit is 50 ms while several clients are connected"
	if s.tick(); !s.paused || s.Steps() != 2 || len(a.errors) != 1 || !strings.Contains(a.errors[0], told) {
		t.Fatalf("a long step: paused %v after %d steps, told %q", s.paused, s.Steps(), a.errors)
	}
	for _, m := range []play.Command{
		{Do: "resume"},
		{Do: "step"},
		{Do: "add", Kind: "box", Size: 1, Y: 5},
		{Do: "paint", Shape: 1, Cells: []int32{0, 9}},
		{Do: "build", Radius: 1},
		{Do: "breaks", All: true},
		{Do: "join", Kind: "weld"},
	} {
		if err := s.order(a, Command{Command: m, N: 1}); err == nil || !strings.Contains(err.Error(), m.Do+": "+told) {
			t.Errorf("%s: %v", m.Do, err)
		}
	}
	for _, m := range []play.Command{{Do: "erase", Cells: []int32{0, -1}}, {Do: "remove", Y: 0.5}} {
		if err := s.order(a, Command{Command: m, N: 1}); err != nil {
			t.Error(err)
		}
	}
	s.guard.until = time.Time{} // as if time had passed
	if err := s.order(a, Command{Command: play.Command{Do: "step"}, N: 1}); err != nil {
		t.Error(err)
	}
	s.tick()
	if err := s.order(a, Command{Command: play.Command{Do: "add", Kind: "box", Size: 1, Y: 5}}); err != nil ||
		s.Steps() != 3 {
		t.Errorf("after a short step: %v, %d steps", err, s.Steps())
	}
	s.watch(time.Hour)
	s.clients = s.clients[:1]
	if err := s.order(a, Command{Command: play.Command{Do: "resume"}}); err != nil {
		t.Error(err)
	}
	if s.tick(); s.paused || s.Steps() != 4 {
		t.Errorf("alone again: paused %v after %d steps", s.paused, s.Steps())
	}
}

// Work is measured by the processor time of this process where it is less than the time on the clock.
func TestStopwatch(t *testing.T) {
	w := startWatch()
	if w.cpu == 0 {
		return // the system does not tell
	}
	w.wall = w.wall.Add(-time.Hour)
	if d := w.elapsed(); d < 0 || d > time.Minute {
		t.Errorf("%v after an hour in which this process did nothing", d)
	}
}
