package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// Costs of commands, in units of about a microsecond. A command costs commandCost, and in addition
// a painted cell costs 1, a stroke costs strokeCost and 1 for each cell that it may touch. A
// client's commands in one tick end when their costs reach tickBudget; its other commands wait for
// the next tick in a queue of limited length. While the queue is full, the client's messages are
// not read.
const (
	tickBudget  = MaxCells
	commandCost = 32
)

// obeyTime is the time limit for the commands of all clients in one tick. A command that exceeds it
// is finished; the others wait.
const obeyTime = tick / 4

// obeyAll executes the clients' commands up to a time limit, which is obeyTime. The next command is
// that with the least sum of its own cost and its client's recent cost. So a client of few commands
// waits for at most one command of another, however many the others send.
func (s *sim) obeyAll(limit time.Duration) {
	began := time.Now()
	s.finishStart()
	for _, c := range s.clients {
		c.used -= (c.used + 7) / 8
		c.spent = 0
	}
	for now := began; ; {
		c := s.nextUp(now)
		if c == nil {
			return
		}
		m := c.part()
		err := m.err
		if err == nil {
			err = s.do(c, m.command)
		}
		if err != nil && !m.told {
			c.complain(err)
			c.next.told = true // errors of the other parts are not sent
		}
		took := time.Since(now)
		now = now.Add(took)
		cost := m.command.cost()
		c.spent += cost
		c.used += max(cost, int(took.Microseconds()))
		if now.Sub(began) > limit {
			return
		}
	}
}

// partCells is the number of cells of a paint or erase that are edited at a time, in less than a
// millisecond. The other cells become the client's next command.
const partCells = 512

// part removes and returns the client's next command, or its first part.
func (c *client) part() request {
	m := c.next
	if n := 2 * partCells; len(m.command.Cells) > n {
		c.next.command.Cells = m.command.Cells[n:]
		m.command.Cells = m.command.Cells[:n]
	} else {
		c.next, c.waiting = request{}, false
	}
	return m
}

// nextUp returns the client whose command is executed next, or nil if no command is ready.
func (s *sim) nextUp(now time.Time) (next *client) {
	least := 0
	for _, c := range s.clients {
		if c.spent >= tickBudget {
			continue
		}
		if !c.waiting {
			select {
			case c.next = <-c.inbox:
				c.waiting = true
			default:
				continue
			}
		}
		if s.starts.waits(c, &c.next.command, now) {
			continue
		}
		if cost := c.used + c.next.command.cost(); next == nil || cost < least {
			next, least = c, cost
		}
	}
	return next
}

// do executes a command that DecodeCommand has accepted.
func (s *sim) do(c *client, m Command) error {
	s.change++
	switch m.Do {
	case "add":
		return s.add(m)
	case "remove":
		return s.remove(geom.V(m.X, m.Y))
	case "through":
		return s.through(m)
	case "paint", "erase":
		return s.edit(m)
	case "dig", "build":
		if m.All {
			return s.strokeAll(m)
		}
		return s.stroke(m)
	case "breaks":
		s.setBreaks(m.All)
	case "pause":
		s.paused, s.pending = true, 0
	case "resume":
		if err := s.resume("resume"); err != nil {
			return err
		}
		s.paused, s.pending = false, 0
	case "step":
		if !s.paused {
			return errors.New("step: the world is running; pause it first")
		}
		if err := s.resume("step"); err != nil {
			return err
		}
		s.pending = min(s.pending+m.N, MaxSteps)
	case "reset":
		return s.ask(c, s.scene)
	case "scene":
		sc, ok := find(s.config.Scenes, m.Name)
		if !ok {
			return fmt.Errorf("scene: there is no scene %.60q", m.Name)
		}
		return s.ask(c, sc)
	case "grab":
		return s.grab(c, m)
	case "release":
		s.release(c)
	case "join":
		return s.join(m)
	case "draw":
		c.draw(m)
	case "view":
		c.look(geom.V(m.X, m.Y))
	}
	return nil
}

func find(scenes []scene.Scene, name string) (scene.Scene, bool) {
	for _, sc := range scenes {
		if sc.Name == name {
			return sc, true
		}
	}
	return scene.Scene{}, false
}
