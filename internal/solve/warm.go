package solve

import (
	"math"
	"sync/atomic"
)

// Warm starting applies the impulses of the previous sub-step. Where the load has gone, they
// are too large: a light body under a heavy one that has left is thrown, and one pass
// removes only about m_light/m_heavy of the excess. So the warm start of an island (bodies
// joined by contacts) must not add energy. With v the velocities before it, x its impulses
// and A the matrix of velocity changes for unit impulses, its work is x.v + x.Ax/2: the sum of
// the contacts' works, each at the velocities that the contacts before it left. Where the sum is above 0, the island
// takes the largest share f of the impulses whose work, f x.v + f f x.Ax/2, is not. At rest
// x.Ax is -x.v, so nothing is taken away. At any mass ratio the passes after it remove
// energy, except for the push out of an overlap.

// island is bodies joined by contacts and joints: the account of their warm start, and of the work that
// is left for their clusters in this step.
type island struct {
	visitsLeft int     // visits of contacts that clusters may still make in this step; see impact.go
	work       float64 // of the impulses of the warm start
	half       float64 // work of half of these impulses, if work is above slack
	slack      float64 // energy that the warm start may add
	share      float32 // of the impulses that the island keeps, 0 to 1
}

// beginIslands begins the accounts of the step's islands, and counts the contacts and bodies of each; see count.
func (s *Solver) beginIslands() {
	s.yields = resized(s.yields, len(s.Motions))
	clear(s.yields)
	s.countParts()
	s.islands = resized(s.islands, s.IslandCount)
	for i := range s.islands {
		u := island{visitsLeft: baseVisits}
		for k := range s.parts {
			u.visitsLeft += int(visitsEach * s.parts[k].islands[i].contacts)
		}
		s.islands[i] = u
	}
	s.jointIslands = resized(s.jointIslands, len(s.JointLinks))
	for i := range s.JointLinks {
		l := &s.JointLinks[i]
		s.jointIslands[i] = s.islandOf(l)
		u := &s.islands[s.jointIslands[i]]
		u.visitsLeft += visitsEach
		s.noteYield(l, toJoint)
	}
}

// The kinds of links to which a motion yields, for Solver.yields. A body yields to a contact or joint that moves it: it
// is not so heavy that it counts as static beside the other body (staticRatio).
const (
	toNothing uint32 = iota // to no link
	toJoint                 // to joints alone
	toContact
)

// noteYield notes which bodies of l yield to it; to is its kind.
func (s *Solver) noteYield(l *Link, to uint32) {
	a, b := s.Motions[l.A].InvMass, s.Motions[l.B].InvMass
	if a*staticRatio > b {
		s.yield(l.A, to)
	}
	if b*staticRatio > a {
		s.yield(l.B, to)
	}
}

// yield notes that motion i yields to a link of the kind to. Several workers may call it at once, with the same kind.
func (s *Solver) yield(i int32, to uint32) {
	if at := &s.yields[i]; atomic.LoadUint32(at) < to {
		atomic.StoreUint32(at, to)
	}
}

// stretch multiplies the impulses of a block by f. Forces stay the same from step to step, so impulses grow with the
// length of a sub-step.
func stretch(r *rareRows, points []pointRows, f float32) {
	for l := range r.rollImpulse {
		r.rollImpulse[l] *= f
		for j := range points {
			points[j].normal[l] *= f
			points[j].tangent[l] *= f
		}
	}
}

// sumSlack adds up the slack of the batch's islands, in the order of the bodies.
func (s *worker) sumSlack() {
	for i := s.batch.from; i < s.batch.to; i++ {
		m, inv := s.motionOf[i], s.bodies[i].invMass
		if to := s.yields[m]; inv > 0 && to != toNothing {
			slack := warmSlack
			if to == toJoint {
				slack = jointSlack
			}
			s.islands[s.Islands[m]].slack += slack / float64(inv)
		}
	}
}

