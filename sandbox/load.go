package sandbox

import (
	"fmt"
	"time"
)

// The budget of a step. A new body makes a contact with each shape whose box is near its own; a
// contact costs about a microsecond a step. The body is also tested against the segments in its
// box.
const (
	// contactMargin is the distance in cells below which two shapes' boxes make a contact: the sum
	// of their margins.
	contactMargin = 0.2
	// maxContacts bounds the contacts in excess of those of the scene's own bodies: a body that
	// would exceed it is refused. The limit is halved while several clients are connected.
	maxContacts = 1 << 14
	// segmentsPerContact is the number of segments in a body's box that cost as much as one
	// contact.
	segmentsPerContact = 16
	// busyStep is the step time above which no bodies are added, if each of the last loadSteps
	// steps took longer. It is halved while several clients are connected.
	busyStep  = 40 * time.Millisecond
	loadSteps = 8
)

// The limits of step times while several clients are connected. A world that exceeds them is
// paused, so that no client waits for its steps. A client that is alone may run any world.
const (
	// longStep is the step time above which answers are late: an answer waits for one step,
	// obeyTime and twice tellTime.
	longStep = 50 * time.Millisecond
	// maxExcess bounds the sum of (step time - longStep) over successive steps. A step counts at
	// most half of it, so that a single delay by the machine pauses no world.
	maxExcess = 200 * time.Millisecond
	// smallWorld is the number of bodies and contacts below which a long step is attributed to
	// other programs on the machine.
	smallWorld = 1 << 12
	// pauseTime is the time for which a world paused by guard cannot be resumed.
	pauseTime = 10 * time.Second
)

// load estimates the cost of a world's steps.
type load struct {
	own      int // largest number of contacts of a step before the first body was added
	added    bool
	contacts int // in the last step
	// Ring buffers of the last steps: the estimated contacts of the bodies added before each step,
	// and the time of each step.
	fresh [loadSteps]int
	took  [loadSteps]time.Duration
	at    int
	sum   int // of fresh

	excess time.Duration // sum of (step time - longStep), 0 to maxExcess
	worst  time.Duration // longest step since excess was 0
	until  time.Time     // the world may not be resumed before
}

// stepped records the time and the contacts of a step.
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

// overrun adds the time of a step to excess; size is the number of bodies and contacts of the
// world.
func (l *load) overrun(took time.Duration, size int) {
	l.excess = min(l.excess+min(took-longStep, maxExcess/2), maxExcess)
	if l.worst = max(l.worst, took); l.excess <= 0 || size < smallWorld {
		l.excess, l.worst = 0, 0
	}
}

// share returns a limit for a world with that many clients: half of it for several.
func share[T int | time.Duration](limit T, clients int) T {
	if clients > 1 {
		return limit / 2
	}
	return limit
}

// add counts a new body whose box overlaps the boxes of that many shapes and that many segments. It
// returns an error, and counts nothing, if the body would exceed the budget.
func (l *load) add(shapes, segments, clients int) error {
	n := shapes + segments/segmentsPerContact
	most := share(maxContacts, clients)
	if have := l.contacts + l.sum; have+n > l.own+most {
		return fmt.Errorf("add: the body would make %d contacts here, and added bodies have %d already; the limit is %d: remove some or reset the scene",
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

// busy returns an error if steps take too long to add to the world.
func (l *load) busy(clients int) error {
	least := l.took[0]
	for _, t := range l.took {
		least = min(least, t)
	}
	if most := share(busyStep, clients); least > most {
		return fmt.Errorf("the world is too busy: a step takes %d ms, the limit for additions is %d ms; remove some bodies or reset the scene",
			least.Milliseconds(), most.Milliseconds())
	}
	return nil
}

// guard pauses a world whose steps take too long for several clients, and sends all of them a
// message.
func (s *sim) guard() {
	l := &s.load
	if len(s.clients) < 2 || l.excess < maxExcess || s.paused && s.pending == 0 {
		return
	}
	s.paused, s.pending = true, 0
	l.until = time.Now().Add(pauseTime)
	s.change++
	for _, c := range s.clients {
		c.complain(fmt.Errorf("the world is paused: a step takes up to %d ms, the limit is %d ms while several clients are connected; reset it, choose another scene, or resume it in %d s",
			l.worst.Milliseconds(), longStep.Milliseconds(), int(pauseTime.Seconds())))
	}
}

// resume returns an error if the world must stay paused. After a resume, few long steps pause it
// again.
func (s *sim) resume(do string) error {
	l := &s.load
	if left := time.Until(l.until); left > 0 && len(s.clients) > 1 {
		return fmt.Errorf("%s: a step takes up to %d ms, the limit is %d ms while several clients are connected; reset the world, choose another scene, or try again in %d s",
			do, l.worst.Milliseconds(), longStep.Milliseconds(), int(left.Seconds())+1)
	}
	l.excess = min(l.excess, maxExcess*3/4)
	return nil
}
