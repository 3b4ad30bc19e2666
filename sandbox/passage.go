//go:build !js

package sandbox

import (
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/quarry2d/quarry/host"
)

const (
	// epochHeader tells in the answer to a WebSocket the epoch of the owner that serves it, to its end.
	epochHeader = "Quarry-Epoch"
	// ownerEach is the time after which a gateway looks again whether a host still owns the world of a WebSocket.
	ownerEach = 250 * time.Millisecond
)

// passages are the WebSockets that this host forwards. An owner that was deposed may not know it, and go on: no frame
// of an epoch comes to a player after this host has seen a later one.
type passages struct {
	mu     sync.Mutex
	epochs map[string]uint64 // the latest of each world
	open   map[*passage]bool
}

// passage is a WebSocket that is forwarded.
type passage struct {
	world, owner string
	epoch        uint64
	end          chan struct{} // closed when a later epoch is seen
}

// begin admits a WebSocket whose owner has told its epoch, or returns false if there was a later one.
func (s *passages) begin(p *passage) bool {
	p.end = make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.epoch < s.epochs[p.world] {
		return false
	}
	if s.open == nil {
		s.open, s.epochs = map[*passage]bool{}, map[string]uint64{}
	}
	s.epochs[p.world] = p.epoch
	for o := range s.open {
		if o.world == p.world && o.epoch < p.epoch {
			close(o.end)
			delete(s.open, o)
		}
	}
	s.open[p] = true
	return true
}

func (s *passages) finish(p *passage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, p)
}

// await waits until one side of a WebSocket has ended, a later epoch has begun, or another host owns the world.
func (p *passage) await(h *host.Host, done <-chan struct{}) {
	t := time.NewTicker(ownerEach)
	defer t.Stop()
	for {
		select {
		case <-done:
			return
		case <-p.end:
			return
		case <-t.C:
			if name, _, ok := h.Owner(p.world); ok && name != p.owner {
				return
			}
		}
	}
}

// epochOf returns the epoch that an owner has told.
func epochOf(r *http.Response) (uint64, error) {
	n, err := strconv.ParseUint(r.Header.Get(epochHeader), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("its answer has the epoch %.40q", r.Header.Get(epochHeader))
	}
	return n, nil
}
