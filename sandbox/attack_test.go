//go:build !js

package sandbox

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

// newSim is a paused world without a loop and without a log.
func newSim(sc scene.Scene) *sim {
	config := Config{Scenes: []scene.Scene{sc}, MaxBodies: 20_000}
	find := func(name string) (scene.Scene, bool) { return find(config.Scenes, name) }
	w, err := host.NewLocal(host.Record{Scene: sc.Name, Paused: true, MaxBodies: config.MaxBodies}, find)
	if err != nil {
		panic(err)
	}
	return simOf(w, sim{config: config, longStep: longStep, left: new(time.Time)})
}

// resume resumes the world.
func (s *sim) resume() { _ = give(s, nil, Command{Command: play.Command{Do: "resume"}}) }

// step makes a step.
func (s *sim) step() {
	_ = give(s, nil, Command{Command: play.Command{Do: "step"}, N: 1})
	s.follow()
}

// order executes a command of a client, and returns its error.
func (s *sim) order(c *client, m Command) error {
	c.errors, c.taken = c.errors[:0], c.taken+1
	err := s.do(c, m)
	if err == nil && len(c.errors) > 0 {
		err, c.errors = errors.New(c.errors[0]), c.errors[:0]
	}
	return err
}

// Clients whose commands each take a tick's whole time for commands take turns, with a
// step of the world between them.
func TestDearCommandsTakeTurns(t *testing.T) {
	s := newSim(pit)
	for range 4 {
		c := newClient()
		for range 2 {
			c.inbox <- request{command: Command{Command: play.Command{Do: "view"}}}
		}
		s.clients = append(s.clients, c)
	}
	for i := range 8 {
		s.obeyAll(-1) // one command, also by a coarse clock
		total := 0
		for k, c := range s.clients {
			left := len(c.inbox)
			if c.waiting {
				left++
			}
			total += left
			// The first four ticks go to the clients without any cost yet. After that the
			// order depends on measured times.
			if want := 2 - (i+4-k)/4; i < 4 && left != want {
				t.Errorf("tick %d: client %d waits with %d commands, want %d", i, k, left, want)
			}
		}
		if total != 7-i {
			t.Errorf("tick %d: %d commands wait, want %d", i, total, 7-i)
		}
	}
}

// The command of a client with few commands is next, however many others send and however
// long those have waited.
func TestLittleComesFirst(t *testing.T) {
	s := newSim(pit)
	cells := make([]int32, 2*play.MaxCells)
	for i := range cells[:play.MaxCells] {
		cells[2*i], cells[2*i+1] = int32(i%64), int32(20+i/64)
	}
	for range 63 {
		c := newClient()
		for k := range inboxLength {
			c.inbox <- request{command: Command{Command: play.Command{
				Do: [...]string{"paint", "erase"}[k%2], Shape: 1,
				Cells: cells,
			}}}
		}
		s.clients = append(s.clients, c)
	}
	hadNoTurn := func(c *client) bool {
		return len(c.inbox) == inboxLength || len(c.inbox) == inboxLength-1 && c.waiting
	}
	for slices.ContainsFunc(s.clients, hadNoTurn) {
		s.obeyAll(obeyTime) // a client without a turn has no cost yet, and would come first
	}
	little := newClient()
	s.clients = append(s.clients, little)
	for tick := range 20 {
		little.inbox <- request{command: Command{Command: play.Command{Do: "remove", X: -1000}}}
		if s.obeyAll(obeyTime); len(little.errors) != 1 {
			t.Fatalf("tick %d: the command waits", tick)
		}
		little.errors = little.errors[:0]
		little.used = min(little.used, leastUsed) // not the time for which the machine may have run something else
	}
}

// A client that has just connected does not come before a client of few commands. (Clients that connected again and
// again were first each time, and their commands took whole ticks.)
func TestNewcomersAreNotFirst(t *testing.T) {
	s := newSim(pit)
	connect := func() *client {
		c := newClient()
		s.admit(c)
		c.inbox <- request{command: Command{Command: play.Command{Do: "remove", X: -1000}}}
		return c
	}
	little := connect()
	for range 3 {
		connect().used = 8000
	}
	little.used = 80
	again := connect()
	if s.obeyAll(-1); len(little.errors) != 1 || len(again.errors) != 0 {
		t.Errorf("the client of few commands has %d answers, the newcomer %d", len(little.errors), len(again.errors))
	}
	if s.obeyAll(-1); len(again.errors) != 1 {
		t.Errorf("the newcomer, %d in use, does not come before those of many commands", again.used)
	}
}
