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
	s.show(w, hostedBytes, false)
}

// show runs and shows a world of a host until it does not run there any more. past bounds the memory of past states;
// quick is that of host.Config.
func (s *Server) show(w *host.World, past int, quick bool) {
	c := s.config
	c.MaxBodies = w.Play().MaxBodies()
	if shelf := w.Shelf(); shelf != nil {
		s.library.Store(&library{shelf: shelf, scenes: c.Scenes})
	}
	o := &hosted{
		world: w, alive: true, quick: quick, left: &s.left,
		held: map[play.Player]bool{}, costs: map[string]time.Duration{},
	}
	v := &sim{
		config: c, log: s.refused.tell, busy: &s.busy, longStep: s.longStep, owner: o, library: s.library.Load(),
		past: past,
	}
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
	t := time.NewTicker(tick)
	defer t.Stop()
	for o.alive {
		select {
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

const (
	// maxGiven bounds the commands that were given and not yet executed.
	maxGiven = host.MaxInputs
	// unknownCost is the cost of a command of a kind that was not executed yet.
	unknownCost = time.Millisecond
)

// hosted is a world of a host as the owner of a sim.
type hosted struct {
	sim      *sim
	world    *host.World
	alive    bool
	quick    bool                     // what is given is executed at once
	left     *time.Time               // when the world was last abandoned
	given    int                      // and not yet executed
	answered bool                     // a command was, since the last work
	costs    map[string]time.Duration // of a command, by what it does: the longest lately
	owed     time.Duration            // that the given commands may take
	held     map[play.Player]bool     // players who gave a command
}

func (o *hosted) tick() (*play.World, worldTime) {
	o.alive = o.world.Tick()
	return o.now()
}

// now returns the world, and its time.
func (o *hosted) now() (*play.World, worldTime) {
	return o.world.Play(), worldTime{o.world.Paused(), o.world.Repeats(), o.world.Speed()}
}

func (o *hosted) work() bool {
	o.answered = false
	o.world.Work()
	return o.answered
}

func (o *hosted) late() bool { return o.world.Late() }

func (o *hosted) finds(scene string) bool { return o.world.Finds(scene) }

func (o *hosted) ready(m Command, snapshot []byte) built {
	in := inputOf(m)
	if snapshot != nil {
		b, err := host.Pack(snapshot)
		if err != nil {
			return built{err: err}
		}
		in = host.Input{Op: host.Begin, World: b}
	}
	r, err := o.world.Ready(in)
	if err != nil {
		return built{err: err}
	}
	return built{shown: show(r.World()), command: m, next: r}
}

func (o *hosted) back(s *play.Saved, filled uint64, snapshot []byte) (any, error) {
	return o.world.ReadyBack(s, filled, snapshot)
}

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
			o.do(host.Input{Player: by, Op: host.Do, Command: play.Command{Do: do}}, nil, func(host.Answer) {})
		}
	}
}

// do gives an input, or the one of next in its place.
func (o *hosted) do(in host.Input, next any, answer func(host.Answer)) {
	if r, ok := next.(*host.Ready); ok {
		o.world.DoReady(r, answer)
	} else {
		o.world.Do(in, answer)
	}
	if o.quick {
		o.world.Work()
	}
}

// give gives a command.
func (o *hosted) give(c *client, m Command, next any) {
	in, undoes := inputOf(m), m.Do == "undo" || m.Do == "redo"
	if c != nil {
		in.Player = c.player
		o.held[c.player] = true
		c.undoes = c.undoes || undoes
	}
	cost := o.costs[m.Do]
	if cost == 0 {
		cost = unknownCost
	}
	o.given, o.owed = o.given+1, o.owed+cost
	o.do(in, next, func(a host.Answer) {
		o.given, o.owed, o.answered = o.given-1, o.owed-cost, true
		o.costs[m.Do] = max(a.Took, o.costs[m.Do]*15/16, leastUsed*time.Microsecond)
		defer func() { o.sim.see(o.now()) }()
		if c == nil {
			return
		}
		if !o.quick { // then it is in the time of obeyAll
			c.used += int(a.Took.Microseconds())
		}
		if next != nil {
			o.begun(c, m, a)
		}
		if undoes {
			c.undoes = false
			if a.Text == "" && o.world.Play().Unfinished(c.player) {
				c.next, c.waiting = request{command: m}, true // the other cells of the edit
			}
		}
		if a.Text != "" {
			c.complain(errors.New(a.Text))
		}
	})
}

// begun ends the start of another world for a client.
func (o *hosted) begun(c *client, m Command, a host.Answer) {
	s, w := o.sim, o.world.Play()
	if m.Do == "rewind" && a.Code == host.Applied {
		if w != s.World { // the state was of a world before
			s.install(show(w), s.origin)
		}
		s.reel.went(w)
	}
	if s.starts.client != c {
		return
	}
	rested := s.starts.rested
	s.rest()
	if m.Do == "rewind" {
		s.starts.rested = rested // it has built no scene
	}
	s.starts.know(w)
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
func (s *sim) hosted() bool { return s.owner != nil }
