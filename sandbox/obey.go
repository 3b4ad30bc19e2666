package sandbox

import (
	"errors"
	"time"

	"github.com/quarry2d/quarry/play"
)

// obeyTime is the limit of the processor time for the commands of all clients in one tick. A command that exceeds it
// is finished; the others wait.
const obeyTime = tick / 4

// leastUsed is the shortest time for which a command counts, in microseconds.
const leastUsed = 32

// obeyAll executes the clients' commands up to a time limit, which is obeyTime. The next command is
// from the client whose commands have taken the shortest time recently. So a client of few commands
// waits for at most one command of another, however many the others send.
func (s *sim) obeyAll(limit time.Duration) {
	all := startWatch()
	s.finishStart()
	for _, c := range s.clients {
		c.used -= (c.used + 7) / 8
	}
	for now := all.wall; ; {
		if s.given.full() {
			return
		}
		c := s.nextUp(now)
		if c == nil {
			return
		}
		w := startWatch()
		m := s.part(c)
		err := m.err
		if err == nil {
			err = s.do(c, m.command)
		}
		if err != nil {
			c.fail(c.taken, err)
		}
		c.used += max(leastUsed, int(w.elapsed().Microseconds()))
		if now = time.Now(); all.elapsed() > limit {
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
	if m.err == nil && m.command.Do == "dig" && m.command.All {
		if !m.met {
			s.try("the command dig", func() { m.grounds = s.GroundsAlong(m.command.Command) })
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
		if next != nil && c.used >= next.used || c.ended() || c.undoes {
			continue
		}
		if !c.waiting {
			select {
			case c.next = <-c.inbox:
				c.waiting, c.taken = true, c.taken+1
			default:
				continue
			}
		}
		m := &c.next.command
		if s.starts.waits(c, m, now) || s.Stopped() == "" && !s.paused && s.Full() &&
			play.TraitsOf(m.Do).ChangesGround {
			continue
		}
		next = c
	}
	return next
}

// do executes a command that DecodeCommand has accepted.
func (s *sim) do(c *client, m Command) error {
	d := descriptions[m.Do]
	if why := s.Stopped(); why != "" && m.Do != "release" && m.Do != "leave" && (d == nil || !d.stopped) {
		return errors.New(stoppedText(why))
	}
	if err := s.allow(c, &m); err != nil {
		return err
	}
	if err := s.refuse(&m); err != nil {
		return err
	}
	if d != nil {
		if !d.quiet {
			s.asked++
		}
		if need(m.Do) == Own && m.Do != "answer" {
			s.did(c, m.Do)
		}
		var err error
		s.try("the command "+m.Do, func() { err = d.do(s, c, m) })
		return err // nil after a panic, of which all have been told
	}
	if m.Do != "release" && m.Do != "drive" {
		s.did(c, m.Do)
	}
	return give(s, c, m)
}
