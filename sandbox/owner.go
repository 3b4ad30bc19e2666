package sandbox

import (
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
)

// owner makes the steps of a world and applies its inputs, for a sim, which shows the world: a host.World, which has
// each input in a log before it is applied, or a host.Local, which has no log.
type owner interface {
	Play() *play.World
	Paused() bool
	Repeats() bool
	Speed() float64
	Finds(scene string) bool
	Tick() bool
	Work()
	Late() bool
	Woken() <-chan struct{}
	Stepped(f func())
	Do(in host.Input, answer func(host.Answer))
	Ready(in host.Input) (host.Input, error)
	Back(s *play.Saved) (func() (host.Input, error), error)
	Abandon(why string)
}

// simOf returns what shows the world of an owner.
func simOf(o owner, s sim) *sim {
	v := &s
	v.owner, v.alive = o, true
	v.given.held, v.given.costs = map[play.Player]bool{}, map[string]time.Duration{}
	o.Stepped(func() {
		if o.Play() == v.World {
			v.report(true)
		}
	})
	v.see()
	v.starts.know(v.World)
	v.tellStopped()
	return v
}

// follow lets the owner make its steps, and shows the world that it has then.
func (s *sim) follow() {
	began, took, before := time.Now(), startWatch(), s.Steps()
	s.alive = s.owner.Tick()
	s.see()
	if s.tellStopped() {
		return
	}
	if s.Steps() != before {
		s.took = time.Since(began)
		s.watch(took.elapsed())
		s.reel.look(s.World)
	}
	if !s.paused {
		s.startAgain(began)
	}
	if len(s.clients) == 0 {
		s.reel = reel{most: s.past} // nobody is there to go back
	}
}

// see shows the world of the owner.
func (s *sim) see() {
	w, on := s.owner.Play(), s.owner.Paused()
	if s.shown == nil || w != s.World {
		s.paused = on
		s.install(w, originOf(w))
	} else if s.paused != on { // where the log is slow, that comes without a step
		s.paused = on
		s.asked++
	}
}

// heed does what need not wait for the next tick: commands that are in the log of the owner are answered, and a step
// that had to wait for them is made.
func (s *sim) heed() {
	w := startWatch()
	s.given.answered = false
	if s.owner.Work(); s.given.answered {
		s.tell()
	}
	s.note(&w)
	if s.owner.Late() {
		s.tick()
	}
}

// abandonRest is the least time between two abandonments of the world of a server.
const abandonRest = time.Minute

// abandon ends the world here after a panic of those who read it, so that it is read from its log again. It does
// nothing, and returns false, if that has not helped lately.
func (s *sim) abandon(why string) bool {
	now := time.Now()
	if now.Sub(*s.left) <= abandonRest {
		return false
	}
	*s.left = now
	s.owner.Abandon(why)
	return true
}
