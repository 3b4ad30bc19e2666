package sandbox

import (
	"errors"
	"math"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/play"
)

const (
	// maxGiven bounds the commands that were given and not yet executed.
	maxGiven = host.MaxInputs
	// unknownCost is the cost of a command of a kind that was not executed yet.
	unknownCost = time.Millisecond
)

// given are the commands that the owner was given, and has not executed yet.
type given struct {
	slow     bool // the owner appends them beside the loop; else it executes them at once
	count    int
	owed     time.Duration            // that they may take
	costs    map[string]time.Duration // of a command, by what it does: the longest lately
	held     map[play.Player]bool     // players who gave a command
	answered bool                     // a command was, since the last work
}

// full keeps the time of the commands of a record as short as that of the commands of a tick.
func (g *given) full() bool { return g.count >= maxGiven || g.owed >= obeyTime }

// dismiss ends the drag, the stroke and the drive of a player.
func (s *sim) dismiss(by play.Player) {
	if s.given.held[by] {
		delete(s.given.held, by)
		for _, do := range []string{"release", "leave"} {
			in := host.Input{Player: by, Op: host.Do, Command: play.Command{Do: do}}
			s.given.do(s.owner, in, func(host.Answer) {})
		}
	}
}

// do gives an input.
func (g *given) do(o owner, in host.Input, answer func(host.Answer)) {
	if o.Do(in, answer); !g.slow {
		o.Work()
	}
}

// give gives a command of a client, or of nobody, as an input. Its error is sent to the client later.
func (s *sim) give(c *client, m Command, in host.Input) {
	g, undoes, taken := &s.given, m.Do == "undo" || m.Do == "redo", 0
	if c != nil {
		in.Player = c.player
		g.held[c.player] = true
		c.undoes = c.undoes || undoes
		taken = c.taken
	}
	cost := g.costs[m.Do]
	if cost == 0 {
		cost = unknownCost
	}
	g.count, g.owed = g.count+1, g.owed+cost
	g.do(s.owner, in, func(a host.Answer) {
		g.count, g.owed, g.answered = g.count-1, g.owed-cost, true
		g.costs[m.Do] = max(a.Took, g.costs[m.Do]*15/16, leastUsed*time.Microsecond)
		if in.Op == host.Start || in.Op == host.Begin {
			s.begun(c, m, a)
		}
		s.see()
		if c == nil {
			return
		}
		if g.slow { // else it is in the time of obeyAll
			c.used += int(a.Took.Microseconds())
		}
		if undoes {
			c.undoes = false
			if a.Text == "" && s.Unfinished(c.player) {
				c.next, c.waiting = request{command: m}, true // the other cells of the edit
			}
		}
		if a.Text != "" && !s.tellStopped() {
			c.fail(taken, errors.New(a.Text))
		}
	})
}

// begun ends the start of another world for a client.
func (s *sim) begun(c *client, m Command, a host.Answer) {
	w := s.owner.Play()
	if m.Do == "rewind" && a.Code == host.Applied {
		if w != s.World { // the state was of a world before
			s.install(w, s.origin)
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
