package solve

import (
	"math/bits"
	"slices"
)

// The contacts of a batch are packed into blocks before the first sub-step, and unpacked after
// the last. In between, the blocks hold the impulses. Code that treats one contact at a time
// fetches them and stores them back.

// bodySize is the size of a body, in bytes.
const bodySize = 64

// beginContacts forgets the contacts of the step before.
func (s *Solver) beginContacts() {
	s.impacts.linked = false
	s.impacts.uneven = resized(s.impacts.uneven, len(s.bodies))
	clear(s.impacts.uneven)
	s.used = resized(s.used, len(s.bodies))
	clear(s.used)
	s.places = resized(s.places, len(s.Contacts))
}

// prepare packs the contacts of t into blocks, and lists those that approach at speed, those
// that may bounce, those with a rotating kinematic body, and those of discs that roll about
// a centre of mass beside their middle.
func (s *Solver) prepare(t *batch) {
	m := &s.impacts
	m.approaching, s.surfaces, s.rollings, s.bouncing = m.approaching[:0], s.surfaces[:0], s.rollings[:0], s.bouncing[:0]
	anyUneven := false
	s.ones, s.twos = s.ones[:0], s.twos[:0]
	s.queueOne.reset()
	s.queueTwo.reset()
	for k, i := range t.contacts {
		c := &s.Contacts[i]
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		s.place(c, i, a, b, len(t.contacts)-k)
		p := &c.Points[0]
		bounces, approach := s.mayBounce(p), p.Velocity
		if c.N == 2 {
			q := &c.Points[1]
			bounces, approach = bounces || s.mayBounce(q), min(approach, q.Velocity)
		}
		if bounces {
			s.bouncing = append(s.bouncing, i)
		}
		if uneven(a, b) {
			m.uneven[c.A], m.uneven[c.B] = true, true
			anyUneven = true
		}
		if approach <= -impactSpeed && a.invMass+b.invMass > 0 {
			m.approaching = append(m.approaching, i)
		}
		if c.Static && (a.kinematicSpin() != 0 || b.kinematicSpin() != 0) {
			s.noteSurface(i)
		} else if c.Disc != NoDisc && c.N == 1 {
			s.noteRolling(i)
		}
	}
	s.queueOne.sort()
	s.queueTwo.sort()
	kernels.weighOne(s.bodies, s.ones, s.queueOne.order, &s.ofMoving)
	kernels.weighTwo(s.bodies, s.twos, s.queueTwo.order, &s.ofMoving)
	s.watched = s.watched[:0]
	if anyUneven {
		s.watch()
	}
}

// place packs contact i into a lane of the block that its colour has open. With i, so many
// contacts of the batch are left to place.
func (s *Solver) place(c *Contact, i int32, a, b *body, left int) {
	island, g := c.island(s), s.color(c, a, b)
	if c.N == 2 {
		j := s.queueTwo.open[g]
		if j < 0 {
			j = s.queueTwo.made(g)
			s.twos = appendZero(s.twos, min(left, left/8+groupCount))
		}
		k := &s.twos[j]
		l := k.n & 7
		s.places[i] = 8*j + int32(l)
		if k.pack(c, l, a, b); k.n == 8 {
			s.queueTwo.open[g] = -1
		}
		k.note(i, island, l)
		k.points[0].pack(&c.Points[0], l)
		k.points[1].pack(&c.Points[1], l)
		return
	}
	j := s.queueOne.open[g]
	if j < 0 {
		j = s.queueOne.made(g)
		s.ones = appendZero(s.ones, min(left, left/8+groupCount))
	}
	k := &s.ones[j]
	l := k.n & 7
	s.places[i] = 8*j + int32(l)
	if k.pack(c, l, a, b); k.n == 8 {
		s.queueOne.open[g] = -1
	}
	k.note(i, island, l)
	k.points[0].pack(&c.Points[0], l)
}

// appendZero appends a zero to a, cleared in place. If a is full, it makes room for more.
func appendZero[T any](a []T, more int) []T {
	n := len(a)
	if n == cap(a) {
		a = slices.Grow(a, more)
	}
	a = a[:n+1]
	clear(a[n:])
	return a
}

