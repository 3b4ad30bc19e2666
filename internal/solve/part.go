package solve

import "sync/atomic"

// Before the islands are solved, their contacts and bodies are counted and put in the order of the batches: a stable
// sort by counting. Each worker does a part of the contacts and of the motions, from one index to the next; the parts
// before it tell where its own begin. So the order does not depend on the number of workers.

// part is the part of a worker in the contacts and motions.
type part struct {
	islands []counted
	// the number of its fixed motions (Motion.fixed); then the index in Solver.bodies of the next one's body
	fixed int32
	next  []placement // of each batch
}

// counted has the numbers of contacts and bodies of an island that are in a part.
type counted struct{ contacts, bodies int32 }

// placement is where the next contact and body of a part go.
type placement struct{ contact, body int32 }

// within returns the range of n items that is part k.
func (s *Solver) within(k, n int) (from, to int) {
	return n * k / len(s.parts), n * (k + 1) / len(s.parts)
}

// countParts counts the contacts and bodies of each island, and notes which bodies yield (see yield).
func (s *Solver) countParts() {
	s.contactIslands = resized(s.contactIslands, len(s.Links))
	s.Team.Each(len(s.parts), 1, s.loops.count)
}

// count is countParts for part k.
func (s *Solver) count(k int) {
	p := &s.parts[k]
	p.islands = resized(p.islands, s.IslandCount)
	clear(p.islands)
	from, to := s.within(k, len(s.Links))
	islands, yields, contactIslands := p.islands, s.yields, s.contactIslands
	for i := from; i < to; i++ {
		l := &s.Links[i]
		in := s.islandOf(l)
		contactIslands[i] = in
		if islands[in].contacts++; l.Static {
			s.noteYield(l)
		} else if atomic.LoadUint32(&yields[l.A])&atomic.LoadUint32(&yields[l.B]) == 0 {
			atomic.StoreUint32(&yields[l.A], 1)
			atomic.StoreUint32(&yields[l.B], 1)
		}
	}
	fixed := int32(0)
	from, to = s.within(k, len(s.Motions))
	for i := from; i < to; i++ {
		if s.Motions[i].fixed() {
			fixed++
		} else {
			p.islands[s.Islands[i]].bodies++
		}
	}
	p.fixed = fixed // not before: the parts of other workers are beside p in memory
}

// place puts the contacts and bodies in the order of the batches, and sets the bodies. First come, for each worker,
// copies of the fixed bodies (Motion.fixed): they belong to no batch, and a worker moves its copies along with each
// batch that it solves. Then come the bodies of each batch.
func (s *Solver) place() {
	s.fixedCount = 0
	for k := range s.parts {
		p := &s.parts[k]
		n := p.fixed
		p.fixed = int32(s.fixedCount)
		s.fixedCount += int(n)
		p.next = resized(p.next, len(s.batches))
		clear(p.next)
		for i := range p.islands {
			b := &p.next[s.batchOf[i]]
			b.contact += p.islands[i].contacts
			b.body += p.islands[i].bodies
		}
	}
	copies := s.fixedCount * len(s.workers)
	contact, body := int32(0), int32(copies)
	s.contactStarts = append(s.contactStarts[:0], 0)
	for i := range s.batches {
		s.batches[i].from = int(body)
		for k := range s.parts {
			b := &s.parts[k].next[i]
			b.contact, contact = contact, contact+b.contact
			b.body, body = body, body+b.body
		}
		s.batches[i].to = int(body)
		s.contactStarts = append(s.contactStarts, contact)
	}
	s.contactOrder, s.bodyOf = resized(s.contactOrder, len(s.Links)), resized(s.bodyOf, len(s.Motions))
	s.motionOf = resized(s.motionOf, int(body))
	s.bodies, s.rareBodies = resized(s.bodies, int(body)), resized(s.rareBodies, int(body))
	s.Team.Each(len(s.parts), 1, s.loops.place)
	s.copyFixed()
}

// copyFixed keeps the fixed bodies as they are at the start of the step, and copies them for all workers but the first.
func (s *Solver) copyFixed() {
	s.fixedAtStart, s.rareFixedAtStart = append(s.fixedAtStart[:0], s.bodies[:s.fixedCount]...),
		append(s.rareFixedAtStart[:0], s.rareBodies[:s.fixedCount]...)
	for i := s.fixedCount; i < s.fixedCount*len(s.workers); i++ {
		j := i - s.fixedCount
		s.motionOf[i], s.bodies[i], s.rareBodies[i] = s.motionOf[j], s.bodies[j], s.rareBodies[j]
	}
}

// setBodies sets the bodies, in the places of the step before.
func (s *Solver) setBodies() {
	s.Team.Each(len(s.parts), 1, s.loops.bodies)
	s.copyFixed()
}

// setBodiesOf is setBodies for part k.
func (s *Solver) setBodiesOf(k int) {
	h := s.dt / float64(s.n)
	from, to := s.within(k, len(s.Motions))
	for i := from; i < to; i++ {
		s.setBody(s.bodyOf[i], &s.Motions[i], h)
	}
}

// placePart puts the contacts and bodies of part k in the order of the batches, and sets the bodies; see place.
func (s *Solver) placePart(k int) {
	next, fixed := s.parts[k].next, s.parts[k].fixed
	from, to := s.within(k, len(s.Links))
	batchOf, contactIslands, order := s.batchOf, s.contactIslands, s.contactOrder
	for i := from; i < to; i++ {
		b := &next[batchOf[contactIslands[i]]]
		order[b.contact] = int32(i)
		b.contact++
	}
	h := s.dt / float64(s.n)
	from, to = s.within(k, len(s.Motions))
	for i := from; i < to; i++ {
		m, at := &s.Motions[i], &fixed
		if !m.fixed() {
			at = &next[s.batchOf[s.Islands[i]]].body
		}
		s.bodyOf[i], s.motionOf[*at] = *at, int32(i)
		s.setBody(*at, m, h)
		*at++
	}
}
