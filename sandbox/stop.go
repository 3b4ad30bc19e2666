package sandbox

import (
	"fmt"
	"runtime"
	"strings"
)

// try calls f, which reads or changes the present world. A panic in f stops the world, and try returns false: all
// clients are told, and the server goes on. doing says in the message what f does.
//
// A world in which a call panicked may be inconsistent. So a stopped world is neither stepped, edited nor read: its
// clients keep the last picture until one of them starts a scene.
func (s *sim) try(doing string, f func()) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			s.stop(fmt.Sprintf("%s failed: %s", doing, panicText(p)))
		}
	}()
	f()
	return true
}

// stop stops the present world and tells all clients the reason.
func (s *sim) stop(why string) {
	if s.stopped != "" {
		return
	}
	s.stopped = "the world has stopped: " + why + "; reset it or choose another scene"
	s.pending = 0
	s.change++
	for _, c := range s.clients {
		c.complain(fmt.Errorf("%s", s.stopped))
	}
	if s.log != nil {
		s.log("scene "+s.scene.Name, "stopped", why)
	}
}

// panicText describes the panic p in a deferred function: its value, and the place of the panic.
func panicText(p any) string {
	text := fmt.Sprint(p)
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	for inside := false; ; {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") {
			inside = inside || f.Function == "runtime.gopanic"
		} else if inside {
			return fmt.Sprintf("%.200s (%s:%d)", text, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return fmt.Sprintf("%.200s", text)
		}
	}
}
