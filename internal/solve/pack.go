package solve

import (
	"math/bits"
	"slices"
	"unsafe"
)

// The contacts of a batch are packed into blocks before the first sub-step, and unpacked after
// the last. In between, the blocks hold the impulses.

// The sizes of a body and of a motion, in bytes.
const (
	bodySize   = 32
	motionSize = uint32(unsafe.Sizeof(Motion{}))
)

// beginContacts forgets the contacts of the step before.
func (s *Solver) beginContacts() {
	if !s.same {
		s.used = resized(s.used, len(s.bodies))
		clear(s.used)
		s.places, s.groups = resized(s.places, len(s.Links)), resized(s.groups, len(s.batches))
		s.packed, s.packing = resized(s.packed, len(s.Links)), resized(s.packing, len(s.Links))
	}
	s.usedByJoints = resized(s.usedByJoints, len(s.bodies)) // numberJoints clears it
}

// found lists the contacts of a batch that need more work than the passes.
type found struct {
	approaching []int32 // at speed when the step begins
	bouncing    []int32 // contacts to which restitution may apply
	turning     []int32 // of rotating kinematic bodies, and of discs that may roll off centre; see turning.go
}

// lists returns the lists.
func (f *found) lists() [3]*[]int32 { return [...]*[]int32{&f.approaching, &f.bouncing, &f.turning} }

// clear empties the lists.
func (f *found) clear() {
	for _, list := range f.lists() {
		*list = (*list)[:0]
	}
}

