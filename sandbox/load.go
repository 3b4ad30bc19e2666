package sandbox

import (
	"fmt"
	"time"
)

// The budget of a step. A new body makes a contact with each shape whose box is near its
// own, at a cost of about a microsecond a step, and is tested against the segments in its
// box.
const (
	// contactMargin is the distance in cells at which the boxes of two shapes get a
	// contact: the margins of both.
	contactMargin = 0.2
	// maxContacts limits the contacts beyond those of the scene's own bodies: no body is
	// added that would exceed it. While several clients are connected half as many are the
	// most.
	maxContacts = 1 << 14
	// segmentsPerContact is the number of segments in the box of a body that cost as much
	// as one contact.
	segmentsPerContact = 16
	// busyStep is the step time at which the world is too busy for more bodies, if each
	// of the last loadSteps steps took longer; while several clients are connected, half
	// of it.
	busyStep  = 40 * time.Millisecond
	loadSteps = 8
)

// The limit of step times while several clients are connected. A world beyond it is paused, so
// that nobody waits for its steps; a client alone may run any world.
const (
	// longStep is the step time from which on answers to other clients come late: an answer
	// waits for one step, obeyTime and twice tellTime.
	longStep = 50 * time.Millisecond
	// maxExcess is the most time beyond longStep of successive steps together; a shorter
	// step makes up for longer ones. One step counts for half of it at most: a single
	// delay by the machine does not pause a world.
	maxExcess = 200 * time.Millisecond
	// smallWorld is the number of bodies and contacts below which a step is short: if its
	// time is long, other programs took the time.
	smallWorld = 1 << 12
	// pauseTime is the time for which a world that was paused so cannot be resumed.
	pauseTime = 10 * time.Second
)

// load estimates the cost of a world's steps.
type load struct {
	own      int // most contacts of a step before the first body was added
	added    bool
	contacts int // in the last step
	// Rings of the last steps: the estimated contacts of the bodies added before each,
	// and the time of each.
	fresh [loadSteps]int
	took  [loadSteps]time.Duration
	at    int
	sum   int // of fresh

	excess time.Duration // time beyond longStep of the last steps, at most maxExcess
	worst  time.Duration // longest step since excess was 0
	until  time.Time     // when the world may be resumed
}

// stepped is called after each step.
func (l *load) stepped(took time.Duration, contacts int) {
	l.contacts = contacts
	if !l.added {
		l.own = max(l.own, contacts)
	}
	l.took[l.at] = took
	l.at = (l.at + 1) % loadSteps
	l.sum -= l.fresh[l.at]
	l.fresh[l.at] = 0
}

// overrun is called after each step of a world with so many bodies and contacts together.
func (l *load) overrun(took time.Duration, size int) {
	l.excess = min(l.excess+min(took-longStep, maxExcess/2), maxExcess)
	if l.worst = max(l.worst, took); l.excess <= 0 || size < smallWorld {
		l.excess, l.worst = 0, 0
	}
}

// share returns the part of a limit that a world with so many clients has.
func share[T int | time.Duration](limit T, clients int) T {
	if clients > 1 {
		return limit / 2
	}
	return limit
}

// add counts a new body that overlaps the boxes of the given number of shapes and the given
// number of segments. If they exceed the budget, it counts nothing and returns an error.
func (l *load) add(shapes, segments, clients int) error {
	n := shapes + segments/segmentsPerContact
	most := share(maxContacts, clients)
	if have := l.contacts + l.sum; have+n > l.own+most {
		return fmt.Errorf("add: the bodies here would make %d contacts more; clients' bodies have %d, and %d is the most: remove some or reset the scene",
			n, max(0, have-l.own), most)
	}
	if err := l.busy(clients); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	l.added = true
	l.fresh[l.at] += n
	l.sum += n
	return nil
}

// busy returns an error if steps take too long for the world to be added to.
func (l *load) busy(clients int) error {
	least := l.took[0]
	for _, t := range l.took {
		least = min(least, t)
	}
	if most := share(busyStep, clients); least > most {
		return fmt.Errorf("the world is too busy: a step takes %d ms, and %d is the most that is added to; remove some bodies or reset the scene",
			least.Milliseconds(), most.Milliseconds())
	}
	return nil
}

// guard pauses a world whose steps take too long for several clients, and tells all of them.
func (s *sim) guard() {
	l := &s.load
	if len(s.clients) < 2 || l.excess < maxExcess || s.paused && s.pending == 0 {
		return
	}
	s.paused, s.pending = true, 0
	l.until = time.Now().Add(pauseTime)
	s.change++
	for _, c := range s.clients {
		c.complain(fmt.Errorf("the world is paused: a step takes up to %d ms, and %d is the most while several clients are connected; reset it, choose another scene, or resume it in %d s",
			l.worst.Milliseconds(), longStep.Milliseconds(), int(pauseTime.Seconds())))
	}
}

// resume returns an error if the world has to stay paused. Once it may go on, the next long
// step pauses it again.
func (s *sim) resume(do string) error {
	l := &s.load
	if left := time.Until(l.until); left > 0 && len(s.clients) > 1 {
		return fmt.Errorf("%s: a step takes up to %d ms, and %d is the most while several clients are connected; reset the world, choose another scene, or try again in %d s",
			do, l.worst.Milliseconds(), longStep.Milliseconds(), int(left.Seconds())+1)
	}
	l.excess = min(l.excess, maxExcess*3/4)
	return nil
}
