//go:build !js

package sandbox

import (
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
)

// Serve runs a world of a host and shows it, in place of Run, until it does not run on this host any more; then it
// closes every WebSocket, and the page connects again. Config.Start, Paused, Keep and MaxBodies mean nothing then, and
// Worlds only if the host has no Shelf. Serve panics if it is called twice, or after Run.
func (s *Server) Serve(w *host.World) {
	if !s.running.CompareAndSwap(false, true) {
		panic("quarry: sandbox.Server.Serve called twice")
	}
	defer close(s.done)
	s.config.MaxBodies = w.Play().MaxBodies()
	if shelf := w.Shelf(); shelf != nil {
		s.library.Store(&library{shelf: shelf, scenes: s.config.Scenes})
	}
	o := &hosted{world: w, alive: true, held: map[play.Player]bool{}}
	v := &sim{
		config: s.config, log: s.refused.tell, busy: &s.busy, longStep: s.longStep, owner: o, library: s.library.Load(),
	}
	o.sim = v
	v.install(show(w.Play()), originOf(w.Play()))
	v.starts.know(w.Play())
	runtime.LockOSThread() // whose processor time a stopwatch reads
	defer runtime.UnlockOSThread()
	t := time.NewTicker(tick)
	defer t.Stop()
	for o.alive {
		select {
		case c := <-s.join:
			v.admit(c)
		case f := <-s.calls:
			f(v)
		case <-t.C:
			v.guarded()
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

// maxGiven bounds the commands that were given and not yet executed.
const maxGiven = host.MaxInputs

// hosted is a world of a host as the owner of a sim.
type hosted struct {
	sim   *sim
	world *host.World
	alive bool
	given int                  // and not yet executed
	held  map[play.Player]bool // players who gave a command
}

func (o *hosted) tick() (*play.World, worldTime) {
	o.alive = o.world.Tick()
	return o.world.Play(), worldTime{o.world.Paused(), o.world.Repeats(), o.world.Speed()}
}

func (o *hosted) pack(snapshot []byte) ([]byte, error) { return host.Pack(snapshot) }

func (o *hosted) work() { o.world.Work() }

func (o *hosted) full() bool { return o.given >= maxGiven }

func (o *hosted) abandon(why string) { o.world.Abandon(why) }

// leave ends the drag, the stroke and the drive of a player.
func (o *hosted) leave(by play.Player) {
	if o.held[by] {
		delete(o.held, by)
		for _, do := range []string{"release", "leave"} {
			o.world.Do(host.Input{Player: by, Op: host.Do, Command: play.Command{Do: do}}, func(host.Answer) {})
		}
	}
}

// give gives a command.
func (o *hosted) give(c *client, m Command, packed []byte) {
	in := inputOf(m)
	if packed != nil {
		in = host.Input{Op: host.Begin, World: packed}
	}
	if c != nil {
		in.Player = c.player
		o.held[c.player] = true
	}
	o.given++
	o.world.Do(in, func(a host.Answer) {
		o.given--
		if c == nil {
			return
		}
		c.used += int(a.Took.Microseconds())
		if in.Op == host.Start || in.Op == host.Begin {
			o.begun(c, m, a)
		}
		if a.Text != "" {
			c.complain(errors.New(a.Text))
		} else if (m.Do == "undo" || m.Do == "redo") && o.world.Play().Unfinished(c.player) {
			o.give(c, m, nil) // the other cells of the edit
		}
	})
}

// begun ends the start of another world for a client.
func (o *hosted) begun(c *client, m Command, a host.Answer) {
	s := o.sim
	if a.Code == host.Applied {
		s.went = m.Do == "rewind"
	}
	if s.starts.client != c {
		return
	}
	rested := s.starts.rested
	s.rest()
	if m.Do == "rewind" {
		s.starts.rested = rested // it has built no scene
	}
	s.starts.know(o.world.Play())
}

// inputOf returns the input of a command.
func inputOf(m Command) host.Input {
	switch m.Do {
	case "pause":
		return host.Input{Op: host.Pause}
	case "resume":
		return host.Input{Op: host.Resume}
	case "step":
		return host.Input{Op: host.Steps, N: m.N}
	case "repeat":
		in := host.Input{Op: host.Repeat}
		if m.All {
			in.N = 1
		}
		return in
	case "speed":
		return host.Input{Op: host.Speed, N: int(math.Round(m.Rate * host.NormalSpeed))}
	case "scene":
		return host.Input{Op: host.Start, Scene: m.Name}
	}
	return host.Input{Op: host.Do, Command: m.Command}
}

// hosted reports whether the world has an owner.
func (s *sim) hosted() bool  { return s.owner != nil }
func (r *reel) hosted() bool { return r.owner != nil }
