package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// Costs of commands; the unit is about a microsecond. A cell to paint costs 1, a stroke
// strokeCost and 1 for each cell that it may touch, and each command commandCost in
// addition. The commands of one client in one tick end when their costs reach tickBudget;
// the others wait for the next tick in a queue of bounded length. While the queue is full,
// the client's messages are not read.
const (
	tickBudget  = MaxCells
	commandCost = 32
)

// obeyTime is the time for the commands of all clients in one tick. The command that
// passes it is finished; the others wait.
const obeyTime = tick / 4

// obeyAll carries out the clients' commands for a time of limit, which is obeyTime. The next
// command is always that of the client whose recent cost, with the command's, is least: a
// client of few commands waits for one command of another at most, however many others send.
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
			c.next.told = true // of the other parts, if there are any
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

// partCells is the number of cells of a paint or erase that are edited at once, in less
// than a millisecond. The others are the next command of their client.
const partCells = 512

// part takes the client's next command, or the first part of it.
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

// nextUp returns the client whose command is next, or nil.
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

// do carries out one command that DecodeCommand has found right.
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
		return s.stroke(m)
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
			return fmt.Errorf("there is no scene %.60q", m.Name)
		}
		return s.ask(c, sc)
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
