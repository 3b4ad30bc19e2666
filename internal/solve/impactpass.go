package solve

// Where many bodies of a large island collide at once, each of their clusters has hundreds of contacts, and they
// overlap: each contact is looked at again and again. There impacts are solved by passes over all blocks of the island:
// the kernels of the relax pass, from impulses of zero. It is the problem of impact.go with all contacts in one
// cluster, whose rounds visit them colour by colour. So the passes add no energy wherever they end. Then clusters solve
// the impacts that are left.

// The clusters of a large island, of more than mostContacts, visit at most a contact for each clusterShare contacts of
// the island before the passes, which costs a fraction of these: none if more than one contact in manyShare approaches
// at speed. After the passes they visit one in restShare: few impacts are left, and the next step solves the rest.
const (
	clusterShare = 4
	manyShare    = 64
	restShare    = 32
)

// largeIsland tells the visits of the batch's clusters while its impacts are solved, if the batch is a large island.
type largeIsland struct {
	visitsLeft *int // of the island; nil if the batch is not a large island
	rest       int  // visits put aside, for relaxUneven: clusters have fewer before the passes
	passed     bool // the passes have been made
}

// largeIslandOf limits the visits of the clusters of a large island.
func (s *worker) largeIslandOf() (c largeIsland) {
	if n := len(s.batch.contacts); n > mostContacts {
		share := n / clusterShare
		if len(s.found.approaching) > n/manyShare {
			share = 0
		}
		c.visitsLeft = &s.islands[s.contactIslands[s.batch.contacts[0]]].visitsLeft
		c.rest = *c.visitsLeft - share
		*c.visitsLeft = share
	}
	return c
}

// passLarge solves the impacts of a large island by passes if its clusters have reached their limit.
func (s *worker) passLarge(c *largeIsland, dt float32) {
	if c.visitsLeft != nil && *c.visitsLeft <= 0 && !c.passed {
		s.impactPasses(dt)
		*c.visitsLeft, c.passed = len(s.batch.contacts)/restShare, true
	}
}

// endLarge gives relaxUneven the visits put aside, in addition to those left; none after passes.
func (s *worker) endLarge(c *largeIsland) {
	if c.passed {
		*c.visitsLeft = 0
	} else if c.visitsLeft != nil {
		*c.visitsLeft += c.rest
	}
}

// mostImpactPasses is the greatest number of passes, as rounds of a cluster of 256 contacts.
const mostImpactPasses = 16

// aside holds the impulses and sums of a block while the passes use its rows.
type aside struct {
	points          [2]asidePoint
	roll, rollTotal lanes
}

type asidePoint struct{ normal, tangent, most, normalTotal, tangentTotal lanes }

// impactPasses solves the impacts of the batch, together with its joints.
func (s *worker) impactPasses(dt float32) {
	s.asideOnes, s.asideTwos = resized(s.asideOnes, len(s.ones)), resized(s.asideTwos, len(s.twos))
	s.each(len(s.ones), kernelGrain, (*worker).putOnesAside)
	s.each(len(s.twos), kernelGrain, (*worker).putTwosAside)
	s.joinAllJoints()
	s.setConstants(dt, 0)
	for range s.impactPassCount() {
		for k := range s.impacts.joints {
			s.solveJointImpact(&s.impacts.joints[k], dt)
		}
		s.run(kernels.relaxOne, kernels.relaxTwo)
	}
	s.takeJointImpacts(false)
	s.each(len(s.ones), kernelGrain, (*worker).restoreOnes)
	s.each(len(s.twos), kernelGrain, (*worker).restoreTwos)
}

// impactPassCount returns the number of passes: as the rounds of a cluster, it follows the greatest mass ratio.
func (s *worker) impactPassCount() int {
	least, most := float32(0), float32(0)
	for i := s.batch.from; i < s.batch.to; i++ {
		m := s.bodies[i].invMass
		if most = max(most, m); least == 0 || m > 0 && m < least {
			least = m
		}
	}
	return int(min(mostImpactPasses, baseRounds+2*most/least))
}

func (s *worker) putOnesAside(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.asideOnes[j].put(&s.rareOnes[j], s.ones[j].points[:])
	}
}

func (s *worker) putTwosAside(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.asideTwos[j].put(&s.rareTwos[j], s.twos[j].points[:])
	}
}

func (s *worker) restoreOnes(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.asideOnes[j].restore(&s.rareOnes[j], s.ones[j].points[:])
	}
}

func (s *worker) restoreTwos(_ *worker, from, to int) {
	for j := from; j < to; j++ {
		s.asideTwos[j].restore(&s.rareTwos[j], s.twos[j].points[:])
	}
}

// put puts the impulses and sums of a block aside, and sets its impulses to zero.
func (x *aside) put(k *rareRows, points []pointRows) {
	x.roll, x.rollTotal, k.rollImpulse = k.rollImpulse, k.rollTotal, lanes{}
	for i := range points {
		p, sum := &points[i], &k.points[i]
		x.points[i] = asidePoint{p.normal, p.tangent, sum.most, sum.normalTotal, sum.tangentTotal}
		p.normal, p.tangent = lanes{}, lanes{}
	}
}

// restore restores the impulses of a block, and adds those of the impact to the sums.
func (x *aside) restore(k *rareRows, points []pointRows) {
	for l := range 8 {
		k.rollTotal[l] = x.rollTotal[l] + k.rollImpulse[l]
	}
	k.rollImpulse = x.roll
	for i := range points {
		p, sum, was := &points[i], &k.points[i], &x.points[i]
		for l := range 8 {
			n := p.normal[l]
			sum.most[l], sum.normalTotal[l] = max(was.most[l], n), was.normalTotal[l]+n
			sum.tangentTotal[l] = was.tangentTotal[l] + p.tangent[l]
		}
		p.normal, p.tangent = was.normal, was.tangent
	}
}
