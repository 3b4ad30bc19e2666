package solve

// A rigid pass passes a load on by one contact (load.go). So in a large island, where a heavy load may be on few of
// thousands of contacts, n rigid passes visit only the contacts within reach of a load: at most n contacts away from a
// contact with a load. These contacts have the first places of their colours: the order within a colour has no effect on
// the bits.

// The marks of bodies that no load reaches, and of fixed bodies, which pass no load on.
const (
	notReached = 0
	passesNone = 255
)

// reaches reports whether the rigid passes of a batch visit only some of its contacts.
func (t *batch) reaches() bool { return t.passes > 0 && len(t.contacts) > mostContacts }

// markReached marks the bodies of the batch that are within reach of a load: with 1 the bodies of a contact or joint with a
// load, with 2 the bodies that a contact or joint links to these, and so on.
func (s *worker) markReached() {
	t, marks := s.batch, s.reached
	for i := range s.fixedCount {
		marks[i] = passesNone
	}
	clear(marks[t.from:t.to])
	for _, i := range t.contacts {
		if l := &s.Links[i]; l.Impulse != 0 && l.load(s.Solver) > freeLoad {
			s.beginReach(l)
		}
	}
	for k := range uint8(t.passes) {
		s.spreadReach(s.Links, t.contacts, k+1)
		s.spreadReach(s.JointLinks, t.joints, k+1)
	}
}

// beginReach marks the bodies of a link with a load.
func (s *worker) beginReach(l *Link) {
	for _, b := range [...]int32{s.bodyOf[l.A], s.bodyOf[l.B]} {
		if s.reached[b] != passesNone {
			s.reached[b] = 1
		}
	}
}

// spreadReach marks the bodies that are linked to those marked with from.
func (s *worker) spreadReach(links []Link, of []int32, from uint8) {
	bodies, marks := s.bodyOf, s.reached
	for _, i := range of {
		l := &links[i]
		a, b := &marks[bodies[l.A]], &marks[bodies[l.B]]
		if *a == *b {
			continue
		}
		if *a == from && *b == notReached {
			*b = from + 1
		} else if *b == from && *a == notReached {
			*a = from + 1
		}
	}
}

// near reports whether l is within reach of a load.
func (s *worker) near(l *Link) bool {
	return s.reached[s.bodyOf[l.A]] != notReached && s.reached[s.bodyOf[l.B]] != notReached
}
