package sandbox

import (
	"errors"
	"fmt"

	"github.com/quarry2d/quarry/play"
)

// try calls f, which reads the present world. A panic in f stops the world, unless its owner reads it from the log
// again, and try returns false. doing says in the message what f does. (A panic in a command or a step stops the world,
// too; see package play.)
//
// A stopped world is neither stepped, edited nor read: its clients keep the last picture until one of them starts a
// scene.
func (s *sim) try(doing string, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			why := fmt.Sprintf("%s failed: %s", doing, play.PanicText(p))
			if !s.abandon(why) {
				s.unread = why
			}
			s.tellStopped()
		}
	}()
	f()
	return true
}

// stoppedText is the message to clients of a world that has stopped.
func stoppedText(why string) string {
	return "the world has stopped: " + why + "; reset it or choose another scene"
}

// tellStopped reports whether the present world has stopped, and tells all clients, once.
func (s *sim) tellStopped() bool {
	why := s.Stopped()
	if why == "" || s.told {
		return why != ""
	}
	s.told = true
	s.asked++
	for _, c := range s.clients {
		c.complain(errors.New(stoppedText(why)))
	}
	if s.log != nil {
		s.log("scene "+s.Scene().Name, "stopped", why)
	}
	return true
}
