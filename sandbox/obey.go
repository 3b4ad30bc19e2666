package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// What one client's commands may cost in one tick. A cell to paint costs 1, a
// stroke as many as the cells that it may touch and strokeCost, and each command
// commandCost besides. What is left over waits for the next tick, in a queue of
// bounded length; while that is full, the client is not read from.
const (
	tickBudget  = MaxCells
	commandCost = 32
)

// obeyTime is what the commands of all clients may take of one tick, as far as
// they can be put off. Whoever was not heard is heard first in the next.
const obeyTime = tick / 2

// obeyAll carries out what the clients ask for, as far as one tick allows.
func (s *sim) obeyAll() {
	began := time.Now()
	for range s.clients {
		s.turn %= len(s.clients)
		c := s.clients[s.turn]
		s.turn++
		s.obey(c, began)
		if time.Since(began) > obeyTime {
			return
		}
	}
}

// obey carries out what c asks for, as far as one tick that began to obey then
// allows: one command at least.
func (s *sim) obey(c *client, began time.Time) {
	for budget := tickBudget; budget > 0; {
		select {
		case r := <-c.inbox:
			budget -= r.command.cost()
			err := r.err
			if err == nil {
				err = s.do(c, r.command)
			}
			if err != nil {
				c.complain(err)
			}
			if r.command.Do == "reset" || r.command.Do == "scene" {
				return // building a scene is dear: one a tick
			}
			if time.Since(began) > obeyTime {
				return // so may strokes be, over ground in many pieces
			}
		default:
			return
		}
	}
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
