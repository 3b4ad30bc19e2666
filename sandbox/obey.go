package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// What a command costs, in about a microsecond each. A cell to paint costs 1, a stroke
// as many as the cells that it may touch and strokeCost, and each command commandCost
// besides. One client's commands of one tick end when they have cost tickBudget; what
// is left over waits for the next tick, in a queue of bounded length. While that is
// full, the client is not read from.
const (
	tickBudget  = MaxCells
	commandCost = 32
)

// obeyTime is what the commands of all clients may take of one tick, as far as they can
// be put off.
const obeyTime = tick / 4

// startRest is how long, in times of what a scene took to begin, the next one waits:
// beginning scenes takes no more than a twentieth of the loop's time.
const startRest = 20

// obeyAll carries out what the clients ask for, as far as one tick allows. The next
// command is always that of the client that has cost least of late, its command
// included: however much others ask for, who asks for little waits for one command.
func (s *sim) obeyAll() {
	began := time.Now()
	for _, c := range s.clients {
		c.used -= (c.used + 7) / 8
		c.spent = 0
	}
	for now := began; ; {
		c := s.nextUp(now)
		if c == nil {
			return
		}
		m := c.next
		c.next, c.waiting = request{}, false
		err := m.err
		if err == nil {
			err = s.do(c, m.command)
		}
		if err != nil {
			c.complain(err)
		}
		took := time.Since(now)
		now = now.Add(took)
		cost := m.command.cost()
		c.spent += cost
		c.used += max(cost, int(took.Microseconds()))
		if now.Sub(began) > obeyTime {
			return
		}
	}
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
		if c.next.command.starts() && now.Before(s.rested) {
			continue // and what it asked for after that is meant for the new scene
		}
		if cost := c.used + c.next.command.cost(); next == nil || cost < least {
			next, least = c, cost
		}
	}
	return next
}

// starts reports whether the command begins a scene.
func (c *Command) starts() bool { return c.Do == "reset" || c.Do == "scene" }

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
		s.paused, s.pending = false, 0
	case "step":
		if !s.paused {
			return errors.New("step: the world is running; pause it first")
		}
		s.pending = min(s.pending+m.N, MaxSteps)
	case "reset":
		s.start(s.scene)
	case "scene":
		sc, ok := find(s.config.Scenes, m.Name)
		if !ok {
			return fmt.Errorf("there is no scene %.60q", m.Name)
		}
		s.start(sc)
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
