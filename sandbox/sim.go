package sandbox

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/play"
)

// tick is the time between two steps.
const tick = time.Second / 60

// sim is the world, its clients and the loop. Only the loop's goroutine reads or writes it.
type sim struct {
	config Config
	*shown
	epoch  uint64 // new with each scene and reset
	paused bool
	told   bool          // clients know that the world has stopped
	took   time.Duration // of the last step, on the clock
	guard  guard
	people people
	asks   int    // number of requests to owners so far
	origin []byte // the snapshot with which a world that is no scene's began
	reel   reel
	past   int       // reel.most
	rested time.Time // since when nothing moves in a world that repeats; zero if something does
	// longStep is the limit of the guards of new worlds.
	longStep time.Duration

	clients []*client
	joined  play.Player // number of clients so far
	turn    int         // index of the client whose update is next
	starts  starts
	library *library // nil keeps no worlds under names
	owner   owner
	alive   bool // the owner runs the world
	given   given
	left    *time.Time                 // when the world was last abandoned
	log     func(who, did, why string) // nil logs nothing
	busy    *atomic.Int64              // the loop's processor time in nanoseconds, for tests; nil if nobody reads it

	// scratch
	list   quarry.DrawList
	solved []quarry.SolvedContact
}

// admit adds a client. Its commands count as the mean of the others', so that nobody is first by connecting again.
func (s *sim) admit(c *client) {
	s.joined++
	s.people.rev++
	c.player, c.used = s.joined, 0
	for _, other := range s.clients {
		c.used += other.used
	}
	c.used /= max(1, len(s.clients))
	s.clients = append(s.clients, c)
}

// guarded calls tick or heed. A panic in it that nothing else has caught stops the world, and not the server.
func (s *sim) guarded(f func()) { s.try("the loop", f) }

// tick steps the world, executes commands and sends updates. A world whose steps take longer than a
// tick runs slower than real time, and does not catch up.
//
// Commands are executed after the step and before the updates, so that an answer, and the update
// with the result of a command, waits for one step and not for two.
func (s *sim) tick() {
	w := startWatch()
	s.dropEnded()
	s.follow()
	s.obeyAll(obeyTime)
	s.owner.Work()
	s.report(false)
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
			s.dismiss(c.player)
			s.people.rev++
			s.people.moves++
			s.tellStopped()
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
	s.people.look(s, began)
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

// startAgain starts a scene that repeats once nothing has moved for some time.
func (s *sim) startAgain(now time.Time) {
	switch {
	case !s.owner.Repeats() || !s.AtRest():
		s.rested = time.Time{}
	case s.rested.IsZero():
		s.rested = now
	case now.Sub(s.rested) > restAfter && s.starts.client == nil && len(s.clients) > 0 && !now.Before(s.starts.rested):
		s.rested = time.Time{}
		if err := s.ask(s.clients[0], s.Scene()); err != nil {
			s.clients[0].complain(err)
		}
	}
}
