package sandbox

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	// maxClients is how many WebSockets a server takes at once.
	maxClients = 64
	// replaceAfter is how long a client must have said nothing, not even
	// acknowledged a frame, to be cut off for another one when the server is full.
	replaceAfter = 5 * time.Second
	// pingEvery is how often a client is pinged, and pongWithin how long it may
	// take to answer.
	pingEvery  = 15 * time.Second
	pongWithin = 10 * time.Second
)

// clients are the WebSockets of a server.
type clients struct {
	silence time.Duration // replaceAfter, but in tests
	mu      sync.Mutex
	list    []*client
}

// admit takes c in. When there are maxClients already, the one that was silent longest
// goes, if it was for long enough: out is that, for the caller to hang up. Otherwise ok is
// false, and c stays out.
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

// dismiss takes c out, if it is still in.
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

// pings find connections whose other end is gone without a word.
type pings struct{ every, within time.Duration }

// watch pings until ctx ends, and then returns nil; an error says that there was no
// answer.
func (p pings) watch(ctx context.Context, conn *websocket.Conn) error {
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
	}
}
