package sandbox

import (
	"time"

	"github.com/quarry2d/quarry/play"
)

// owner makes the steps of a world and executes its commands in place of a sim, which shows the world: in hosted.go a
// package host, which has each command in a log before it is executed.
type owner interface {
	// tick is called 60 times a second. It returns the world, and the steps that it makes a tick if it is not paused.
	tick() (w *play.World, paused bool, rate float64)
	// work is called after commands were given.
	work()
	// give gives a command of a client, or of nobody. Its error is sent to the client later.
	give(c *client, m Command)
	// full reports whether too many commands were given and not yet executed.
	full() bool
	// leave ends what a player holds.
	leave(by play.Player)
	// abandon ends the world here after a panic of those who read it.
	abandon(why string)
}

// follow lets the owner make a step, and shows the world that it has then.
func (s *sim) follow() {
	began, took := time.Now(), startWatch()
	w, paused, rate := s.owner.tick()
	s.paused = paused
	if w != s.World {
		s.install(show(w), nil)
	}
	s.pace.rate = rate
	if s.tellStopped() || paused {
		return
	}
	s.took = time.Since(began)
	s.watch(took.elapsed())
}

// dismiss ends what a client holds.
func (s *sim) dismiss(c *client) {
	if s.hosted() {
		s.owner.leave(c.player)
		return
	}
	s.Leave(c.player)
}
