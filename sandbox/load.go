package sandbox

import (
	"fmt"
	"time"
)

// The budget of a step. A body that is dropped makes a contact with each shape whose
// box is near its own, which costs about a microsecond a step, and is tested against
// the segments in its box.
const (
	// contactMargin is how near boxes of shapes come to each other for a contact, in
	// cells: the margins of both.
	contactMargin = 0.2
	// maxContacts is how many contacts there may be beyond those of the scene's own
	// bodies for a body to be added.
	maxContacts = 1 << 14
	// segmentsPerContact is how many segments in the box of a body cost what a
	// contact does.
	segmentsPerContact = 16
	// busyStep is how long each of the last loadSteps steps must have taken for the
	// world to be too busy to be added to.
	busyStep  = 40 * time.Millisecond
	loadSteps = 8
)

// load is how much work the steps of a world are.
type load struct {
	own      int // contacts, when the scene's bodies were alone
	added    bool
	contacts int // in the last step
	// Of the last steps: the contacts that the bodies added before each were estimated
	// to bring, the least recent first overwritten; and how long each took.
	fresh [loadSteps]int
	took  [loadSteps]time.Duration
	at    int
	sum   int // of fresh
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

// add counts a body that overlaps so many boxes of shapes and so many segments, or
// says why it is too much.
func (l *load) add(shapes, segments int) error {
	n := shapes + segments/segmentsPerContact
	if have := l.contacts + l.sum; have+n > l.own+maxContacts {
		return fmt.Errorf("add: the bodies here would make %d contacts more; clients' bodies have %d, and %d is the most: remove some or reset the scene",
			n, max(0, have-l.own), maxContacts)
	}
	if err := l.busy(); err != nil {
		return fmt.Errorf("add: %w", err)
	}
	l.added = true
	l.fresh[l.at] += n
	l.sum += n
	return nil
}

// busy says that steps take too long for more to be put into the world, or nil.
func (l *load) busy() error {
	least := l.took[0]
	for _, t := range l.took {
		least = min(least, t)
	}
	if least > busyStep {
		return fmt.Errorf("the world is too busy: a step takes %d ms, and %d is the most that is added to; remove some bodies or reset the scene",
			least.Milliseconds(), busyStep.Milliseconds())
	}
	return nil
}
