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
	// work is called after commands were given.
	work()
	// give gives a command of a client, or of nobody. Its error is sent to the client later. packed is the state with
	// which a command goes on that needs one, from pack.
	give(c *client, m Command, packed []byte)
	// pack compresses a snapshot. It may be called from any goroutine.
	pack(snapshot []byte) ([]byte, error)
	// finds reports whether the owner finds a scene; else it goes on with a state.
	finds(scene string) bool
	// past bounds the memory of past states.
	past() int
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
	began, took := time.Now(), startWatch()
	w, t := s.owner.tick()
	if s.paused != t.paused { // where the log is slow, that comes without a step
		s.paused = t.paused
		s.asked++
	}
	if w != s.World {
		s.showNext(w)
	}
	s.pace.rate, s.pace.repeats = t.rate, t.repeats
	if s.tellStopped() {
		return
	}
	if !t.paused {
		s.took = time.Since(began)
		s.watch(took.elapsed())
		s.startAgain(began)
	}
	if len(s.clients) > 0 {
		s.reel.look(w)
	} else {
		s.reel = reel{owner: s.owner} // nobody is there to go back
	}
}

// showNext shows another world of the owner.
func (s *sim) showNext(w *play.World) {
	origin, r := s.origin, s.reel
	if !s.went {
		origin = originOf(w)
	}
	s.install(show(w), origin)
	if s.went {
		s.reel = r
		s.reel.went(w)
	}
	s.went = false
}

// originOf returns the state with which a world begins that is no scene's, for a reset.
func originOf(w *play.World) []byte {
	if w.Scene().Build != nil {
		return nil
	}
	b, _ := w.AppendSnapshot(nil) // a world that has stopped has none
	return b
}

// goOn lets the owner go on with a state for a command of c, which load returns on another goroutine, packed.
func (s *sim) goOn(c *client, m Command, load func() ([]byte, error)) {
	s.build(c, func() built {
		b, err := load()
		return built{command: m, packed: b, err: err}
	})
}

// goOnWith is goOn with a snapshot.
func (s *sim) goOnWith(c *client, m Command, load func() ([]byte, error)) {
	owner, scenes := s.owner, s.config.Scenes
	s.build(c, func() (r built) {
		b, err := load()
		if err != nil {
			return built{err: err}
		}
		if r = restored(b, scenes); r.err == nil {
			r.packed, r.err = owner.pack(b)
		}
		r.command = m
		return r
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
