package sandbox

import (
	"net"
	"net/http"
	"sync"
)

// maxConns is the most connections that are not WebSockets of a listening server: they load
// the page, wait for its next request, or send nothing.
const maxConns = 128

// conns are the connections that are not WebSockets, oldest first. When there are too
// many, the oldest is closed, so that silent connections do not lock others out.
type conns struct {
	mu      sync.Mutex
	list    []net.Conn
	refused *refusals
}

// state is for http.Server.ConnState.
func (s *conns) state(c net.Conn, to http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch to {
	case http.StateNew:
		if len(s.list) >= maxConns {
			oldest := s.list[0]
			s.list = append(s.list[:0], s.list[1:]...)
			s.refused.tell(oldest.RemoteAddr().String(), "cut off", "it is the oldest of too many connections")
			oldest.Close()
		}
		s.list = append(s.list, c)
	case http.StateHijacked, http.StateClosed:
		for i := range s.list {
			if s.list[i] == c {
				s.list = append(s.list[:i], s.list[i+1:]...)
				break
			}
		}
	}
}
