package solve

// Islands do not affect each other, so one can be solved from beginning to end before the next:
// small islands are solved in batches whose blocks stay in the second-level cache. The batches
// are a function of the islands alone.

// mostContacts is the number of contacts and joints that a batch may have, unless one island has more. Blocks of two
// points are then 290 kB, with their rare rows 430 kB. A joint counts as jointSize contacts: in a component it has
// 1.2 kB. With a size of 1, the batches of scene rain miss a cache of 1 MB four times as often.
const (
	mostContacts = 2048
	jointSize    = 8
)

// batch is one or more islands with successive numbers.
type batch struct {
	islands  []island
	from, to int     // range of their bodies in Solver.bodies
	contacts []int32 // of the islands, in the order of Solver.Links
	joints   []int32 // of the islands, in the order of Solver.JointLinks
	index    int     // in Solver.batches
}

// mostContacts returns the size that a batch of several islands may have.
func (s *Solver) mostContacts() int {
	if s.most == 0 {
		return mostContacts
	}
	return s.most
}

// large reports whether t is one island of more than mostContacts contacts and joints, which do not fit the
// second-level cache.
func (s *Solver) large(t *batch) bool { return len(t.contacts)+len(t.joints) > s.mostContacts() }

// divide divides the islands into batches.
func (s *Solver) divide() {
	most := s.mostContacts()
	s.batches = s.batches[:0]
	s.batchOf = resized(s.batchOf, len(s.islands))
	n, first := 0, 0 // of the batch: size, first island
	for i := range s.islands {
		if here := s.islands[i].size; here > 0 {
			if n > 0 && n+here > most {
				s.batches = append(s.batches, batch{islands: s.islands[first:i]})
				n, first = 0, i
			}
			n += here
		}
		s.batchOf[i] = int32(len(s.batches))
	}
	s.batches = append(s.batches, batch{islands: s.islands[first:]})
	s.place()
	for i := range s.batches {
		s.batches[i].contacts, s.batches[i].index = s.contactOrder[s.contactStarts[i]:s.contactStarts[i+1]], i
	}
	s.orderJoints()
	for i := range s.batches {
		s.batches[i].joints = s.jointOrder[s.jointsFrom[i]:s.jointsFrom[i+1]]
	}
}

// orderJoints lists the joints of each batch one after the other, and sets s.jointsFrom to where each batch's begin.
func (s *Solver) orderJoints() {
	s.jointOrder, s.jointsFrom = resized(s.jointOrder, len(s.JointLinks)), resized(s.jointsFrom, len(s.batches)+1)
	clear(s.jointsFrom)
	for _, in := range s.jointIslands {
		s.jointsFrom[s.batchOf[in]]++
	}
	sumUp(s.jointsFrom)
	for i := len(s.JointLinks) - 1; i >= 0; i-- {
		k := &s.jointsFrom[s.batchOf[s.jointIslands[i]]]
		*k--
		s.jointOrder[*k] = int32(i)
	}
}

// sumUp replaces each number of a by the sum of the numbers up to and with it.
func sumUp(a []int32) {
	for i := 1; i < len(a); i++ {
		a[i] += a[i-1]
	}
}

// islandOf returns the island that a contact or joint is in.
func (s *Solver) islandOf(l *Link) int32 {
	if in := s.Islands[l.B]; in != 0 {
		return in
	}
	return s.Islands[l.A]
}

// resetFixed puts the worker's copies of the fixed bodies (see place) back to the start of the step.
func (s *worker) resetFixed() {
	copy(s.bodies[s.base:], s.fixedAtStart)
	copy(s.rareBodies[s.base:], s.rareFixedAtStart)
}

// moveFixed advances the displacements of the worker's copies of the fixed bodies by a sub-step. Nothing changes their
// velocities. The first of them is the body of all static bodies, which does not move.
func (s *worker) moveFixed() { s.move(s, int(s.base)+1, int(s.base)+s.fixedCount) }

// finishFixed sets the motions of the fixed bodies from the copies of a worker that has solved a batch: all such
// workers have moved their copies alike.
func (s *Solver) finishFixed() {
	for i := range s.workers {
		if w := &s.workers[i]; w.solved {
			for k := 1; k < s.fixedCount; k++ {
				s.finishBody(int(w.base) + k)
			}
			return
		}
	}
}
