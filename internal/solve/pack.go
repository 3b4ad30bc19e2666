package solve

import (
	"math/bits"
	"slices"
)

// The contacts of a batch are packed into blocks before the first sub-step, and unpacked after
// the last. In between, the blocks hold the impulses. Code that treats one contact at a time
// works on a copy: it fetches the impulses and stores them back.

// bodySize is the size of a body, in bytes.
const bodySize = 64

// beginContacts forgets the contacts of the step before.
func (s *Solver) beginContacts() {
	s.uneven = resized(s.uneven, len(s.bodies))
	clear(s.uneven)
	s.keepColors()
	s.usedByJoints = resized(s.usedByJoints, len(s.bodies))
	clear(s.usedByJoints)
	s.kept = resized(s.kept, len(s.Links))
	clear(s.kept)
}

// found lists the contacts of a batch that need more work than the passes.
type found struct {
	approaching []int32 // at speed when the step begins
	bouncing    []int32 // restitution may apply to them
	surfaces    []int32 // with a rotating kinematic body
	rolling     []int32 // of a disc with its centre of mass beside its middle
	uneven      []int32 // between bodies of high mass ratio
}

// lists returns the lists.
func (f *found) lists() [5]*[]int32 {
	return [...]*[]int32{&f.approaching, &f.bouncing, &f.surfaces, &f.rolling, &f.uneven}
}

// clear empties the lists.
func (f *found) clear() {
	for _, list := range f.lists() {
		*list = (*list)[:0]
	}
}

// prepare packs the contacts of the batch into blocks, and lists those that need more work.
func (s *worker) prepare() {
	s.impacts.linked = false
	s.surfaces, s.rollings, s.watched = s.surfaces[:0], s.rollings[:0], s.watched[:0]
	n := len(s.batch.contacts)
	if s.copies = s.copies[:0]; cap(s.copies) < n {
		s.copies = make([]Contact, 0, n+n/4) // pointers to copies stay valid
	}
	s.makeBlocks()
	s.found.clear()
	if s.split {
		for i := range s.workers {
			s.workers[i].found.clear()
		}
	}
	s.each(n, contactGrain, (*worker).fill)
	s.each(len(s.ones), kernelGrain, (*worker).weighOnes)
	s.each(len(s.twos), kernelGrain, (*worker).weighTwos)
	s.gather()
	for _, i := range s.found.surfaces {
		s.noteSurface(i)
	}
	for _, i := range s.found.rolling {
		s.noteRolling(i)
	}
	if joints := s.unevenJoints(); joints || len(s.found.uneven) > 0 {
		s.watch()
	}
}

// gather merges the lists of all workers, in the order of the contacts.
func (s *worker) gather() {
	all := s.found.lists()
	if s.split {
		for i := range s.workers {
			if w := &s.workers[i]; w != s {
				for k, list := range w.found.lists() {
					*all[k] = append(*all[k], *list...)
				}
			}
		}
	}
	for _, list := range all {
		slices.Sort(*list)
	}
}

