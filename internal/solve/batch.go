package solve

import "slices"

// Islands do not affect each other, so each can make all its sub-steps before the next one
// begins. Small islands are solved in batches whose blocks stay in the second-level cache
// from sub-step to sub-step. The batches are a function of the islands alone.

// mostContacts is the number of contacts that a batch may have, unless one island has more.
// Blocks of two points are then 440 kB.
const mostContacts = 2048

// batch is one or more islands with successive numbers.
type batch struct {
	number      int
	islands     []island
	bodies      []int32        // theirs
	surfaces    []surface      // of their contacts
	rollings    []rolling      // of their contacts
	watched     []*contactRows // blocks with bodies of high mass ratio
	firstIsland int32
}

// divide divides the islands into batches.
func (s *Solver) divide() {
	most := s.most
	if most == 0 {
		most = mostContacts
	}
	s.batches = append(s.batches[:0], batch{})
	s.batchOf = resized(s.batchOf, len(s.islands))
	n := 0
	for i := range s.islands {
		here := (s.islands[i].left-baseWork)/workEach + 1
		last := &s.batches[len(s.batches)-1]
		if n += here; n > most && n > here {
			n = here
			s.batches = append(s.batches, batch{number: last.number + 1, firstIsland: int32(i)})
			last = &s.batches[len(s.batches)-1]
		}
		last.islands = s.islands[last.firstIsland : i+1]
		s.batchOf[i] = int32(last.number)
	}
	s.listBodies()
}

// listBodies lists the bodies of each batch, and those that do not move, which belong to
// none: each batch moves them along.
func (s *Solver) listBodies() {
	s.bodyOrder = resized(s.bodyOrder, len(s.bodies))
	s.carriers, s.carried = s.carriers[:0], s.carried[:0]
	s.starts = resized(s.starts, len(s.batches))
	clear(s.starts)
	for i := 1; i < len(s.bodies); i++ {
		if b := &s.bodies[i]; b.invMass == 0 && b.invI == 0 {
			s.carriers, s.carried = append(s.carriers, int32(i)), append(s.carried, *b)
		} else {
			s.starts[s.batchOf[s.Islands[i]]]++
		}
	}
	at := int32(0)
	for i, n := range s.starts {
		s.starts[i] = at
		s.batches[i].bodies = s.bodyOrder[at : at+n]
		at += n
	}
	for i := 1; i < len(s.bodies); i++ {
		if b := &s.bodies[i]; b.invMass > 0 || b.invI > 0 {
			k := &s.starts[s.batchOf[s.Islands[i]]]
			s.bodyOrder[*k] = int32(i)
			*k++
		}
	}
}

// resetCarriers puts the bodies that contacts do not move back to the start of the step.
func (s *Solver) resetCarriers() {
	for k, i := range s.carriers {
		s.bodies[i], s.turned[i] = s.carried[k], 0
	}
}

// batchOfContact returns the number of the batch that contact i is in.
func (s *Solver) batchOfContact(i int32) int {
	return int(s.batchOf[s.Contacts[i].island(s)])
}

// shareLists gives each batch its part of the lists that prepare made.
func (s *Solver) shareLists() {
	if len(s.batches) > 1 {
		slices.SortStableFunc(s.surfaces, func(a, b surface) int { return s.batchOfContact(a.contact) - s.batchOfContact(b.contact) })
		slices.SortStableFunc(s.rollings, func(a, b rolling) int { return s.batchOfContact(a.contact) - s.batchOfContact(b.contact) })
	}
	surfaces, rollings := s.surfaces, s.rollings
	for i := range s.batches {
		t := &s.batches[i]
		n := 0
		for n < len(surfaces) && s.batchOfContact(surfaces[n].contact) == i {
			n++
		}
		t.surfaces, surfaces = surfaces[:n], surfaces[n:]
		n = 0
		for n < len(rollings) && s.batchOfContact(rollings[n].contact) == i {
			n++
		}
		t.rollings, rollings = rollings[:n], rollings[n:]
	}
}