// prepare packs the contacts of the batch into blocks, and lists those that need more work.
func (s *worker) prepare() {
	s.sumSlack()
	s.clusters.linked = false
	s.turning = s.turning[:0]
	s.makeBlocks()
	s.found.clear()
	if s.split {
		for i := range s.workers {
			s.workers[i].found.clear()
		}
	}
	s.each(len(s.packing), packGrain, (*worker).pack)
	s.gather()
	for _, i := range s.found.turning {
		s.noteTurning(i)
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

// makeBlocks makes room for the blocks of the batch's contacts, and gives each contact a lane.
func (s *worker) makeBlocks() {
	g := &s.groups[s.batch.index]
	first := s.contactStarts[s.batch.index]
	s.packed = s.Solver.packed[first:][:len(s.batch.contacts)]
	if !s.same {
		s.each(2, 1, (*worker).colorOrLink)
	}
	s.grouped = g
	s.packing = s.Solver.packing[first:][:g.one.blocks()+g.two.blocks()]
	s.ones, s.twos = resized(s.ones, g.one.blocks()), resized(s.twos, g.two.blocks())
	s.rareOnes, s.rareTwos = resized(s.rareOnes, len(s.ones)), resized(s.rareTwos, len(s.twos))
	s.inputOnes, s.inputTwos = resized(s.inputOnes, len(s.ones)), resized(s.inputTwos, len(s.twos))
}

// colorOrLink colours and places the contacts of the batch, as task 0. As task 1 it lists the contacts of each body,
// for impacts, if another worker has time for it: most large islands whose contacts have changed have impacts.
func (s *worker) colorOrLink(_ *worker, from, to int) {
	for task := from; task < to; task++ {
		if task == 0 {
			g := &s.groups[s.batch.index]
			s.colorContacts(g)
			s.placeContacts(g)
		} else if s.split {
			s.listLinks()
		}
	}
}

// noManifold and noSurface are the manifold and the surface of empty lanes.
var (
	noManifold Manifold
	noSurface  Surface
)

// empty makes all lanes empty.
func (in *input) empty() {
	*in = input{}
	for l := range in.manifold {
		in.manifold[l], in.surface[0][l], in.surface[1][l] = &noManifold, &noSurface, &noSurface
	}
}

// colorContacts colours the contacts of the batch.
func (s *worker) colorContacts(to *batchGroups) {
	s.colors = resized(s.colors, len(s.batch.contacts))
	to.one.contacts, to.two.contacts = [groupCount]int32{}, [groupCount]int32{}
	s.countContacts()
	for k, i := range s.batch.contacts {
		l := &s.Links[i]
		g := s.color(s.used, s.bodyOf[l.A], s.bodyOf[l.B], s.kindOf(i))
		s.colors[k] = uint8(g)
		to.of(l.N).contacts[g]++
	}
	to.divide()
}

// columnContacts is the number of contacts that a body in a column may have: one below, one above.
const columnContacts = 2

// countContacts counts the contacts of each body of the batch, up to one more than a column's.
func (s *worker) countContacts() {
	s.contactsOf = resized(s.contactsOf, s.batch.to-s.batch.from)
	clear(s.contactsOf)
	for _, i := range s.batch.contacts {
		for _, motion := range [2]int32{s.Links[i].A, s.Links[i].B} {
			if n := s.contactsAt(motion); n != nil {
				*n = min(*n+1, columnContacts+1)
			}
		}
	}
}

// contactsAt returns where the contacts of a motion's body are counted; nil if it is no body of the batch.
func (s *worker) contactsAt(motion int32) *uint8 {
	if b := s.localBody(motion); b >= 0 && int(b) < len(s.contactsOf) {
		return &s.contactsOf[b]
	}
	return nil
}

// kindOf returns the kind of contact i of the batch.
func (s *worker) kindOf(i int32) kind {
	l := &s.Links[i]
	if l.Static {
		return fixed
	}
	for _, motion := range [2]int32{l.A, l.B} {
		if n := s.contactsAt(motion); n == nil || *n > columnContacts {
			return moving
		}
	}
	return column
}

// packing tells the contacts of a block that is to be packed: where they begin in worker.packed, and their number.
type packing struct {
	block, from int32
	n           uint8
	two         bool // of two points
}

// placeContacts gives each contact of the batch a lane in the blocks of its group, and lists the blocks in the order of
// their first contacts.
func (s *worker) placeContacts(to *batchGroups) {
	list := s.Solver.packing[s.contactStarts[s.batch.index]:][:0]
	ofTwos := to.one.total()
	for k, i := range s.batch.contacts {
		l := &s.Links[i]
		n := l.N
		blocks, first := to.of(n), int32(0)
		if n == 2 {
			first = ofTwos
		}
		g := int(s.colors[k])
		at, place := blocks.place(g)
		s.places[i] = place
		s.packed[first+at] = i
		if place&7 == 0 {
			j := place >> 3
			list = append(list, packing{block: j, from: first + at, n: uint8(blocks.lanesOf(g, j)), two: n == 2})
		}
	}
}

// pack fills a range of the batch's blocks, computes the rows that follow from their input, and lists the contacts that
// need more work. Blocks are packed in the order of their first contacts, so that contacts that are neighbours in
// memory are read one soon after the other. The input of a block is read after the next block is filled, so that the
// manifolds and motions to which it points are in the cache by then.
func (s *worker) pack(helper *worker, from, to int) {
	ahead := s.large(s.batch)
	blocks := s.packing[from:to]
	for i := range blocks {
		if ahead && i+1 < len(blocks) {
			s.prefetchBlock(&blocks[i+1])
		}
		s.Source.Filled(helper.number)
		s.fillBlock(helper, &blocks[i])
		s.prefetchInput(&blocks[i])
		if i > 0 {
			s.readBlock(helper, &blocks[i-1])
		}
	}
	if n := len(blocks); n > 0 {
		s.Source.Filled(helper.number)
		s.readBlock(helper, &blocks[n-1])
	}
}

// rowsOf returns the rows of a block, of its points, its rare rows and its input.
func (s *worker) rowsOf(p *packing) (*contactRows, []pointRows, *rareRows, *input) {
	j := p.block
	if p.two {
		k := &s.twos[j]
		return &k.contactRows, k.points[:], &s.rareTwos[j], &s.inputTwos[j]
	}
	k := &s.ones[j]
	return &k.contactRows, k.points[:], &s.rareOnes[j], &s.inputOnes[j]
}

// fillBlock fills the lanes of a block.
func (s *worker) fillBlock(helper *worker, p *packing) {
	k, points, r, in := s.rowsOf(p)
	if p.n < 8 { // empty lanes
		*k, *r = contactRows{}, rareRows{}
		clear(points)
		in.empty()
	}
	s.fill(helper, k, r, in, s.packed[p.from:][:p.n])
}

// readBlock computes the rows of a block that follow from its input.
func (s *worker) readBlock(helper *worker, p *packing) {
	k, points, r, in := s.rowsOf(p)
	if j := int(p.block); p.two {
		kernels.readTwo(s.Motions, s.inputTwos[j:j+1], s.twos[j:j+1], s.rareTwos[j:j+1])
		kernels.weighTwo(s.bodies, s.twos[j:j+1], s.rareTwos[j:j+1], &s.of[moving])
	} else {
		kernels.readOne(s.Motions, s.inputOnes[j:j+1], s.ones[j:j+1], s.rareOnes[j:j+1])
		kernels.weighOne(s.bodies, s.ones[j:j+1], s.rareOnes[j:j+1], &s.of[moving])
	}
	if s.stretch != 1 {
		stretch(r, points, s.stretch)
	}
	s.listApproaching(&helper.found, k, r, points, in)
}

// fill fills the lanes of a block with contacts, and lists those that need more work.
func (s *worker) fill(helper *worker, k *contactRows, r *rareRows, in *input, contacts []int32) {
	f, rest := &helper.found, s.rareBodies
	k.n, k.rolls, r.mixed = uint32(len(contacts)), 0, 0
	in.asked = 0
	for l, i := range contacts {
		l &= 7
		link := &s.Links[i]
		s.Source.Fill(helper.number, i, Lane{k, r, in, l})
		in.a[l], in.b[l] = uint32(link.A)*motionSize, uint32(link.B)*motionSize
		ia, ib := s.ownBodyOf(link.A), s.ownBodyOf(link.B)
		k.a[l], k.b[l] = uint32(ia)*bodySize, uint32(ib)*bodySize
		k.inertiaA[l], k.inertiaB[l] = rest[ia].invI, rest[ib].invI
		if r.rolling[l] > 0 {
			k.rolls = 1
		}
		r.note(l, i, s.contactIslands[i], k.n)
		if in.disc[l] != NoDisc && link.N == 1 || s.rotates(link, ia, ib) {
			f.turning = append(f.turning, i)
		}
	}
}

// listApproaching lists the contacts of a block that approach at ImpactSpeed, for the impacts, and those that may
// bounce, for restitution. It sets carries: passes keep the largest impulses of a block if restitution or Source.Take
// reads them.
func (s *worker) listApproaching(f *found, k *contactRows, r *rareRows, points []pointRows, in *input) {
	k.carries = k.bounces | k.hits | in.asked
	r.eachLane(k.fast, func(i int32) { f.approaching = append(f.approaching, i) })
	for m := k.bounces; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m) & 7
		for j := range points {
			if in.surface[j&1][l].Restitution != 0 && points[j].velocity[l] <= -s.BounceSpeed {
				f.bouncing = append(f.bouncing, r.source[l])
				break
			}
		}
	}
}

// ownBodyOf returns the index in s.bodies of the body of a motion: of a fixed body, which all batches share, the
// index of this worker's copy.
func (s *worker) ownBodyOf(motion int32) int32 {
	b := s.bodyOf[motion]
	if int(b) < s.fixedCount {
		b += s.base
	}
	return b
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

// rareOf returns the rare rows of the block of contact i.
func (s *worker) rareOf(i int32) *rareRows {
	if s.Links[i].N == 2 {
		return &s.rareTwos[s.places[i]>>3]
	}
	return &s.rareOnes[s.places[i]>>3]
}

// inputOf returns the input of the block of contact i.
func (s *worker) inputOf(i int32) *input {
	if s.Links[i].N == 2 {
		return &s.inputTwos[s.places[i]>>3]
	}
	return &s.inputOnes[s.places[i]>>3]
}

// eachLane calls do with the contact of each lane of a mask.
func (r *rareRows) eachLane(mask uint32, do func(i int32)) {
	for ; mask != 0; mask &= mask - 1 {
		do(r.source[bits.TrailingZeros32(mask)])
	}
}
