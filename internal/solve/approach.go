package solve

import (
	"math"
	"slices"
)

// A cluster grows by the contacts of its bodies that approach at speed, so each round examines the contacts of all of its
// bodies. To tell whether a contact approaches takes only a few of its numbers: approach has these in one cache line.

// approach is the part of a contact that tells whether it approaches: 64 bytes.
type approach struct {
	contact int32
	a, b    int32 // bodies
	nx, ny  float32
	points  [2]approachPoint // the second of a contact of one point never approaches
	cluster uint32           // number of its last cluster
	search  uint32           // number of the last search that examined it
	read    uint32           // number of the cluster for which it was last read from the blocks
}

// approachPoint is a point of an approach.
type approachPoint struct {
	velocity         float32 // as in Point
	gap              float32 // speed that closes the gap in the given time; 0 if there is no gap
	normalA, normalB float32 // arms of the normal
}

// never is the velocity of the second point of a contact of one point.
var never = float32(math.Inf(1))

// link is a contact of the batch, or a joint, in the lists of its two bodies. It has an end in each: twice its
// index in impacts.links, plus the side.
type link struct {
	next     [2]int32 // of each end: 1 + the next one in the list, or 0
	contact  int32    // index of the contact, or ^number of the joint
	approach int32    // 1 + its index in impacts.approaches, or 0
	bounce   int32    // 1 + its index in worker.bounces, of a contact that is yet to bounce, or 0
}

// listLinks lists the contacts and joints of each body of the batch, once a step: contacts first, both in order. If the
// batches are those of the step before (Keep), the worker may still have the lists.
func (s *worker) listLinks() {
	m, t := &s.impacts, s.batch
	if m.linked {
		return
	}
	m.linked = true
	m.approaches = m.approaches[:0]
	m.number, m.since, m.search = 0, 0, 0
	m.moved = resized(m.moved, t.to-t.from)
	clear(m.moved)
	s.clustered = resized(s.clustered, int(s.pinNumbers())+len(s.joints))
	clear(s.clustered)
	contacts := len(t.contacts)
	if m.listed == t.index+1 {
		for k := range m.links[:contacts] {
			m.links[k].approach, m.links[k].bounce = 0, 0
		}
		return
	}
	m.listed = t.index + 1
	m.first, m.links = resized(m.first, t.to-t.from), resized(m.links, contacts+len(t.joints))
	clear(m.first)
	for k := len(t.joints) - 1; k >= 0; k-- {
		l := &s.JointLinks[t.joints[k]]
		s.link(contacts+k, ^s.jointNumbers[k], [2]int32{s.bodyOf[l.A], s.bodyOf[l.B]})
	}
	for k := contacts - 1; k >= 0; k-- {
		i := t.contacts[k]
		l := &s.Links[i]
		s.link(k, i, [2]int32{s.bodyOf[l.A], s.bodyOf[l.B]})
	}
}

// link makes a contact or joint the first in the lists of its bodies.
func (s *worker) link(at int, contact int32, bodies [2]int32) {
	m := &s.impacts
	j := &m.links[at]
	*j = link{contact: contact}
	for side, b := range bodies {
		if k := int(b) - s.batch.from; k >= 0 {
			j.next[side] = m.first[k]
			m.first[k] = int32(2*at+side) + 1
		}
	}
}

// positionOf returns the index of contact i in links.
func (s *worker) positionOf(i int32) int32 {
	k, _ := slices.BinarySearch(s.batch.contacts, i)
	return int32(k)
}

// approachAt returns the approach of the contact at an index in links. A point with a gap may approach at the speed that
// closes the gap in h seconds; time is the seconds since the start of the step. The pointer is valid until the next call.
func (s *worker) approachAt(position int32, h, time float32) *approach {
	m := &s.impacts
	j := &m.links[position]
	if j.approach == 0 {
		m.approaches = append(m.approaches, s.approachOf(j.contact, h, time))
		j.approach = int32(len(m.approaches))
	}
	r := &m.approaches[j.approach-1]
	if r.read < m.since {
		*r = s.approachOf(j.contact, h, time)
		r.read = m.number
	}
	return r
}

// approachOf returns the approach of contact i; h and time are as in approachAt.
func (s *worker) approachOf(i int32, h, time float32) approach {
	k, points, l := s.at(i)
	out := approach{contact: i, a: int32(k.a[l] / bodySize), b: int32(k.b[l] / bodySize), nx: k.nx[l], ny: k.ny[l]}
	out.points[1].velocity = never
	a, b := &s.bodies[out.a], &s.bodies[out.b]
	for j := range points {
		p, r := &out.points[j], &points[j]
		p.velocity, p.normalA, p.normalB = r.velocity[l], r.normalA[l], r.normalB[l]
		sep := r.separation[l]
		if time > 0 { // the bodies have moved
			moved := float32(k.drift[l]*time) + (float32((b.dx-a.dx)*out.nx) + float32((b.dy-a.dy)*out.ny))
			arms := Point{NormalA: p.normalA, NormalB: p.normalB, TangentA: r.tangentA[l], TangentB: r.tangentB[l]}
			sep = sep + moved + arms.anchorRise(k.radiusA[l], k.radiusB[l], a.dc-1, b.dc-1, a.ds, b.ds)
		}
		p.gap = max(0, sep) / h
	}
	return out
}

// fasterThan reports whether a point of r approaches at the given speed or faster, after the speed that closes its gap is
// subtracted.
func (r *approach) fasterThan(bodies []body, speed float32) bool {
	a, b := &bodies[r.a], &bodies[r.b]
	vn := float32((b.vx-a.vx)*r.nx) + float32((b.vy-a.vy)*r.ny)
	for k := range r.points {
		p := &r.points[k]
		if v := p.velocity + (vn + float32(b.w*p.normalB) - float32(a.w*p.normalA)); v <= -speed && v+p.gap <= -speed {
			return true
		}
	}
	return false
}
