package solve

import "math/bits"

// Contacts are packed into blocks before the first sub-step, and unpacked after the last. In
// between, the blocks hold the impulses; contacts that are treated one by one fetch them and
// store them back.

// bodySize is the size of a body, in bytes.
const bodySize = 64

// pack fills the blocks. Impacts have been solved, so the contacts have impulses already.
func (s *Solver) pack() {
	s.color()
	for i := range s.Contacts {
		c := &s.Contacts[i]
		l := int(s.places[i] & 7)
		if c.N == 2 {
			k := &s.twos[s.places[i]>>3]
			s.packContact(&k.contactRows, int32(i), c, l)
			p, q := &c.Points[0], &c.Points[1]
			k.points[0].pack(p, l)
			k.points[1].pack(q, l)
			k.between[l] = c.invMassBetween(&s.bodies[c.A], &s.bodies[c.B])
			k.inverse11[l], k.inverse12[l], k.inverse22[l] = c.i11, c.i12, c.i22
			if c.i11 == 0 {
				// The two are as good as one: each takes half of what it takes alone.
				k.inverse11[l], k.inverse22[l] = 0.5*p.normalMass, 0.5*q.normalMass
			}
		} else {
			k := &s.ones[s.places[i]>>3]
			s.packContact(&k.contactRows, int32(i), c, l)
			k.points[0].pack(&c.Points[0], l)
		}
	}
	s.watched = s.watched[:0]
	for i := range s.twos {
		if s.twos[i].uneven != 0 {
			s.watched = append(s.watched, &s.twos[i].contactRows)
		}
	}
	for i := range s.ones {
		if s.ones[i].uneven != 0 {
			s.watched = append(s.watched, &s.ones[i].contactRows)
		}
	}
}

// packContact fills lane l of k.
func (s *Solver) packContact(k *contactRows, i int32, c *Contact, l int) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	k.a[l], k.b[l] = uint32(c.A)*bodySize, uint32(c.B)*bodySize
	k.nx[l], k.ny[l] = c.NX, c.NY
	k.massA[l], k.massB[l] = a.invMass, b.invMass
	k.inertiaA[l], k.inertiaB[l] = a.invI, b.invI
	k.drift[l], k.radiusA[l], k.radiusB[l] = c.Drift, c.RadiusA, c.RadiusB
	k.island[l], k.source[l] = c.island(s), i
	if c.Rolling > 0 {
		if k.rolls == 0 {
			k.rolls = 1
			k.spin, k.rolling, k.rollMass, k.rollImpulse, k.rollTotal = lanes{}, lanes{}, lanes{}, lanes{}, lanes{}
		}
		k.spin[l], k.rolling[l], k.rollMass[l] = c.Spin, c.Rolling, inverse(a.invI+b.invI)
		k.rollImpulse[l], k.rollTotal[l] = c.RollImpulse, c.rollTotal
	}
	if s.impacts.uneven[c.A] || s.impacts.uneven[c.B] {
		k.uneven |= 1 << l
	}
}

// pack fills lane l of r.
func (r *pointRows) pack(p *Point, l int) {
	r.packArms(p, l)
	r.friction[l] = p.Friction
	r.packImpulses(p, l)
}

// packArms stores the part of p that a turn of its bodies changes.
func (r *pointRows) packArms(p *Point, l int) {
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.velocity[l], r.slip[l], r.separation[l] = p.Velocity, p.Slip, p.Separation
	r.normalMass[l], r.tangentMass[l] = p.normalMass, p.tangentMass
}

func (r *pointRows) packImpulses(p *Point, l int) {
	r.normal[l], r.tangent[l] = p.NormalImpulse, p.TangentImpulse
	r.most[l], r.normalTotal[l], r.tangentTotal[l] = p.MaxImpulse, p.normalTotal, p.tangentTotal
}

func (r *pointRows) unpackImpulses(p *Point, l int) {
	p.NormalImpulse, p.TangentImpulse = r.normal[l], r.tangent[l]
	p.MaxImpulse, p.normalTotal, p.tangentTotal = r.most[l], r.normalTotal[l], r.tangentTotal[l]
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
	if c.Rolling > 0 {
		c.RollImpulse, c.rollTotal = k.rollImpulse[l], k.rollTotal[l]
	}
	for j := range points {
		points[j].unpackImpulses(&c.Points[j], l)
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
		points[j].packImpulses(&c.Points[j], l)
	}
}

// storeArms puts the part of contact i into its block that a turn of its bodies changes.
func (s *Solver) storeArms(i int32) {
	_, points, l := s.at(i)
	c := &s.Contacts[i]
	for j := range points {
		points[j].packArms(&c.Points[j], l)
	}
}

// unpack takes the impulses from the blocks.
func (s *Solver) unpack() {
	for i := range s.Contacts {
		s.fetch(int32(i))
	}
}

// setConstants sets the numbers of a pass, time seconds into the step, in sub-steps of h
// seconds.
func (s *Solver) setConstants(h, time float32) {
	if s.ofMoving.one == (lanes{}) {
		for _, c := range []*constants{&s.ofMoving, &s.ofFixed} {
			fill(&c.half, 0.5)
			fill(&c.one, 1)
			fill(&c.separating, separateSpeed)
			fill(&c.invEdge, 1/springEdge)
		}
	}
	s.ofMoving.set(&s.soft, h, time, s.PushSpeed)
	s.ofFixed.set(&s.softStatic, h, time, s.PushSpeed)
}

func (c *constants) set(soft *softness, h, time, push float32) {
	fill(&c.time, time)
	fill(&c.invH, 1/h)
	fill(&c.biasRate, soft.biasRate)
	fill(&c.soft, soft.impulseScale)
	fill(&c.push, -push)
}

func fill(row *lanes, x float32) {
	for i := range row {
		row[i] = x
	}
}

// pass solves every contact once, time seconds into the step, in sub-steps of h seconds. With
// spring, overlap is pushed apart; without, it stays (relax pass).
func (s *Solver) pass(h, time float32, spring bool) {
	s.setConstants(h, time)
	if spring {
		s.run(kernels.springOne, kernels.springTwo)
	} else {
		s.run(kernels.relaxOne, kernels.relaxTwo)
	}
}

// run runs kernels over all blocks, group by group.
func (s *Solver) run(one func([]body, []block1, *constants), two func([]body, []block2, *constants)) {
	for g := range s.groups {
		at, c := &s.groups[g], &s.ofMoving
		if g >= firstFixed {
			c = &s.ofFixed
		}
		if at.twoStart < at.twoEnd {
			two(s.bodies, s.twos[at.twoStart:at.twoEnd], c)
		}
		if at.oneStart < at.oneEnd {
			one(s.bodies, s.ones[at.oneStart:at.oneEnd], c)
		}
	}
}

// eachLane calls do with each contact that is in a lane of the mask.
func (k *contactRows) eachLane(mask uint32, do func(i int32)) {
	for ; mask != 0; mask &= mask - 1 {
		do(k.source[bits.TrailingZeros32(mask)])
	}
}
