package solve

import "math"

// Warm starting applies the impulses of the previous sub-step. Where the load has gone, they
// are too large: a light body under a heavy one that has left is thrown, and one pass
// removes only about m_light/m_heavy of the excess. So the warm start of an island (bodies
// joined by contacts) must not add energy. With v the velocities before it, x its impulses
// and A the matrix of velocity changes for unit impulses, its work is x.v + x.Ax/2: the sum of
// the contacts' works, each at the velocities that the contacts before it left. Where the sum is above 0, the island
// takes the largest share f of the impulses whose work, f x.v + f f x.Ax/2, is not. At rest
// x.Ax is -x.v, so nothing is taken away. At any mass ratio the passes after it remove
// energy, except for the push out of an overlap.

// warmSlack is the energy for a unit of mass, in units of length squared a second squared,
// that a warm start may give its island all the same. With none, the warm starts of bodies
// that land and roll are cut by rounding errors, and a world far from the origin
// takes another path (TestFarAway: 3e-7 in a second).
const warmSlack = 0.012

// island is bodies joined by contacts: the account of their warm start, and of the work that
// is left for their clusters in this step.
type island struct {
	left  int     // contacts that clusters may still visit
	work  float64 // of the impulses
	half  float64 // of half of them, where the work is above slack
	load  float32 // largest of its contacts, as in Contact.load
	slack float64 // energy that they may give
	share float32 // of the impulses that the island keeps
}

// beginIslands begins the accounts of the step's islands.
func (s *Solver) beginIslands() {
	for i := len(s.Islands); i < len(s.Motions); i++ {
		s.Islands, s.IslandCount = append(s.Islands, min(int32(i), 1)), 2
	}
	s.islands = resized(s.islands, s.IslandCount)
	for i := range s.islands {
		s.islands[i] = island{left: baseWork}
	}
	for i := range s.Motions {
		if inv := float32(s.Motions[i].InvMass); inv > 0 {
			s.islands[s.Islands[i]].slack += warmSlack / float64(inv)
		}
	}
	for i := range s.Links {
		l := &s.Links[i]
		u := &s.islands[s.islandOf(l)]
		if u.left += workEach; l.Impulse != 0 {
			u.load = max(u.load, l.load(s))
		}
	}
	for i := range s.JointLinks {
		l := &s.JointLinks[i]
		u := &s.islands[s.islandOf(l)]
		u.left += workEach
		u.load = max(u.load, s.jointLoad(l))
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
	for j := range s.twos {
		s.twos[j].addWork(s.islands)
	}
	for j := range s.ones {
		s.ones[j].addWork(s.islands)
	}
	for i := range t.islands {
		if u := &t.islands[i]; u.tooMuch() {
			s.limitWarm()
			return
		}
	}
}

// tooMuch reports whether the work is above the slack, or not a number.
func (u *island) tooMuch() bool { return !(u.work <= u.slack) }

// account returns the sum of works; or that of the work of halves.
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
func (k *contactRows) addWork(islands []island) {
	w := &k.work
	if k.mixed == 0 {
		islands[k.island[0]].work += sumOf(w)
		return
	}
	for l, i := range k.island[:k.n] {
		islands[i].work += float64(w[l])
	}
}

// applyWarm applies the share f of the impulses of lane l and returns their work: their product
// with the mean of the velocities before and after. It does the kernel's work for whole impulses, which has brought
// friction within its bounds.
func (s *worker) applyWarm(k *contactRows, points []pointRows, l uint32, f float32) (work float32) {
	l &= 7
	roll := float32(0)
	if k.rolls != 0 {
		roll = float32(f * k.rollImpulse[l])
		work = float32(roll * k.spin[l])
	}
	torqueA, torqueB := roll, roll
	var normal, tangent float32
	for j := range points {
		p := &points[j]
		n, t := float32(f*p.normal[l]), float32(f*p.tangent[l])
		normal += n
		tangent += t
		torqueA += float32(p.normalA[l]*n) + float32(p.tangentA[l]*t)
		torqueB += float32(p.normalB[l]*n) + float32(p.tangentB[l]*t)
		work += float32(n*p.velocity[l]) + float32(t*p.slip[l])
	}
	a, b := &s.bodies[k.a[l]/bodySize], &s.bodies[k.b[l]/bodySize]
	nx, ny := k.nx[l], k.ny[l]
	mass := a.invMass + b.invMass
	vx, vy := b.vx-a.vx, b.vy-a.vy
	turnA, turnB := float32(a.invI*torqueA), float32(b.invI*torqueB)
	work += float32(normal*(float32(vx*nx)+float32(vy*ny)+float32(0.5*mass*normal))) +
		float32(tangent*(float32(vx*ny)-float32(vy*nx)+float32(0.5*mass*tangent))) +
		float32(torqueB*(b.w+float32(0.5*turnB))) - float32(torqueA*(a.w-float32(0.5*turnA)))
	a.w -= turnA
	b.w += turnB
	px, py := float32(normal*nx)+float32(tangent*ny), float32(normal*ny)-float32(tangent*nx)
	a.vx -= float32(a.invMass * px)
	a.vy -= float32(a.invMass * py)
	b.vx += float32(b.invMass * px)
	b.vy += float32(b.invMass * py)
	return work
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
	s.eachWarm(func(k *contactRows, points []pointRows, l uint32, u *island) {
		u.half += float64(s.applyWarm(k, points, l, -0.5))
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
	s.eachWarm(func(k *contactRows, points []pointRows, l uint32, u *island) {
		s.applyWarm(k, points, l, u.share-0.5)
		for j := range points {
			points[j].normal[l] *= u.share
			points[j].tangent[l] *= u.share
		}
		k.rollImpulse[l] *= u.share
	})
}

// eachWarm calls do with the lane of each contact of an island with more work than its slack.
func (s *worker) eachWarm(do func(k *contactRows, points []pointRows, l uint32, u *island)) {
	each := func(k *contactRows, points []pointRows) {
		for l, in := range k.island[:k.n] {
			if u := &s.islands[in]; u.tooMuch() {
				do(k, points, uint32(l&7), u)
			}
		}
	}
	for j := range s.twos {
		each(&s.twos[j].contactRows, s.twos[j].points[:])
	}
	for j := range s.ones {
		each(&s.ones[j].contactRows, s.ones[j].points[:])
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
