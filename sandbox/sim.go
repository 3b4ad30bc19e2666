package sandbox

import (
	"context"
	"time"

	"github.com/quarry2d/quarry"
)

// tick is the time between two steps.
const tick = time.Second / 60

// sim is the world, its clients and the loop. Only the goroutine of Server.Run reads or writes it.
type sim struct {
	config Config
	*begun
	epoch   uint64 // new with each scene and reset
	paused  bool
	pending int // requested steps of a paused world

	clients []*client
	turn    int // index of the client whose update is next
	starts  starts

	// Scratch.
	near     []quarry.ShapeID
	doomed   []quarry.BodyID
	contacts []quarry.Contact
	met      []quarry.Target
	list     quarry.DrawList
}

// run calls tick 60 times a second until ctx ends.
func (s *sim) run(ctx context.Context, join, leave <-chan *client) {
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-join:
			s.clients = append(s.clients, c)
		case c := <-leave:
			s.release(c)
			for i := range s.clients {
				if s.clients[i] == c {
					s.clients = append(s.clients[:i], s.clients[i+1:]...)
					break
				}
			}
		case <-t.C:
			s.tick()
		}
	}
}

// tick steps the world, executes commands and sends updates. A world whose steps take longer than a
// tick runs slower than real time, and does not catch up.
//
// Commands are executed after the step and before the updates, so that an answer, and the update
// with the result of a command, waits for one step and not for two.
func (s *sim) tick() {
	s.guard()
	if !s.paused {
		s.step()
	} else {
		for began := time.Now(); s.pending > 0 && time.Since(began) < tick*3/4; s.guard() {
			s.pending--
			s.step()
		}
	}
	s.obeyAll(obeyTime)
	s.tell()
}

const (
	// tellTime is the time limit for the updates of all clients in one tick.
	tellTime = tick / 4
	// tellRate bounds the updates of all clients together, in bytes a second; each client has an
	// equal share. A client that exceeds its share gets fewer frames.
	tellRate = 256 << 20
)

// tell sends answers and updates to the clients. Answers are short and always sent. Updates end
// after tellTime; the next tick begins with the first client that got none.
func (s *sim) tell() {
	began := time.Now()
	share := tellRate * tick.Seconds() / float64(max(1, len(s.clients)))
	for _, c := range s.clients {
		c.debt = max(0, c.debt-share)
	}
	first, late := s.turn, false
	for i := range s.clients {
		c := s.clients[(first+i)%len(s.clients)]
		if !late {
			if s.turn = first + i + 1; time.Since(began) > tellTime {
				s.turn, late = first+i, true
			}
		}
		if c.idle.Load() {
			c.sync(s, !late && c.debt < share)
		}
	}
	s.turn %= max(1, len(s.clients))
}

// step makes the scene's edits and steps the world.
func (s *sim) step() {
	began, w := time.Now(), s.in.World
	if s.in.BeforeStep != nil {
		s.in.BeforeStep(int(w.StepCount()))
		s.lookAtEdits() // Step empties the list of edits
	}
	w.Step(s.in.DT)
	s.lookAtEdits()
	s.dropPieces()
	s.took = time.Since(began)
	st := w.Stats()
	s.bodies = st.Bodies
	s.load.stepped(s.took, st.Contacts)
	s.load.overrun(s.took, st.Bodies+st.Contacts)
	s.done++
	s.change++
	if s.done%60 == 0 {
		s.removeFallen()
	}
}

// dropPieces removes parts of grounds that came off in this step beyond the limits of grounds and of bodies.
func (s *sim) dropPieces() {
	w := s.in.World
	pieces := w.Breaks()
	if len(pieces) == 0 {
		return
	}
	st := w.Stats()
	grounds := 0
	for range w.Grounds() {
		grounds++
	}
	for i := len(pieces) - 1; i >= 0 && (grounds > maxGrounds || st.Bodies > s.config.MaxBodies); i-- {
		if w.RemoveBody(pieces[i].Body) {
			grounds--
			st.Bodies--
		}
	}
}

// fallDepth is the depth below floor, in cells, at which a falling body is removed.
const fallDepth = 1000

// removeFallen removes dynamic bodies that fell out of the scene, which would fill the world.
func (s *sim) removeFallen() {
	s.doomed = s.doomed[:0]
	for b := range s.in.World.Bodies() {
		if b.Type() == quarry.Dynamic && b.Position().Y < s.floor-fallDepth {
			s.doomed = append(s.doomed, b.ID())
		}
	}
	for _, id := range s.doomed {
		s.in.World.RemoveBody(id)
		s.bodies--
	}
}
