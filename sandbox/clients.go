//go:build !js

package sandbox

import (
	"context"
	"fmt"
	"slices"
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
	// admitTimeout is the time for which a new client waits for the end of the one that it replaces: longer than
	// closeTimeout.
	admitTimeout = 3 * time.Second
)

// clients are the WebSockets of a server, at most maxClients. One that ends is counted until none of its goroutines
// runs.
type clients struct {
	silence time.Duration // replaceAfter; tests use less
	mu      sync.Mutex
	list    []*connection
}

// admit adds c to the list. If the list has maxClients already, admit ends the client that was silent longest,
// calls replaced with it, and waits for its end. It returns false if no client was silent for replaceAfter, or if
// none ended within admitTimeout.
func (s *clients) admit(c *connection, replaced func(*connection)) bool {
	late := time.NewTimer(admitTimeout)
	defer late.Stop()
	for {
		out, ok := s.add(c)
		if out == nil {
			return ok
		}
		if !out.ended() {
			replaced(out)
			out.hangUp(websocket.StatusTryAgainLater, "the sandbox is full, and this connection was silent longest")
		}
		select {
		case <-out.gone:
		case <-late.C:
			return false
		}
	}
}

// hangUp ends all clients.
func (s *clients) hangUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.list {
		c.hangUp(websocket.StatusGoingAway, "the world is read from its log again")
	}
}

// add adds c to the list if there is room. Otherwise out is the client to wait for: one that ends already, or the one
// that was silent longest, if it was silent for replaceAfter.
func (s *clients) add(c *connection) (out *connection, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.list) < maxClients {
		s.list = append(s.list, c)
		return nil, true
	}
	out = s.list[0]
	for _, other := range s.list {
		if other.ended() {
			return other, false
		}
		if other.heard.Load() < out.heard.Load() {
			out = other
		}
	}
	if time.Now().UnixNano()-out.heard.Load() < int64(s.silence) {
		return nil, false
	}
	return out, false
}

// dismiss removes c from the list, when its goroutines have ended.
func (s *clients) dismiss(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.list, c); i >= 0 {
		s.list = slices.Delete(s.list, i, i+1)
	}
	close(c.gone)
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
