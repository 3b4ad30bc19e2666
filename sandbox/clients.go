package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	// maxClients bounds the WebSockets of a server at one time.
	maxClients = 64
	// replaceAfter is the time without a message or a pong after which a full server may drop a
	// client to admit another. It is longer than pingEvery, because a client that watches a paused
	// world sends only pongs.
	replaceAfter = 10 * time.Second
	// pingEvery is the time between two pings of a client; pongWithin is the time limit of the
	// answer.
	pingEvery  = 5 * time.Second
	pongWithin = 20 * time.Second
)

// clients are the WebSockets of a server.
type clients struct {
	silence time.Duration // replaceAfter; tests use less
	mu      sync.Mutex
	list    []*client
}

// admit adds c to the list. If the list has maxClients already, admit removes the client that was
// silent longest and returns it as out, for the caller to hang up; if no client was silent for
// replaceAfter, c is not admitted and ok is false.
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

// dismiss removes c from the list, if it is there.
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

// pings detect connections whose other end has disappeared without a close.
type pings struct{ every, within time.Duration }

// watch pings until ctx or the connection ends, and then returns nil. It calls heard after each
// pong, and returns an error if a pong does not come in time.
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
			return nil // the connection has ended; its reader gets the error too
		}
		heard()
	}
}
