package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	// maxClients is the most WebSockets that a server has at once.
	maxClients = 64
	// replaceAfter is the time without a message or a pong after which a client may be cut
	// off to admit another when the server is full. It is longer than pingEvery: a client
	// that only watches a paused world sends nothing but pongs.
	replaceAfter = 10 * time.Second
	// pingEvery is the time between two pings of a client, pongWithin the time that it
	// has to answer.
	pingEvery  = 5 * time.Second
	pongWithin = 20 * time.Second
)

// clients are the WebSockets of a server.
type clients struct {
	silence time.Duration // replaceAfter, but in tests
	mu      sync.Mutex
	list    []*client
}

// admit adds c to the list. When the server has maxClients already, the client that was
// silent longest is taken off, if that was for replaceAfter at least, and returned as out for
// the caller to hang up. Otherwise ok is false, and c is not admitted.
func (s *clients) admit(c *client) (out *client, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) >= maxClients {
		k := 0
		for i := range s.list {
			if s.list[i].heard.Load() < s.list[k].heard.Load() {
				k = i
			}
		}
		if time.Now().UnixNano()-s.list[k].heard.Load() < int64(s.silence) {
			return nil, false
		}
		out = s.list[k]
		s.list = append(s.list[:k], s.list[k+1:]...)
	}
	s.list = append(s.list, c)
	return out, true
}

// dismiss takes c off the list, if it is still on it.
func (s *clients) dismiss(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.list {
		if s.list[i] == c {
			s.list = append(s.list[:i], s.list[i+1:]...)
			return
		}
	}
}

// pings find connections whose other end has gone without a close.
type pings struct{ every, within time.Duration }

// watch pings until ctx ends, and then returns nil; an error says that there was no
// answer. It calls heard after each pong.
func (p pings) watch(ctx context.Context, conn *websocket.Conn, heard func()) error {
	t := time.NewTicker(p.every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
		limit, cancel := context.WithTimeout(ctx, p.within)
		err := conn.Ping(limit)
		late := limit.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && late:
			return fmt.Errorf("it did not answer a ping within %v", p.within)
		case err != nil:
			return nil // the connection has ended: its reader sees it, too
		}
		heard()
	}
}
