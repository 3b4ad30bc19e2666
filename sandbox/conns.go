//go:build !js

package sandbox

import (
	"fmt"
	"net"
	"net/http"
	"sync"
)

// maxConns bounds the connections of a listening server that are not WebSockets. They load the
// page, wait for the next request, or send nothing.
const maxConns = 128

// conns are the connections that are not WebSockets, oldest first. When there are maxConns, a new
// connection closes the oldest, so that silent connections do not lock others out.
type conns struct {
	mu      sync.Mutex
	list    []net.Conn
	refused *refusals
}

// state is the hook http.Server.ConnState.
func (s *conns) state(c net.Conn, to http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch to {
	case http.StateNew:
		if len(s.list) >= maxConns {
			oldest := s.list[0]
			s.list = append(s.list[:0], s.list[1:]...)
			s.refused.tell(oldest.RemoteAddr().String(), "dropped",
				fmt.Sprintf("it is the oldest of %d connections, the limit", maxConns))
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
