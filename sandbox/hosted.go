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

// Serve runs one of several worlds of a host and shows it, in place of Run, until it does not run on this host any
// more; then it closes every WebSocket, and the page connects again. Config.Start, Paused, Keep, MaxBodies and Worlds
// mean nothing then. Serve panics if it is called twice, or after Run.
func (s *Server) Serve(w *host.World) {
	if !s.running.CompareAndSwap(false, true) {
		panic("quarry: sandbox.Server.Serve called twice")
	}
	defer close(s.done)
	s.show(w, hostedBytes)
}

// show runs and shows a world of a host until it does not run there any more. past bounds the memory of past states.
func (s *Server) show(w *host.World, past int) {
	c := s.config
	c.MaxBodies = w.Play().MaxBodies()
	if shelf := w.Shelf(); shelf != nil {
		s.library.Store(&library{shelf: shelf, scenes: c.Scenes})
	}
	o := &hosted{
		world: w, alive: true, held: map[play.Player]bool{}, costs: map[string]time.Duration{}, most: past,
		left: &s.left,
	}
	v := &sim{config: c, log: s.refused.tell, busy: &s.busy, longStep: s.longStep, owner: o, library: s.library.Load()}
	o.sim = v
	w.Stepped(func() {
		if w.Play() == v.World {
			v.report(true)
		}
	})
	if n := w.Play().Players(); n < host.FirstSession {
		v.joined = n // the edits of players so far are not those of later ones
	}
	v.install(show(w.Play()), originOf(w.Play()))
	v.starts.know(w.Play())
	v.tellStopped()
	runtime.LockOSThread() // whose processor time a stopwatch reads
	defer runtime.UnlockOSThread()
	every := tick
	t := time.NewTicker(every)
	defer t.Stop()
	for ticked := time.Now(); o.alive; {
		if now := tick / time.Duration(1+min(1, len(v.clients))); now != every {
			every = now // with clients, obey comes between two ticks
			t.Reset(every)
		}
		select {
		case c := <-s.join:
			v.admit(c)
		case f := <-s.calls:
			f(v)
		case now := <-t.C:
			if now.Sub(ticked) < tick*3/4 {
				v.obey()
				continue
			}
			ticked = now
			v.tick()
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

const (
	// maxGiven bounds the commands that were given and not yet executed.
	maxGiven = host.MaxInputs
	// unknownCost is the cost of a command of a kind that was not executed yet.
	unknownCost = time.Millisecond
)

// hosted is a world of a host as the owner of a sim.
type hosted struct {
	sim   *sim
	world *host.World
	alive bool
	left  *time.Time               // when the world was last abandoned
	given int                      // and not yet executed
	costs map[string]time.Duration // of a command, by what it does: the longest lately
	owed  time.Duration            // that the given commands may take
	held  map[play.Player]bool     // players who gave a command
	most  int                      // bytes of past states
}

func (o *hosted) tick() (*play.World, worldTime) {
	o.alive = o.world.Tick()
	return o.world.Play(), worldTime{o.world.Paused(), o.world.Repeats(), o.world.Speed()}
}

func (o *hosted) pack(snapshot []byte) ([]byte, error) { return host.Pack(snapshot) }

func (o *hosted) work() { o.world.Work() }

func (o *hosted) finds(scene string) bool { return o.world.Finds(scene) }

func (o *hosted) past() int { return o.most }

// full keeps the time of the commands of a record as short as that of a sim's in a tick.
func (o *hosted) full() bool { return o.given >= maxGiven || o.owed >= obeyTime }

// abandonRest is the least time between two abandonments of the world of a server.
const abandonRest = time.Minute

func (o *hosted) abandon(why string) bool {
	if now := time.Now(); now.Sub(*o.left) > abandonRest {
		*o.left = now
		o.world.Abandon(why)
		return true
	}
	return false
}

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
	undoes := m.Do == "undo" || m.Do == "redo"
	cost := o.costs[m.Do]
	if cost == 0 {
		cost = unknownCost
	}
	o.given, o.owed = o.given+1, o.owed+cost
	o.world.Do(in, func(a host.Answer) {
		o.given, o.owed = o.given-1, o.owed-cost
		o.costs[m.Do] = max(a.Took, o.costs[m.Do]*15/16, leastUsed*time.Microsecond)
		if c == nil {
			return
		}
		c.undoes = false
		c.used += int(a.Took.Microseconds())
		if in.Op == host.Start || in.Op == host.Begin {
			o.begun(c, m, a)
		}
		if a.Text != "" {
			c.complain(errors.New(a.Text))
		} else if undoes && o.world.Play().Unfinished(c.player) {
			o.give(c, m, nil) // the other cells of the edit
		}
	})
	if c != nil && undoes {
		c.undoes = true
	}
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