// makeBlocks makes the blocks of the batch's contacts, and gives each contact a lane.
func (s *worker) makeBlocks() {
	g := &s.groups[s.batch.index]
	if !s.colorsKept {
		s.colorContacts(g)
		s.placeContacts(g)
	}
	s.groupOne, s.groupTwo = &g.one, &g.two
	s.ones, s.twos = resized(s.ones, g.one.blocks()), resized(s.twos, g.two.blocks())
	for i := range groupCount {
		for j := g.one.starts[i]; j < g.one.starts[i+1]; j++ {
			k, n := &s.ones[j], g.one.lanesOf(i, j)
			if n < 8 {
				*k = block1{}
			}
			k.begin(n)
		}
		for j := g.two.starts[i]; j < g.two.starts[i+1]; j++ {
			k, n := &s.twos[j], g.two.lanesOf(i, j)
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

// colorContacts colours the contacts of the batch.
func (s *worker) colorContacts(to *batchGroups) {
	s.colors = resized(s.colors, len(s.batch.contacts))
	to.one.contacts, to.two.contacts = [groupCount]int32{}, [groupCount]int32{}
	for k, i := range s.batch.contacts {
		l := &s.Links[i]
		g := s.color(s.used, s.bodyOf[l.A], s.bodyOf[l.B], l.Static)
		s.colors[k] = uint8(g)
		to.of(l.N).contacts[g]++
	}
	to.one.divide()
	to.two.divide()
}

// placeContacts gives each contact of the batch a lane of its group.
func (s *worker) placeContacts(to *batchGroups) {
	for k, i := range s.batch.contacts {
		s.places[i] = to.of(s.Links[i].N).place(int(s.colors[k]))
	}
}

// fill fills the lanes of a range of the batch's contacts, and lists those that need more work.
func (s *worker) fill(helper *worker, from, to int) {
	c, f := &helper.contact, &helper.found
	for _, i := range s.batch.contacts[from:to] {
		*c = Contact{}
		s.Source.Fill(helper.number, i, c)
		s.identify(c, i)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		k, points, l := s.at(i)
		k.pack(c, l, a, b)
		k.source[l], k.island[l] = i, s.islandOf(&s.Links[i])
		bounces, approach := false, float32(0)
		for j := range points {
			p := &c.Points[j]
			points[j].pack(p, l)
			bounces, approach = bounces || s.mayBounce(p), min(approach, p.Velocity)
		}
		if bounces {
			f.bouncing = append(f.bouncing, i)
		}
		if uneven(a, b) {
			f.uneven = append(f.uneven, i)
		}
		if approach <= -ImpactSpeed && a.invMass+b.invMass > 0 {
			f.approaching = append(f.approaching, i)
		}
		if c.Static && (a.kinematicSpin() != 0 || b.kinematicSpin() != 0) {
			f.surfaces = append(f.surfaces, i)
		} else if c.Disc != NoDisc && c.N == 1 {
			f.rolling = append(f.rolling, i)
		}
	}
}

// weighOnes sets the effective masses of a range of the blocks of one point.
func (s *worker) weighOnes(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.ones[j].note()
	}
	kernels.weighOne(s.bodies, s.ones[from:to], &s.ofMoving)
}

// weighTwos does the same for blocks of two points.
func (s *worker) weighTwos(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.twos[j].note()
	}
	kernels.weighTwo(s.bodies, s.twos[from:to], &s.ofMoving)
}

// note notes whether a contact of the block has rolling resistance, and whether its contacts are of several islands.
func (k *contactRows) note() {
	for _, r := range &k.rolling {
		if r > 0 {
			k.rolls = 1
		}
	}
	for l := range k.n {
		if k.island[l&7] != k.island[0] {
			k.mixed = 1
		}
	}
}

// identify sets the fields of c, contact i, that its link tells.
func (s *worker) identify(c *Contact, i int32) {
	l := &s.Links[i]
	c.A, c.B, c.N, c.Static = s.bodyIn(l.A), s.bodyIn(l.B), l.N, l.Static
}

// bodyIn returns the body of a motion: of those that contacts do not move, the worker's own.
func (s *worker) bodyIn(motion int32) int32 {
	b := s.bodyOf[motion]
	if int(b) < s.carriers {
		b += s.base
	}
	return b
}

// pack fills lane l.
func (k *contactRows) pack(c *Contact, l int, a, b *body) {
	l &= 7
	k.a[l], k.b[l] = uint32(c.A)*bodySize, uint32(c.B)*bodySize
	k.nx[l], k.ny[l] = c.NX, c.NY
	k.massA[l], k.massB[l] = a.invMass, b.invMass
	k.inertiaA[l], k.inertiaB[l] = a.invI, b.invI
	k.drift[l], k.radiusA[l], k.radiusB[l] = c.Drift, c.RadiusA, c.RadiusB
	k.spin[l], k.rolling[l], k.rollImpulse[l] = c.Spin, c.Rolling, c.RollImpulse
}

// pack fills lane l.
func (r *pointRows) pack(p *Point, l int) {
	l &= 7
	r.normalA[l], r.normalB[l], r.tangentA[l], r.tangentB[l] = p.NormalA, p.NormalB, p.TangentA, p.TangentB
	r.normal[l], r.tangent[l] = p.NormalImpulse, p.TangentImpulse
	r.friction[l], r.velocity[l], r.slip[l] = p.Friction, p.Velocity, p.Slip
	r.separation[l] = p.Separation
}

// unevenJoints marks the bodies of high mass ratio that joints join, and reports whether there are any: contacts with
// them are watched.
func (s *worker) unevenJoints() bool {
	found := false
	for j := range s.pins {
		k := &s.pins[j]
		for l := range k.n {
			l &= 7
			if a, b := k.massA[l], k.massB[l]; unevenMasses(a, b) {
				s.uneven[k.a[l]/bodySize], s.uneven[k.b[l]/bodySize] = true, true
				found = true
			}
		}
	}
	for k := range s.joints {
		if j := &s.joints[k]; uneven(&s.bodies[j.a], &s.bodies[j.b]) {
			s.uneven[j.a], s.uneven[j.b] = true, true
			found = true
		}
	}
	return found
}

// watch lists the blocks with bodies of high mass ratio, and marks their lanes.
func (s *worker) watch() {
	for _, i := range s.found.uneven {
		l := &s.Links[i]
		s.uneven[s.bodyOf[l.A]], s.uneven[s.bodyOf[l.B]] = true, true
	}
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

// copyOf returns the copy of contact i.
func (s *worker) copyOf(i int32) *Contact {
	if k := s.kept[i]; k > 0 {
		return &s.copies[k-1]
	}
	s.copies = append(s.copies, Contact{})
	s.kept[i] = int32(len(s.copies))
	c := &s.copies[len(s.copies)-1]
	s.Source.Fill(s.number, i, c)
	s.identify(c, i)
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
