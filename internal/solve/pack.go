package solve

import "math/bits"

// The contacts of a batch are packed into blocks before the first sub-step, and unpacked after
// the last. In between, the blocks hold the impulses. Code that treats one contact at a time
// works on a copy: it fetches the impulses and stores them back.

// bodySize is the size of a body, in bytes.
const bodySize = 64

// beginContacts forgets the contacts of the step before.
func (s *Solver) beginContacts() {
	s.uneven = resized(s.uneven, len(s.bodies))
	clear(s.uneven)
	s.used = resized(s.used, len(s.bodies))
	clear(s.used)
	s.places = resized(s.places, len(s.Links))
	s.kept = resized(s.kept, len(s.Links))
	clear(s.kept)
}

// prepare packs the contacts of t into blocks, and lists those that approach at speed, those
// that may bounce, those with a rotating kinematic body, and those of discs that roll about
// a centre of mass beside their middle.
func (s *worker) prepare(t *batch) {
	m := &s.impacts
	m.linked = false
	m.approaching, s.surfaces, s.rollings, s.bouncing = m.approaching[:0], s.surfaces[:0], s.rollings[:0], s.bouncing[:0]
	if s.copies = s.copies[:0]; cap(s.copies) < len(t.contacts) {
		s.copies = make([]Contact, 0, len(t.contacts)+len(t.contacts)/4) // pointers to copies stay valid
	}
	s.colorContacts(t)
	anyUneven := false
	for k, i := range t.contacts {
		c := &s.contact
		*c = Contact{}
		s.Source.Fill(i, c)
		s.identify(c, i)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		s.place(c, i, int(s.colors[k]), a, b)
		p := &c.Points[0]
		bounces, approach := s.mayBounce(p), p.Velocity
		if c.N == 2 {
			q := &c.Points[1]
			bounces, approach = bounces || s.mayBounce(q), min(approach, q.Velocity)
		}
		if bounces {
			s.keep(i)
			s.bouncing = append(s.bouncing, i)
		}
		if uneven(a, b) {
			s.uneven[c.A], s.uneven[c.B] = true, true
			anyUneven = true
		}
		if approach <= -impactSpeed && a.invMass+b.invMass > 0 {
			s.keep(i)
			m.approaching = append(m.approaching, i)
		}
		if c.Static && (a.kinematicSpin() != 0 || b.kinematicSpin() != 0) {
			s.keep(i)
			s.noteSurface(i)
		} else if c.Disc != NoDisc && c.N == 1 {
			s.keep(i)
			s.noteRolling(i)
		}
	}
	kernels.weighOne(s.bodies, s.ones, &s.ofMoving)
	kernels.weighTwo(s.bodies, s.twos, &s.ofMoving)
	s.watched = s.watched[:0]
	if anyUneven {
		s.watch()
	}
}

// colorContacts colours the contacts of t, and makes their blocks.
func (s *worker) colorContacts(t *batch) {
	s.colors = resized(s.colors, len(t.contacts))
	s.groupOne.contacts, s.groupTwo.contacts = [groupCount]int32{}, [groupCount]int32{}
	for k, i := range t.contacts {
		l := &s.Links[i]
		g := s.color(s.bodyOf[l.A], s.bodyOf[l.B], l.Static)
		s.colors[k] = uint8(g)
		if l.N == 2 {
			s.groupTwo.contacts[g]++
		} else {
			s.groupOne.contacts[g]++
		}
	}
	s.groupOne.divide()
	s.groupTwo.divide()
	s.ones, s.twos = resized(s.ones, s.groupOne.blocks()), resized(s.twos, s.groupTwo.blocks())
	for g := range groupCount {
		for j := s.groupOne.starts[g]; j < s.groupOne.starts[g+1]; j++ {
			k, n := &s.ones[j], s.groupOne.lanesOf(g, j)
			if n < 8 {
				*k = block1{}
			}
			k.begin(n)
		}
		for j := s.groupTwo.starts[g]; j < s.groupTwo.starts[g+1]; j++ {
			k, n := &s.twos[j], s.groupTwo.lanesOf(g, j)
			if n < 8 {
				*k = block2{}
			}
			k.begin(n)
		}
	}
}

// begin begins a block of n contacts.
func (k *contactRows) begin(n uint32) {
	k.n, k.rolls, k.uneven, k.separate, k.mixed = n, 0, 0, 0, 0
}

// identify sets the fields of c, contact i, that its link tells.
func (s *worker) identify(c *Contact, i int32) {
	l := &s.Links[i]
	c.A, c.B, c.N, c.Static = s.bodyOf[l.A], s.bodyOf[l.B], l.N, l.Static
}

// place packs c, contact i, into a lane of its group.
func (s *worker) place(c *Contact, i int32, group int, a, b *body) {
	island := s.islandOf(i)
	if c.N == 2 {
		at := s.groupTwo.place(group)
		s.places[i] = at
		k, l := &s.twos[at>>3], at&7
		k.pack(c, l, a, b)
		k.note(i, island, l)
		k.points[0].pack(&c.Points[0], l)
		k.points[1].pack(&c.Points[1], l)
		return
	}
	at := s.groupOne.place(group)
	s.places[i] = at
	k, l := &s.ones[at>>3], at&7
	k.pack(c, l, a, b)
	k.note(i, island, l)
	k.points[0].pack(&c.Points[0], l)
}

