package sandbox

import (
	"errors"
	"fmt"
	"time"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/scene"
)

// obeyTime is the time limit for the commands of all clients in one tick. A command that exceeds it
// is finished; the others wait.
const obeyTime = tick / 4

// leastUsed is the shortest time for which a command counts, in microseconds.
const leastUsed = 32

// obeyAll executes the clients' commands up to a time limit, which is obeyTime. The next command is
// from the client whose commands have taken the shortest time recently. So a client of few commands
// waits for at most one command of another, however many the others send.
func (s *sim) obeyAll(limit time.Duration) {
	began := time.Now()
	s.finishStart()
	for _, c := range s.clients {
		c.used -= (c.used + 7) / 8
	}
	for now := began; ; {
		c := s.nextUp(now)
		if c == nil {
			return
		}
		w := startWatch()
		m := s.part(c)
		err := m.err
		if err == nil {
			s.try("the command "+m.command.Do, func() { err = s.do(c, m.command) })
		}
		if err != nil && !m.told {
			c.complain(err)
			c.next.told = true // errors of the other parts are not sent
		}
		c.used += max(leastUsed, int(w.elapsed().Microseconds()))
		if now = time.Now(); now.Sub(began) > limit {
			return
		}
	}
}

// partCells is the number of cells of a paint or erase that are edited at a time, in less than a
// millisecond. The other cells become the client's next command.
const partCells = 256

// part removes and returns the client's next command, or its first part: some of the cells of a paint or an erase, or
// one of the grounds that a stroke digs in.
func (s *sim) part(c *client) request {
	m := c.next
	if n := 2 * partCells; len(m.command.Cells) > n {
		c.next.command.Cells = m.command.Cells[n:]
		m.command.Cells = m.command.Cells[:n]
		return m
	}
	if m.err == nil && m.command.Do == "dig" && m.command.All && s.stopped == "" {
		if !m.met {
			s.try("the command dig", func() { m.grounds = s.groundsAlong(m.command) })
			m.met = true
		}
		if n := len(m.grounds); n > 0 {
			m.command.All, m.command.Ground = false, m.grounds[0]
			if n > 1 {
				c.next.met, c.next.grounds = true, m.grounds[1:]
				return m
			}
		}
	}
	c.next, c.waiting = request{}, false
	return m
}

// nextUp returns the client whose command is executed next, or nil if no command is ready.
func (s *sim) nextUp(now time.Time) (next *client) {
	for _, c := range s.clients {
		if next != nil && c.used >= next.used || c.ended() {
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
		m := &c.next.command
		if s.starts.waits(c, m, now) || s.stopped == "" && !s.paused && s.budget.full() && m.changesGround() {
			continue
		}
		next = c
	}
	return next
}

// changesGround reports whether the command counts for budget.touched.
func (c *Command) changesGround() bool {
	switch c.Do {
	case "add", "paint", "erase", "dig", "build":
		return true
	}
	return false
}

// do executes a command that DecodeCommand has accepted.
func (s *sim) do(c *client, m Command) error {
	s.change++
	if s.stopped != "" {
		switch m.Do {
		case "reset", "scene", "view", "draw", "release":
		default:
			return errors.New(s.stopped)
		}
	}
	if err := s.refuse(&m); err != nil {
		return err
	}
	if s.budget.full() && m.changesGround() {
		return fmt.Errorf("%s: the ground beside %d bodies was changed since the last step, which is the limit; "+
			"make a step first", m.Do, maxTouched)
	}
	if m.Hold && (m.Do == "paint" || m.Do == "erase" || m.Do == "dig" || m.Do == "build") {
		s.hold(c)
	}
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
		s.paused, s.pending = false, 0
	case "step":
		if !s.paused {
			return errors.New("step: the world is running; pause it first")
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
