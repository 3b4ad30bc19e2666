//go:build !js

package sandbox

import (
	"context"
	"runtime"
	"time"

	"github.com/quarry2d/quarry/host"
)

// Serve runs one of several worlds of a host and shows it, in place of Run, until it does not run on this host any
// more; then it closes every WebSocket, and the page connects again. Config.Start, Paused, Keep, MaxBodies and Worlds
// mean nothing then. Serve panics if it is called twice, or after Run.
func (s *Server) Serve(w *host.World) {
	if !s.running.CompareAndSwap(false, true) {
		panic("quarry: sandbox.Server.Serve called twice")
	}
	defer close(s.done)
	if shelf := w.Shelf(); shelf != nil {
		s.library.Store(&library{shelf: shelf, scenes: s.config.Scenes, call: s.call})
	}
	s.show(w, nil, hostedBytes, false)
}

// show runs and shows a world until it does not run here any more, or end is closed. past bounds the memory of past
// states; quick is that of host.Config.
func (s *Server) show(w owner, end <-chan struct{}, past int, quick bool) {
	c := s.config
	c.MaxBodies = w.Play().MaxBodies()
	v := simOf(w, sim{
		config: c, log: s.refused.tell, busy: &s.busy, longStep: s.longStep, library: s.library.Load(), past: past,
		given: given{slow: !quick}, left: &s.left,
	})
	if n := w.Play().Players(); n < host.FirstSession {
		v.joined = n // the edits of players so far are not those of later ones
	}
	runtime.LockOSThread() // whose processor time a stopwatch reads
	defer runtime.UnlockOSThread()
	t := time.NewTicker(tick)
	defer t.Stop()
	for v.alive {
		select {
		case <-end:
			return
		case c := <-s.join:
			v.admit(c)
		case f := <-s.calls:
			f(v)
		case <-t.C:
			v.guarded(v.tick)
		case <-w.Woken():
			v.guarded(v.heed)
		}
	}
}

// Wait waits until all WebSockets are closed after Serve, or until ctx ends.
func (s *Server) Wait(ctx context.Context) {
	closed := make(chan struct{})
	go func() { s.open.Wait(); close(closed) }()
	select {
	case <-closed:
	case <-ctx.Done():
	}
}
