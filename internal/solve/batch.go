package solve

// Islands do not affect each other, so one can be solved from beginning to end before the next:
// small islands are solved in batches whose blocks stay in the second-level cache. The batches
// are a function of the islands alone.

// mostContacts is the number of contacts and joints that a batch may have, unless one island has more.
// Blocks of two points are then 440 kB.
const mostContacts = 2048

// batch is one or more islands with successive numbers, and as many rigid passes in a sub-step.
type batch struct {
	passes   int
	islands  []island
	from, to int     // their bodies
	contacts []int32 // theirs, in order
	joints   []int32 // likewise
	index    int     // in Solver.batches
}

// mostContacts returns the number of contacts that a batch of several islands may have.
func (s *Solver) mostContacts() int {
	if s.most == 0 {
		return mostContacts
	}
	return s.most
}

// divide divides the islands into batches.
func (s *Solver) divide() {
	most := s.mostContacts()
	s.batches = s.batches[:0]
	s.batchOf = resized(s.batchOf, len(s.islands))
	n, first, passes := 0, 0, 0 // contacts and first island of the batch
	for i := range s.islands {
		here := (s.islands[i].left - baseWork) / workEach
		if here > 0 {
			now := s.islands[i].passes(here)
			if n > 0 && (n+here > most || now != passes) {
				s.batches = append(s.batches, batch{islands: s.islands[first:i], passes: passes})
				n, first = 0, i
			}
			n, passes = n+here, now
		}
		s.batchOf[i] = int32(len(s.batches))
	}
	s.batches = append(s.batches, batch{islands: s.islands[first:], passes: passes})
	s.orderBodies()
	s.contactOrder = s.order(s.contactOrder, s.Links)
	s.contactStarts = append(s.contactStarts[:0], s.starts...)
	for i := range s.batches {
		s.batches[i].contacts, s.batches[i].index = s.contactOrder[s.starts[i]:s.starts[i+1]], i
	}
	s.jointOrder = s.order(s.jointOrder, s.JointLinks)
	for i := range s.batches {
		s.batches[i].joints = s.jointOrder[s.starts[i]:s.starts[i+1]]
	}
}

// orderBodies gives each motion its body: first come, for each worker, those that contacts do not
// move (carriers), which belong to no batch and move along with every batch; then the bodies of
// each batch.
func (s *Solver) orderBodies() {
	starts := resized(s.starts, len(s.batches)+1)
	s.starts = starts
	clear(starts)
	s.carriers = 0
	for i := range s.Motions {
		if s.Motions[i].fixed() {
			s.carriers++
		} else {
			starts[s.batchOf[s.Islands[i]]+1]++
		}
	}
	copies := s.carriers * len(s.workers)
	starts[0] = int32(copies)
	sumUp(starts)
	for i := range s.batches {
		s.batches[i].from, s.batches[i].to = int(starts[i]), int(starts[i+1])
	}
	s.bodyOf = resized(s.bodyOf, len(s.Motions))
	s.motionOf = resized(s.motionOf, copies+len(s.Motions)-s.carriers)
	carrier := int32(0)
	for i := range s.Motions {
		k := &carrier
		if !s.Motions[i].fixed() {
			k = &starts[s.batchOf[s.Islands[i]]]
		}
		s.bodyOf[i], s.motionOf[*k] = *k, int32(i)
		*k++
	}
	for i := s.carriers; i < copies; i++ {
		s.motionOf[i] = s.motionOf[i-s.carriers]
	}
}

// order lists the links of each batch one after the other in list, and sets s.starts to where each batch's begin.
func (s *Solver) order(list []int32, links []Link) []int32 {
	list = resized(list, len(links))
	starts := resized(s.starts, len(s.batches)+1)
	s.starts = starts
	clear(starts)
	if len(s.batches) == 1 {
		for i := range list {
			list[i] = int32(i)
		}
		starts[1] = int32(len(list))
		return list
	}
	in := resized(s.kept, len(links)) // the batch of each, for a moment
	s.kept = in
	for i := range links {
		in[i] = s.batchOf[s.islandOf(&links[i])]
		starts[in[i]]++
	}
	sumUp(starts)
	for i := len(in) - 1; i >= 0; i-- {
		k := &starts[in[i]]
		*k--
		list[*k] = int32(i)
	}
	return list
}

// sumUp makes each number the sum of those up to it.
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

// resetCarriers puts the worker's carriers back to the start of the step.
func (s *worker) resetCarriers() {
	copy(s.bodies[s.base:], s.carried)
}

// moveCarriers advances the displacements of the worker's carriers by a sub-step. Nothing changes
// their velocities.
func (s *worker) moveCarriers() { s.move(s, int(s.base)+1, int(s.base)+s.carriers) }

// finishCarriers takes the motions of the carriers from a worker that has moved them: all have moved
// them alike.
func (s *Solver) finishCarriers() {
	for i := range s.workers {
		if w := &s.workers[i]; w.solved {
			for k := 1; k < s.carriers; k++ {
				s.finishBody(int(w.base) + k)
			}
			return
		}
	}
}