// pack fills lane l, the first empty one.
func (k *contactRows) pack(c *Contact, l uint32, a, b *body) {
	k.a[l], k.b[l] = uint32(c.A)*bodySize, uint32(c.B)*bodySize
	k.nx[l], k.ny[l] = c.NX, c.NY
	k.massA[l], k.massB[l] = a.invMass, b.invMass
	k.inertiaA[l], k.inertiaB[l] = a.invI, b.invI
	k.drift[l], k.radiusA[l], k.radiusB[l] = c.Drift, c.RadiusA, c.RadiusB
	if c.Rolling > 0 {
		k.rolls = 1
		k.spin[l], k.rolling[l], k.rollImpulse[l] = c.Spin, c.Rolling, c.RollImpulse
	}
	k.n++
}

// note sets the index and the island of the contact in lane l.
func (k *contactRows) note(i, island int32, l uint32) {
	k.source[l], k.island[l] = i, island
	if island != k.island[0] {
		k.mixed = 1
	}
}

// pack fills lane l.
func (r *pointRows) pack(p *Point, l uint32) {
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.normal[l], r.tangent[l] = p.NormalImpulse, p.TangentImpulse
	r.friction[l], r.velocity[l], r.slip[l] = p.Friction, p.Velocity, p.Slip
	r.separation[l] = p.Separation
}

// watch lists the blocks with bodies of high mass ratio, and marks their lanes.
func (s *Solver) watch() {
	for _, j := range s.queueTwo.order {
		s.watchBlock(&s.twos[j].contactRows)
	}
	for _, j := range s.queueOne.order {
		s.watchBlock(&s.ones[j].contactRows)
	}
}

func (s *Solver) watchBlock(k *contactRows) {
	for l := range k.n {
		if s.impacts.uneven[k.a[l&7]/bodySize] || s.impacts.uneven[k.b[l&7]/bodySize] {
			k.uneven |= 1 << l
		}
	}
	if k.uneven != 0 {
		s.watched = append(s.watched, k)
	}
}

// at returns where contact i is: the rows of its block and of its points, and its lane.
func (s *Solver) at(i int32) (*contactRows, []pointRows, int) {
	p := s.places[i]
	if s.Contacts[i].N == 2 {
		k := &s.twos[p>>3]
		return &k.contactRows, k.points[:], int(p & 7)
	}
	k := &s.ones[p>>3]
	return &k.contactRows, k.points[:], int(p & 7)
}

// fetch updates the impulses of contact i from its block.
func (s *Solver) fetch(i int32) *Contact {
	k, points, l := s.at(i)
	c := &s.Contacts[i]
	c.rollTotal = 0
	if c.Rolling > 0 {
		c.RollImpulse, c.rollTotal = k.rollImpulse[l], k.rollTotal[l]
	}
	for j := range points {
		p, r := &c.Points[j], &points[j]
		p.NormalImpulse, p.TangentImpulse = r.normal[l], r.tangent[l]
		p.MaxImpulse, p.normalTotal, p.tangentTotal = r.most[l], r.normalTotal[l], r.tangentTotal[l]
	}
	return c
}

// storeImpulses puts the impulses of contact i into its block.
func (s *Solver) storeImpulses(i int32) {
	k, points, l := s.at(i)
	c := &s.Contacts[i]
	if c.Rolling > 0 {
		k.rollImpulse[l], k.rollTotal[l] = c.RollImpulse, c.rollTotal
	}
	for j := range points {
		p, r := &c.Points[j], &points[j]
		r.normal[l], r.tangent[l] = p.NormalImpulse, p.TangentImpulse
		r.most[l], r.normalTotal[l], r.tangentTotal[l] = p.MaxImpulse, p.normalTotal, p.tangentTotal
	}
}

// storeVelocities puts the surface velocities of contact i into its block.
func (s *Solver) storeVelocities(i int32) {
	_, points, l := s.at(i)
	for j := range points {
		p, r := &s.Contacts[i].Points[j], &points[j]
		r.velocity[l], r.slip[l] = p.Velocity, p.Slip
	}
}

// storeArms puts the part of the first point of contact i into its block that a turn of the
// disc there changes.
func (s *Solver) storeArms(i int32) {
	s.storeVelocities(i)
	_, points, l := s.at(i)
	p, r := &s.Contacts[i].Points[0], &points[0]
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.separation[l], r.normalMass[l], r.tangentMass[l] = p.Separation, p.normalMass, p.tangentMass
}

// eachLane calls do with each contact that is in a lane of the mask.
func (k *contactRows) eachLane(mask uint32, do func(i int32)) {
	for ; mask != 0; mask &= mask - 1 {
		do(k.source[bits.TrailingZeros32(mask)])
	}
}
