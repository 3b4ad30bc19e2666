package solve

// Islands do not affect each other, so one can be solved from beginning to end before the next:
// small islands are solved in batches whose blocks stay in the second-level cache. The batches
// are a function of the islands alone.

// mostContacts is the number of contacts that a batch may have, unless one island has more.
// Blocks of two points are then 440 kB.
const mostContacts = 2048

// batch is one or more islands with successive numbers, and as many rigid passes in a sub-step.
type batch struct {
	passes   int
	islands  []island
	bodies   []int32 // theirs
	contacts []int32 // theirs, in order
}

// divide divides the islands into batches.
func (s *Solver) divide() {
	most := s.most
	if most == 0 {
		most = mostContacts
	}
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
	s.listBodies()
	s.listContacts()
}

// listBodies lists the bodies of each batch, and those that contacts do not move, which belong
// to none: they move along with every batch.
func (s *Solver) listBodies() {
	s.carriers, s.carried = s.carriers[:0], s.carried[:0]
	s.bodyOrder = resized(s.bodyOrder, len(s.bodies))
	starts := resized(s.starts, len(s.batches)+1)
	s.starts = starts
	clear(starts)
	for i := 1; i < len(s.bodies); i++ {
		if b := &s.bodies[i]; b.fixed() {
			s.carriers, s.carried = append(s.carriers, int32(i)), append(s.carried, *b)
		} else {
			starts[s.batchOf[s.Islands[i]]+1]++
		}
	}
	sumUp(starts)
	for i := range s.batches {
		s.batches[i].bodies = s.bodyOrder[starts[i]:starts[i+1]]
	}
	for i := 1; i < len(s.bodies); i++ {
		if !s.bodies[i].fixed() {
			k := &starts[s.batchOf[s.Islands[i]]]
			s.bodyOrder[*k] = int32(i)
			*k++
		}
	}
}

// listContacts lists the contacts of each batch.
func (s *Solver) listContacts() {
	s.contactOrder = resized(s.contactOrder, len(s.Contacts))
	if len(s.batches) == 1 {
		for i := range s.contactOrder {
			s.contactOrder[i] = int32(i)
		}
		s.batches[0].contacts = s.contactOrder
		return
	}
	starts := resized(s.starts, len(s.batches)+1)
	clear(starts)
	in := resized(s.places, len(s.Contacts)) // the batch of each, for a moment
	s.places = in
	for i := range s.Contacts {
		in[i] = s.batchOf[s.Contacts[i].island(s)]
		starts[in[i]+1]++
	}
	sumUp(starts)
	for i := range s.batches {
		s.batches[i].contacts = s.contactOrder[starts[i]:starts[i+1]]
	}
	for i, of := range in {
		k := &starts[of]
		s.contactOrder[*k] = int32(i)
		*k++
	}
}

// sumUp makes each number the sum of those up to it.
func sumUp(a []int32) {
	for i := 1; i < len(a); i++ {
		a[i] += a[i-1]
	}
}

// fixed reports whether no impulse moves b: it is static, kinematic or held.
func (b *body) fixed() bool { return b.invMass == 0 && b.invI == 0 }

// resetCarriers puts the bodies that contacts do not move back to the start of the step.
func (s *Solver) resetCarriers() {
	for k, i := range s.carriers {
		s.bodies[i], s.turned[i] = s.carried[k], 0
	}
}
