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
	size       int     // contacts, and jointSize for each joint
	visitsLeft int     // visits of contacts that clusters may still make in this step; see impact.go
	work       float64 // of the impulses of the warm start
	slack      float64 // energy that the warm start may add
	// If work is above slack: the work of half of these impulses, the share of them that the island keeps, 0 to 1, and
	// the part of them to apply.
	half        float64
	share, part float32
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
			u.size += int(s.parts[k].islands[i].contacts)
		}
		s.islands[i] = u
	}
	s.jointIslands = resized(s.jointIslands, len(s.JointLinks))
	for i := range s.JointLinks {
		l := &s.JointLinks[i]
		s.jointIslands[i] = s.islandOf(l)
		u := &s.islands[s.jointIslands[i]]
		u.visitsLeft += visitsEach
		u.size += jointSize
	}
}

// noteYield notes which bodies of the contact l yield to it: a body yields to a contact that moves it, so it is not so
// heavy that it counts as static beside the other body (staticRatio). Several workers may call it at once.
func (s *Solver) noteYield(l *Link) {
	a, b := s.Motions[l.A].InvMass, s.Motions[l.B].InvMass
	if a*staticRatio > b {
		atomic.StoreUint32(&s.yields[l.A], 1)
	}
	if b*staticRatio > a {
		atomic.StoreUint32(&s.yields[l.B], 1)
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
		if inv > 0 && s.yields[m] != 0 {
			s.islands[s.Islands[m]].slack += warmSlack / float64(inv)
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
	s.run(kernels.warmOne, kernels.warmTwo)
	for j := range s.rareTwos {
		s.rareTwos[j].addWork(s.islands)
	}
	for j := range s.rareOnes {
		s.rareOnes[j].addWork(s.islands)
	}
	for i := range t.islands {
		if u := &t.islands[i]; u.tooMuch() {
			s.limitWarm()
			return
		}
	}
}

// tooMuch reports whether the work of u's warm start is above its slack, or not a number.
func (u *island) tooMuch() bool { return !(u.work <= u.slack) }

// sumOf returns the sum of a row.
func sumOf(w *lanes) float64 {
	return ((float64(w[0]) + float64(w[1])) + (float64(w[2]) + float64(w[3]))) +
		((float64(w[4]) + float64(w[5])) + (float64(w[6]) + float64(w[7])))
}

// note sets the index and the island of the contact or joint in lane l, of n.
func (r *owners) note(l int, i, island int32, n uint32) {
	r.source[l&7], r.island[l&7] = i, island
	if island != r.island[0] {
		r.mixed = n
	}
}

// addWork adds the work of the block to its islands'.
func (r *owners) addWork(islands []island) {
	if r.mixed == 0 {
		islands[r.island[0]].work += sumOf(&r.work)
		return
	}
	for l, i := range r.island[:r.mixed] {
		islands[i].work += float64(r.work[l])
	}
}

// limitWarm takes back, of the islands of the batch that the warm start gave more energy than their
// slack, the impulses above their share: half of them at first, whose work tells the share.
func (s *worker) limitWarm() {
	for i := range s.batch.islands {
		u := &s.batch.islands[i]
		if u.part, u.share, u.half = 0, 1, u.work; u.tooMuch() {
			u.part = -0.5
		}
	}
	s.warmParts()
	for i := range s.batch.islands {
		if u := &s.batch.islands[i]; u.tooMuch() {
			u.share = share(u.half, u.work, u.slack)
			u.part = u.share - 0.5
		}
	}
	s.warmParts()
}

// warmParts applies the parts of the impulses of islands with more work than their slack, whose work it adds to half,
// and keeps the shares.
func (s *worker) warmParts() {
	for k := range s.joints {
		j := &s.joints[k]
		if u := &s.islands[j.island]; u.tooMuch() {
			u.half += float64(s.applyRigid(j, u.part))
			j.scale(u.share)
		}
	}
	for j := range s.pins {
		if k := &s.pins[j]; k.setParts(s.islands, k.n) {
			kernels.warmPinParts(s.bodies, s.pins[j:j+1], nil, &s.of[moving])
			k.keepShares(s.islands, k.n, &k.impulseU, &k.impulseV)
		}
	}
	for j := range s.twos {
		if k, r := &s.twos[j], &s.rareTwos[j]; r.setParts(s.islands, k.n) {
			kernels.warmPartTwo(s.bodies, s.twos[j:j+1], s.rareTwos[j:j+1], &s.of[moving])
			p, q := &k.points[0], &k.points[1]
			r.keepShares(s.islands, k.n, &r.rollImpulse, &p.normal, &p.tangent, &q.normal, &q.tangent)
		}
	}
	for j := range s.ones {
		if k, r := &s.ones[j], &s.rareOnes[j]; r.setParts(s.islands, k.n) {
			kernels.warmPartOne(s.bodies, s.ones[j:j+1], s.rareOnes[j:j+1], &s.of[moving])
			r.keepShares(s.islands, k.n, &r.rollImpulse, &k.points[0].normal, &k.points[0].tangent)
		}
	}
}

// setParts sets the row work of a block of n contacts or joints to the parts of their islands, and reports whether one
// has more work than its slack.
func (r *owners) setParts(islands []island, n uint32) (found bool) {
	if r.mixed == 0 && !islands[r.island[0]].tooMuch() {
		return false
	}
	for l, in := range r.island[:n] {
		u := &islands[in]
		r.work[l], found = u.part, found || u.tooMuch()
	}
	return found
}

// keepShares keeps the islands' shares of the impulses in these rows of the block.
func (r *owners) keepShares(islands []island, n uint32, impulses ...*lanes) {
	for l, in := range r.island[:n] {
		u := &islands[in]
		u.half += float64(r.work[l])
		for _, x := range impulses {
			x[l] *= u.share
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