// pack fills lane l, which comes after those that are filled.
func (k *contactRows) pack(c *Contact, l int32, a, b *body) {
	l &= 7
	k.a[l], k.b[l] = uint32(c.A)*bodySize, uint32(c.B)*bodySize
	k.nx[l], k.ny[l] = c.NX, c.NY
	k.massA[l], k.massB[l] = a.invMass, b.invMass
	k.inertiaA[l], k.inertiaB[l] = a.invI, b.invI
	k.drift[l], k.radiusA[l], k.radiusB[l] = c.Drift, c.RadiusA, c.RadiusB
	if c.Rolling > 0 && k.rolls == 0 {
		k.rolls = 1
		k.spin, k.rolling, k.rollImpulse = lanes{}, lanes{}, lanes{}
	}
	if k.rolls != 0 {
		k.spin[l], k.rolling[l], k.rollImpulse[l] = c.Spin, c.Rolling, c.RollImpulse
	}
}

// note sets the index and the island of the contact in lane l.
func (k *contactRows) note(i, island int32, l int32) {
	l &= 7
	k.source[l], k.island[l] = i, island
	if island != k.island[0] {
		k.mixed = 1
	}
}

// pack fills lane l.
func (r *pointRows) pack(p *Point, l int32) {
	l &= 7
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.normal[l], r.tangent[l] = p.NormalImpulse, p.TangentImpulse
	r.friction[l], r.velocity[l], r.slip[l] = p.Friction, p.Velocity, p.Slip
	r.separation[l] = p.Separation
}

// watch lists the blocks with bodies of high mass ratio, and marks their lanes.
func (s *worker) watch() {
	for j := range s.twos {
		s.watchBlock(&s.twos[j].contactRows)
	}
	for j := range s.ones {
		s.watchBlock(&s.ones[j].contactRows)
	}
}

func (s *worker) watchBlock(k *contactRows) {
	for l := range k.n {
		if s.uneven[k.a[l&7]/bodySize] || s.uneven[k.b[l&7]/bodySize] {
			k.uneven |= 1 << l
		}
	}
	if k.uneven != 0 {
		s.watched = append(s.watched, k)
	}
}

// at returns where contact i is: the rows of its block and of its points, and its lane.
func (s *worker) at(i int32) (*contactRows, []pointRows, int) {
	p := s.places[i]
	if s.Links[i].N == 2 {
		k := &s.twos[p>>3]
		return &k.contactRows, k.points[:], int(p & 7)
	}
	k := &s.ones[p>>3]
	return &k.contactRows, k.points[:], int(p & 7)
}

// keep makes the contact being packed, which is i, the copy of contact i.
func (s *worker) keep(i int32) {
	if s.kept[i] == 0 {
		s.copies = append(s.copies, s.contact)
		s.kept[i] = int32(len(s.copies))
	}
}

// copyOf returns the copy of contact i. If there is none, it is made from the block, which does not
// hold the restitution, the disc, and without rolling resistance the spin.
func (s *worker) copyOf(i int32) *Contact {
	if k := s.kept[i]; k > 0 {
		return &s.copies[k-1]
	}
	s.copies = append(s.copies, Contact{})
	s.kept[i] = int32(len(s.copies))
	c := &s.copies[len(s.copies)-1]
	s.identify(c, i)
	k, points, l := s.at(i)
	c.NX, c.NY, c.Drift, c.RadiusA, c.RadiusB = k.nx[l], k.ny[l], k.drift[l], k.radiusA[l], k.radiusB[l]
	if k.rolls != 0 {
		c.Spin, c.Rolling = k.spin[l], k.rolling[l]
	}
	for j := range points {
		p, r := &c.Points[j], &points[j]
		p.NormalA, p.NormalB, p.TangentA, p.TangentB = r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l]
		p.Separation, p.Velocity, p.Slip, p.Friction = r.separation[l], r.velocity[l], r.slip[l], r.friction[l]
	}
	return c
}

// fetch returns the copy of contact i, with the impulses of its block.
func (s *worker) fetch(i int32) *Contact {
	k, points, l := s.at(i)
	c := s.copyOf(i)
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
func (s *worker) storeImpulses(i int32) {
	k, points, l := s.at(i)
	c := s.copyOf(i)
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
func (s *worker) storeVelocities(i int32) {
	_, points, l := s.at(i)
	c := s.copyOf(i)
	for j := range points {
		p, r := &c.Points[j], &points[j]
		r.velocity[l], r.slip[l] = p.Velocity, p.Slip
	}
}

// storeArms puts the part of the first point of contact i into its block that a turn of the
// disc there changes.
func (s *worker) storeArms(i int32) {
	s.storeVelocities(i)
	_, points, l := s.at(i)
	p, r := &s.copyOf(i).Points[0], &points[0]
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.separation[l], r.normalMass[l], r.tangentMass[l] = p.Separation, p.normalMass, p.tangentMass
}

// eachLane calls do with each contact that is in a lane of the mask.
func (k *contactRows) eachLane(mask uint32, do func(i int32)) {
	for ; mask != 0; mask &= mask - 1 {
		do(k.source[bits.TrailingZeros32(mask)])
	}
}
