package solve

import "slices"

// A cluster grows by the contacts of its bodies that its impulses make approach, or that bounce, too.

// link is a contact of the batch in the lists of its two bodies. It has an end in each: twice its index in
// clusters.links, plus the side.
type link struct {
	next    [2]int32 // of each end: 1 + the next one in the list, or 0
	contact int32
	cluster uint32 // number of its last cluster
	search  uint32 // number of the last search that examined it
}

// listLinks lists the contacts of each body of the batch in order, once a step. If the batches are kept from the
// step before (Keep), the worker may still have the lists.
func (s *worker) listLinks() {
	m, t := &s.clusters, s.batch
	if m.linked {
		return
	}
	m.linked, m.number, m.search = true, 0, 0
	n := t.to - t.from
	m.bodyAt = resized(m.bodyAt, n)
	clear(m.bodyAt)
	if m.listed == t.index+1 {
		for k := range m.links {
			m.links[k].cluster, m.links[k].search = 0, 0
		}
		return
	}
	m.listed = t.index + 1
	m.first, m.links = resized(m.first, n), resized(m.links, len(t.contacts))
	clear(m.first)
	for k := len(t.contacts) - 1; k >= 0; k-- {
		l := &s.Links[t.contacts[k]]
		j := &m.links[k]
		*j = link{contact: t.contacts[k]}
		for side, motion := range [2]int32{l.A, l.B} {
			if b := s.localBody(motion); b >= 0 {
				j.next[side] = m.first[b]
				m.first[b] = int32(2*k+side) + 1
			}
		}
	}
}

// positionOf returns the index of contact i in links.
func (s *worker) positionOf(i int32) int32 {
	k, _ := slices.BinarySearch(s.batch.contacts, i)
	return int32(k)
}

// grow adds the contacts that the cluster spreads to.
func (s *worker) grow() {
	m := &s.clusters
	m.search++
	for k := 0; k < len(m.bodies) && *m.visits > 0; k++ { // more may join
		for end := m.first[int(m.bodies[k].body)-s.batch.from]; end != 0; {
			at := (end - 1) >> 1
			l := &m.links[at]
			end = l.next[(end-1)&1]
			if l.cluster == m.number || l.search == m.search {
				continue
			}
			l.search = m.search
			*m.visits--
			if s.spreadsTo(l) {
				s.join(at)
			}
		}
	}
}

// spreadsTo reports whether the cluster spreads to a contact.
func (s *worker) spreadsTo(l *link) bool {
	if m := &s.clusters; m.kind == bounces {
		return l.cluster <= m.begun && s.mayBounce(l.contact)
	}
	return s.approaches(l.contact, spreadSpeed)
}

// approaches reports whether a point of contact i approaches at the given speed or faster, after the speed that closes
// its gap is subtracted.
func (s *worker) approaches(i int32, speed float32) bool {
	k, points, l := s.at(i)
	a, b := &s.bodies[k.a[l]/bodySize], &s.bodies[k.b[l]/bodySize]
	vn := float32((b.vx-a.vx)*k.nx[l]) + float32((b.vy-a.vy)*k.ny[l])
	for j := range points {
		p := &points[j]
		v := p.velocity[l] + (vn + float32(b.w*p.normalB[l]) - float32(a.w*p.normalA[l]))
		if v <= -speed && v+s.closing(p, l) <= -speed {
			return true
		}
	}
	return false
}

// closing returns the speed that closes the gap at a point of lane l in the time of the present clusters; 0 if there is
// none.
func (s *worker) closing(p *pointRows, l int) float32 { return max(0, p.separation[l]) / s.clusters.h }
