package sandbox

import (
	"time"

	"github.com/quarry2d/quarry/play"
)

// owner makes the steps of a world and executes its commands in place of a sim, which shows the world: in hosted.go a
// package host, which has each command in a log before it is executed.
type owner interface {
	// tick is called 60 times a second. It returns the world, and its time.
	tick() (*play.World, worldTime)
	// work is called after commands were given, and when they are in the log. It reports whether some were answered.
	work() bool
	// late reports whether the last tick has left its step, and another need not wait.
	late() bool
	// give gives a command of a client, or of nobody. Its error is sent to the client later. next is from ready or
	// back, of a command that needs it.
	give(c *client, m Command, next any)
	// ready builds the world with which a command goes on: a snapshot's, or if that is nil a scene's that finds
	// finds. It may be called from any goroutine.
	ready(m Command, snapshot []byte) built
	// finds reports whether the owner finds a scene.
	finds(scene string) bool
	// back returns what goes back to a state, which was filled so many times when its snapshot was made. It may be
	// called from any goroutine.
	back(s *play.Saved, filled uint64, snapshot []byte) (next any, err error)
	// full reports whether too many commands were given and not yet executed.
	full() bool
	// leave ends what a player holds.
	leave(by play.Player)
	// abandon ends the world here after a panic of those who read it, so that it is read from its log again. It does
	// nothing, and returns false, if that has not helped lately.
	abandon(why string) bool
}

// worldTime is how the time of a world of an owner passes.
type worldTime struct {
	paused  bool
	repeats bool
	rate    float64 // steps a tick if it is not paused
}

// follow lets the owner make a step, and shows the world that it has then.
func (s *sim) follow() {
	began, took, before := time.Now(), startWatch(), s.Steps()
	w, t := s.owner.tick()
	s.see(w, t)
	if s.tellStopped() {
		return
	}
	if w.Steps() != before {
		s.took = time.Since(began)
		s.watch(took.elapsed())
	}
	if !t.paused {
		s.startAgain(began)
	}
	if len(s.clients) > 0 {
		s.reel.look(w)
	} else {
		s.reel = reel{most: s.past} // nobody is there to go back
	}
}

// see shows the world of the owner, and how its time passes.
func (s *sim) see(w *play.World, t worldTime) {
	if s.paused != t.paused { // where the log is slow, that comes without a step
		s.paused = t.paused
		s.asked++
	}
	if w != s.World {
		s.install(show(w), originOf(w))
	}
	s.pace.rate, s.pace.repeats = t.rate, t.repeats
}

// heed does what need not wait for the next tick: commands that are in the log of the owner are answered, and a step
// that had to wait for them is made.
func (s *sim) heed() {
	w := startWatch()
	if s.owner.work() {
		s.tell()
	}
	s.note(&w)
	if s.owner.late() {
		s.tick()
	}
}

// originOf returns the state with which a world begins that is no scene's, for a reset.
func originOf(w *play.World) []byte {
	if w.Scene().Build != nil {
		return nil
	}
	b, _ := w.AppendSnapshot(nil) // a world that has stopped has none
	return b
}

// goOn goes on with the world of a snapshot, which load returns on another goroutine, for a command of c.
func (s *sim) goOn(c *client, m Command, load func() ([]byte, error)) {
	hosted, owner, scenes := s.hosted(), s.owner, s.config.Scenes
	s.build(c, func() built {
		b, err := load()
		switch {
		case err != nil:
			return built{err: err}
		case hosted:
			return owner.ready(m, b)
		}
		return restored(b, scenes)
	})
}

// dismiss ends what a client holds.
func (s *sim) dismiss(c *client) {
	if s.hosted() {
		s.owner.leave(c.player)
		return
	}
	s.Leave(c.player)
}