// warmStart applies the impulses that the points of the batch bring with them, of each island as
// large a share of them as adds no energy.
func (s *worker) warmStart() {
	t := s.batch
	for i := range t.islands {
		t.islands[i].work = 0
	}
	s.warmJoints()
	s.kernelOne, s.kernelTwo = kernels.warmOne, kernels.warmTwo
	if s.large(t) {
		s.warmOneIsland()
	} else {
		s.eachGroup((*worker).runOnes, (*worker).runTwos)
		for j := range s.rareTwos {
			s.rareTwos[j].addWork(s.islands)
		}
		for j := range s.rareOnes {
			s.rareOnes[j].addWork(s.islands)
		}
	}
	for i := range t.islands {
		if u := &t.islands[i]; u.tooMuch() {
			s.limitWarm()
			return
		}
	}
}

// warmOneIsland applies the impulses of a large batch, which is one island. The work of each block is summed as soon as
// it is known: the rows of a large island do not stay in the cache until the end of the pass.
func (s *worker) warmOneIsland() {
	s.workOnes, s.workTwos = resized(s.workOnes, len(s.ones)), resized(s.workTwos, len(s.twos))
	s.eachGroup((*worker).warmOnes, (*worker).warmTwos)
	if len(s.batch.contacts) == 0 {
		return // it has joints
	}
	u := &s.islands[s.contactIslands[s.batch.contacts[0]]]
	for _, w := range s.workTwos {
		u.work += w
	}
	for _, w := range s.workOnes {
		u.work += w
	}
}

// warmOnes runs the kernel over a range of the present group's blocks of one point, and sums their work.
func (s *worker) warmOnes(_ *worker, from, to int) {
	for ; from < to; from += kernelGrain {
		end := min(from+kernelGrain, to)
		s.runOnes(nil, from, end)
		for j := s.first + from; j < s.first+end; j++ {
			s.workOnes[j] = sumOf(&s.rareOnes[j].work)
		}
	}
}

// warmTwos does the same for blocks of two points.
func (s *worker) warmTwos(_ *worker, from, to int) {
	for ; from < to; from += kernelGrain {
		end := min(from+kernelGrain, to)
		s.runTwos(nil, from, end)
		for j := s.first + from; j < s.first+end; j++ {
			s.workTwos[j] = sumOf(&s.rareTwos[j].work)
		}
	}
}

// tooMuch reports whether the work of u's warm start is too much.
func (u *island) tooMuch() bool { return tooMuch(u.work, u.slack) }

// tooMuch reports whether the work of impulses is above the slack, or not a number.
func tooMuch(work, slack float64) bool { return !(work <= slack) }

// account returns the field half, or the field work.
func (u *island) account(half bool) *float64 {
	if half {
		return &u.half
	}
	return &u.work
}

// sumOf returns the sum of a row.
func sumOf(w *lanes) float64 {
	return ((float64(w[0]) + float64(w[1])) + (float64(w[2]) + float64(w[3]))) +
		((float64(w[4]) + float64(w[5])) + (float64(w[6]) + float64(w[7])))
}

// addWork adds the work of the block's contacts to their islands'.
func (r *rareRows) addWork(islands []island) {
	w := &r.work
	if r.mixed == 0 {
		islands[r.island[0]].work += sumOf(w)
		return
	}
	for l, i := range r.island[:r.mixed] {
		islands[i].work += float64(w[l])
	}
}

