package sandbox

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/quarry2d/quarry"
)

// tick is the time between two steps.
const tick = time.Second / 60

// sim is the world, its clients and the loop. Only the loop's goroutine reads or writes it.
type sim struct {
	config Config
	*begun
	epoch   uint64 // new with each scene and reset
	paused  bool
	pending int           // requested steps of a paused world
	took    time.Duration // of the last step, on the clock
	guard   guard
	// longStep is the limit of the guards of new worlds.
	longStep time.Duration

	clients []*client
	turn    int // index of the client whose update is next
	starts  starts
	log     func(who, did, why string) // nil logs nothing
	busy    *atomic.Int64              // the loop's processor time in nanoseconds, for tests; nil if nobody reads it

	list quarry.DrawList // scratch
}

// run calls tick 60 times a second until ctx ends.
func (s *sim) run(ctx context.Context, join <-chan *client) {
	runtime.LockOSThread() // whose processor time a stopwatch reads
	defer runtime.UnlockOSThread()
	t := time.NewTicker(tick)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-join:
			s.clients = append(s.clients, c)
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
	w := startWatch()
	s.dropEnded()
	if s.stopped != "" {
		s.pending = 0
	} else if !s.paused {
		s.step()
	}
	for began := time.Now(); s.pending > 0 && s.paused && time.Since(began) < tick*3/4; {
		s.pending--
		s.step()
	}
	s.obeyAll(obeyTime)
	s.note(&w)
	s.tell()
	s.note(&w)
}

// note adds the time of w to busy, and starts w again.
func (s *sim) note(w *stopwatch) {
	if s.busy != nil {
		s.busy.Add(int64(w.elapsed()))
		*w = startWatch()
	}
}

// dropEnded removes the clients whose connections end, with their commands.
func (s *sim) dropEnded() {
	s.clients = slices.DeleteFunc(s.clients, func(c *client) bool {
		if c.ended() {
			s.try("the end of a drag", func() { s.release(c) })
			return true
		}
		return false
	})
}

// tellTime is the time limit for the updates of all clients in one tick.
const tellTime = tick / 4

// tell sends answers and updates to the clients. Answers are short and always sent. Updates end
// after tellTime; the next tick begins with the first client that got none.
func (s *sim) tell() {
	began := time.Now()
	first, late := s.turn, false
	for i := range s.clients {
		c := s.clients[(first+i)%len(s.clients)]
		if !late {
			if s.turn = first + i + 1; time.Since(began) > tellTime {
				s.turn, late = first+i, true
			}
		}
		if c.idle.Load() {
			c.sync(s, !late)
		}
	}
	s.turn %= max(1, len(s.clients))
}

// step makes the scene's edits and steps the world.
func (s *sim) step() {
	s.change++
	began, took := time.Now(), startWatch()
	if !s.try(fmt.Sprintf("step %d", s.done+1), s.advance) {
		return
	}
	s.took = time.Since(began)
	s.watch(took.elapsed())
}

// advance is a step without its clocks.
func (s *begun) advance() {
	w := s.in.World
	if s.in.BeforeStep != nil {
		s.in.BeforeStep(int(w.StepCount()))
		s.lookAtEdits() // Step empties the list of edits
	}
	w.Step(s.in.DT)
	s.lookAtEdits()
	s.dropPieces()
	st := w.Stats()
	s.bodies = st.Bodies
	s.budget.stepped(st.Contacts)
	s.done++
	if s.done%60 == 0 {
		s.removeFallen()
	}
}

// dropPieces removes parts of grounds that came off in this step beyond the limits of grounds and of bodies.
func (s *begun) dropPieces() {
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
	for i := len(pieces) - 1; i >= 0 && (grounds > maxGrounds || st.Bodies > s.maxBodies); i-- {
		if w.RemoveBody(pieces[i].Body) {
			grounds--
			st.Bodies--
		}
	}
}

// fallDepth is the depth below floor, in cells, at which a falling body is removed.
const fallDepth = 1000

// removeFallen removes dynamic bodies that fell out of the scene, which would fill the world.
func (s *begun) removeFallen() {
	var doomed []quarry.BodyID
	for b := range s.in.World.Bodies() {
		if b.Type() == quarry.Dynamic && b.Position().Y < s.floor-fallDepth {
			doomed = append(doomed, b.ID())
		}
	}
	for _, id := range doomed {
		s.in.World.RemoveBody(id)
		s.bodies--
	}
}