// limitWarm takes back, of the islands of the batch that the warm start gave more energy than their
// slack, the impulses above their share: half of them at first, whose work tells the share.
func (s *worker) limitWarm() {
	t := s.batch
	for i := range t.islands {
		t.islands[i].half = t.islands[i].work
	}
	s.eachWarmJoint(func(j *joint, u *island) {
		u.half += float64(s.applyRigid(j, -0.5))
	})
	s.setParts(func(*island) float32 { return -0.5 })
	s.warmPinParts()
	for j := range s.pins {
		s.pins[j].addWork(s.islands, true)
	}
	s.warmParts(func(*island) float32 { return -0.5 }, func(r *rareRows, _ []pointRows, l uint32, u *island) {
		u.half += float64(r.work[l])
	})
	for i := range t.islands {
		u := &t.islands[i]
		u.share = share(u.half, u.work, u.slack)
	}
	s.eachWarmJoint(func(j *joint, u *island) {
		s.applyRigid(j, u.share-0.5)
		x := j.rigid()
		x.scale(u.share)
		j.setRigid(&x)
	})
	s.setParts(func(u *island) float32 { return u.share - 0.5 })
	s.warmPinParts()
	s.keepParts()
	s.warmParts(func(u *island) float32 { return u.share - 0.5 }, func(r *rareRows, points []pointRows, l uint32,
		u *island,
	) {
		for j := range points {
			points[j].normal[l] *= u.share
			points[j].tangent[l] *= u.share
		}
		r.rollImpulse[l] *= u.share
	})
}

// warmParts applies, of the impulses of each contact of an island with more work than its slack, the part of that
// island, and calls then for it, which reads the work of the part.
func (s *worker) warmParts(part func(u *island) float32, then func(r *rareRows, points []pointRows, l uint32,
	u *island),
) {
	for j := range s.twos {
		if k, r := &s.twos[j], &s.rareTwos[j]; s.setPart(k.n, r, part) {
			kernels.warmPartTwo(s.bodies, s.twos[j:j+1], s.rareTwos[j:j+1], &s.of[moving])
			s.eachWarm(k.n, r, k.points[:], then)
		}
	}
	for j := range s.ones {
		if k, r := &s.ones[j], &s.rareOnes[j]; s.setPart(k.n, r, part) {
			kernels.warmPartOne(s.bodies, s.ones[j:j+1], s.rareOnes[j:j+1], &s.of[moving])
			s.eachWarm(k.n, r, k.points[:], then)
		}
	}
}

// setPart sets the row work to the parts of the islands of the block's n contacts, and to 0 where the work of the
// island is within its slack. It reports whether the work of an island is above its slack.
func (s *worker) setPart(n uint32, r *rareRows, part func(u *island) float32) bool {
	if r.mixed == 0 {
		u := &s.islands[r.island[0]]
		if !u.tooMuch() {
			return false
		}
		f := part(u)
		for l := range n { // not the empty lanes, whose work stays 0
			r.work[l&7] = f
		}
		return true
	}
	found := false
	for l, in := range r.island[:n] {
		r.work[l] = 0
		if u := &s.islands[in]; u.tooMuch() {
			r.work[l], found = part(u), true
		}
	}
	return found
}

// eachWarm calls do with the lane of each of the block's n contacts that is of an island with more work than its slack.
func (s *worker) eachWarm(n uint32, r *rareRows, points []pointRows, do func(r *rareRows, points []pointRows, l uint32,
	u *island),
) {
	for l, in := range r.island[:n] {
		if u := &s.islands[in]; u.tooMuch() {
			do(r, points, uint32(l&7), u)
		}
	}
}

// eachWarmJoint calls do with each joint of an island with more work than its slack.
func (s *worker) eachWarmJoint(do func(j *joint, u *island)) {
	for k := range s.joints {
		if u := &s.islands[s.joints[k].island]; u.tooMuch() {
			do(&s.joints[k], u)
		}
	}
}

// share returns the largest f whose work f x.v + f f x.Ax/2 is slack, where half is the work
// of f = 1/2 and work that of f = 1, which is above slack.
func share(half, work, slack float64) float32 {
	v := float64(4*half) - work // x.v
	a := work - v               // x.Ax/2
	f := float32((math.Sqrt(float64(v*v)+float64(4*float64(a*slack))) - v) / (2 * a))
	if !(f > 0) { // also where the sums are not numbers
		return 0
	}
	return min(f, 1)
}
