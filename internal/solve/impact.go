package solve

// Impacts are contacts that approach at speed. They are solved once a step, before the
// first sub-step, apart from all other contacts.
//
// The passes of the sub-steps visit each point once and start from the impulses of the
// sub-step before. That is right for loads, which change little, and wrong for an impact.
// One point of two takes the share of the other, so the body turns, sinks in and is kicked
// up. And where a light body lies between a heavy one and the ground, each pass removes only
// the light one's share of the heavy one's speed: the impulse grows from sub-step to
// sub-step until it has stopped the heavy body, and is then applied again and again, because
// a pass removes as little of it. The heavy body was thrown up as fast as it had come.
// Dropping the warm start of approaching contacts does not help: the contact that re-applies
// is the support, at rest when the step begins. So an impact is solved here from zero, as of
// one instant, together with the cluster of contacts that it makes approach, and its
// impulses are not part of the warm start.
//
// A cluster is solved as an impact without restitution: impulses x >= 0 along the normals,
// after which no point approaches, and no point with an impulse separates. With v the speeds
// before, and A the matrix of speed changes for unit impulses, this is the linear complementarity problem
// x >= 0, Ax+v >= 0, x.(Ax+v) = 0. A is symmetric and positive semidefinite, so its solutions
// are the minima of x.Ax/2 + x.v under x >= 0: the energy that the impact adds, 0 at first.
// Each round visits the contacts in turn and solves each exactly, the others held (projected
// Gauss-Seidel, in blocks of a contact), which never raises the energy. So wherever the
// rounds end, the energy of the normal impulses is at most 0. (Dynamics solvers with the same
// problem: E. Anitescu and F. Potra, Nonlinear Dynamics 14, 1997; M. Silcowitz and others,
// Visual Computer 26, 2010.)
//
// A point with a gap may approach at the speed that closes the gap in the step, and its v is
// without that speed: the kinetic energy then falls by more than the energy above. Friction is
// bounded by the normal impulses so far, round by round, as in the passes.

// ImpactSpeed is the least speed of approach, in units a second, of an impact. The passes
// leave little of slower ones.
const ImpactSpeed = 1.5

// A cluster grows by the contacts that it makes approach at spreadSpeed, in units a second.
// It is solved when a round changes no speed by more than impactSlop, in units a second, or
// at the end of its rounds; see rounds.
const (
	spreadSpeed = 0.25
	impactSlop  = 0.01
)

// A cluster has baseRounds rounds, and two more for each unit of the mass ratio of its
// heaviest to its lightest body, by which rounds converge slowly; at most mostRounds, and
// beyond baseRounds at most as many as visit mostVisits contacts in all. (Between many bodies, or
// bodies of one mass, the next step solves the rest.) A body that meets one thing takes one
// round, and a second one that changes nothing.
const (
	baseRounds = 4
	mostRounds = 128
	mostVisits = 4096
)

// The clusters of an island together visit at most baseVisits contacts and visitsEach for each
// contact of the island in a step; after that, each impact is a cluster of its own two bodies,
// and relaxUneven stops. Without a limit, a few thousand bodies that collide at once are so
// many clusters, each of the whole pile, that a step would take seconds. The limit is a few
// times the cost of the passes; islands of two dozen bodies stay far below it. Large islands have a lower
// limit; see impactpass.go.
const (
	baseVisits = 1 << 16
	visitsEach = 8
)

// impact is a contact of a cluster.
type impact struct {
	contact int32
	n       int32 // points
	a, b    int32 // bodies
	nx, ny  float32
	// Inverse moments of inertia.
	inertiaA, inertiaB float32
	pair               // of two points
	points             [2]impactPoint
}

// impactPoint is a point of an impact, with its impulses there.
type impactPoint struct {
	approachPoint
	tangentA, tangentB, slip, friction float32
	normalMass, tangentMass            float32 // effective
	change                             float32 // of the normal velocity by a unit impulse
	normal, tangent                    float32 // impulses
}

// impacts is the memory in which clusters are solved.
type impacts struct {
	cluster []impact      // contacts of the cluster in work
	joints  []jointImpact // joints of the cluster
	pins    []joint       // copies of the joints that are pins
	bodies  []int32       // bodies that the cluster moves
	open    []opening     // of each of bodies, its links that are not in the cluster
	ends    []int32       // the links of all openings
	before  []velocity    // velocities of bodies before the cluster was solved
	number  uint32        // number of the cluster in this batch
	bounce  bool          // the cluster is of contacts that bounce; see restitution.go
	moved   []uint32      // of each body of the batch, the number of its last cluster

	approaches []approach // of the contacts near clusters
	since      uint32     // approaches of clusters before this one are to be read anew
	search     uint32     // number of the search for contacts that join the cluster, in this batch

	linked bool    // first and links are set for this step; see listLinks
	listed int     // 1 + the index of the batch of which first and links have the lists; 0: none
	first  []int32 // of each body of the batch: 1 + its first end in links, or 0
	links  []link  // the contacts of the batch, then its joints
}

// velocity is a change of velocity and spin since the start of the step.
type velocity struct{ vx, vy, w float32 }

// solveImpacts stops the contacts that approach at speed, and the joints that part so, at the start of a step of dt
// seconds, except for the approach that closes a gap in the step.
func (s *worker) solveImpacts(dt float32) {
	// The motion at the start is that of the sub-step before, at whose end the bodies have left the tangents to
	// the other side.
	s.updateJoints(0, -s.h)
	s.weighBounces()
	large := s.largeIslandOf()
	for _, i := range s.found.approaching {
		if r := s.approachOf(i, dt, 0); r.fasterThan(s.bodies, ImpactSpeed) {
			s.passLarge(&large, dt)
			s.solveCluster(i, false, dt, 0)
		}
	}
	s.solveJointImpacts(dt, large.passed)
	s.endLarge(&large)
}

// resized returns a with length n. Its elements are to be cleared or set.
func resized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/4)
	}
	return a[:n]
}

// join adds the contact of r to the cluster, if warm with the impulses that it has.
func (m *impacts) join(s *worker, r *approach, warm bool) {
	r.cluster = m.number
	m.cluster = append(m.cluster, impact{contact: r.contact, a: r.a, b: r.b, nx: r.nx, ny: r.ny})
	x := &m.cluster[len(m.cluster)-1]
	block, points, l := s.at(r.contact)
	x.n, x.inertiaA, x.inertiaB = int32(len(points)), block.inertiaA[l], block.inertiaB[l]
	mass := s.bodies[r.a].invMass + s.bodies[r.b].invMass
	// along returns the change of the normal velocity at one of two points by a unit impulse at the other.
	along := func(p, q *approachPoint) float32 {
		return mass + float32(x.inertiaA*float32(p.normalA*q.normalA)) + float32(x.inertiaB*float32(p.normalB*q.normalB))
	}
	for k := range points {
		q, p := &points[k], &x.points[k]
		p.approachPoint = r.points[k]
		p.tangentA, p.tangentB, p.slip, p.friction = q.tangentA[l], q.tangentB[l], q.slip[l], q.friction[l]
		p.change = along(&p.approachPoint, &p.approachPoint)
		p.normalMass, p.tangentMass = inverse(p.change), q.tangentMass[l]
		if warm {
			p.normal, p.tangent = q.normal[l], q.tangent[l]
		}
	}
	if x.n == 2 {
		p, q := &x.points[0], &x.points[1]
		x.pair = pairOf(p.change, q.change, along(&p.approachPoint, &q.approachPoint))
	}
	m.joinBody(s, x.a)
	m.joinBody(s, x.b)
}

// joinBody adds body b to those that the cluster moves.
func (m *impacts) joinBody(s *worker, b int32) {
	if k := int(b) - s.batch.from; k >= 0 && m.moved[k] != m.number {
		m.moved[k] = m.number
		m.bodies = append(m.bodies, b)
		m.open = append(m.open, opening{from: -1})
		m.before = append(m.before, velocity{s.bodies[b].vx, s.bodies[b].vy, s.bodies[b].w})
	}
}

// solveCluster solves contact i, or joint number ^i, with the cluster that it spreads to: as an impact, from
// zero, or if warm from the impulses of the last pass, which the found ones then replace.
// A point with a gap may approach at the speed that closes it in h seconds; time is the
// seconds since the start of the step. (Before the first round of an impact nothing presses, so there
// is no friction.)
func (s *worker) solveCluster(i int32, warm bool, h, time float32) {
	m := &s.impacts
	var visits *int // left to the clusters of the island
	if i < 0 {
		visits = &s.islands[s.islandOfJoint(^i)].visitsLeft
	} else {
		visits = &s.islands[s.contactIslands[i]].visitsLeft
	}
	if warm && *visits <= 0 {
		return
	}
	s.beginCluster()
	if warm {
		m.since = m.number // bodies have moved since the approaches were read
	}
	if i < 0 {
		m.joinJoint(s, ^i, warm)
	} else {
		m.join(s, s.approachAt(s.positionOf(i), h, time), warm)
	}
	for round := 0; round < s.rounds(); round++ {
		*visits -= len(m.cluster) + len(m.joints)
		most := float32(0)
		for k := range m.joints {
			most = max(most, s.solveJointImpact(&m.joints[k], h))
		}
		for k := range m.cluster {
			x := &m.cluster[k]
			a, b := &s.bodies[x.a], &s.bodies[x.b]
			if round > 0 || warm {
				x.solveFriction(a, b)
			}
			most = max(most, x.solveNormals(a, b))
		}
		if *visits <= 0 {
			break
		}
		n := len(m.cluster) + len(m.joints)
		m.search++
		for k := 0; k < len(m.bodies) && *visits > 0; k++ {
			*visits -= s.spread(k, warm, h, time)
		}
		if len(m.cluster)+len(m.joints) == n && most <= impactSlop {
			break
		}
	}
	if warm && s.work() > 0 {
		// Friction may add more energy than the normal impulses remove: then nothing changes.
		s.exchange()
		return
	}
	s.takeJointImpacts(warm)
	for k := range m.cluster {
		x := &m.cluster[k]
		_, points, l := s.at(x.contact)
		rare := s.rareOf(x.contact)
		for j := range points {
			p, r, sum := &x.points[j], &points[j], &rare.points[j&1]
			sum.most[l] = max(sum.most[l], p.normal)
			sum.normalTotal[l] += p.normal
			sum.tangentTotal[l] += p.tangent
			if warm {
				sum.normalTotal[l] -= r.normal[l]
				sum.tangentTotal[l] -= r.tangent[l]
				r.normal[l], r.tangent[l] = p.normal, p.tangent
			}
		}
	}
}

// beginCluster begins a cluster, without members.
func (s *worker) beginCluster() {
	s.listLinks()
	m := &s.impacts
	m.number++
	m.cluster, m.joints, m.pins, m.bodies, m.before = m.cluster[:0], m.joints[:0], m.pins[:0], m.bodies[:0], m.before[:0]
	m.open, m.ends, m.bounce = m.open[:0], m.ends[:0], false
}

// opening is the range of impacts.ends with the links of a body of the cluster that are not in the cluster.
type opening struct {
	from, to int32 // from is -1 until the body's links are first visited
	all      int32 // number of all links of the body
}

// spread adds the contacts and joints of the cluster's body k that the cluster spreads to, and returns the number of
// all contacts and joints of the body.
func (s *worker) spread(k int, warm bool, h, time float32) (of int) {
	m := &s.impacts
	o := m.open[k] // a copy: more bodies join
	if o.from < 0 {
		o.from = int32(len(m.ends))
		for end := m.first[int(m.bodies[k])-s.batch.from]; end != 0; {
			at := (end - 1) >> 1
			m.ends = append(m.ends, at)
			end = m.links[at].next[(end-1)&1]
		}
		o.to = int32(len(m.ends))
		o.all = o.to - o.from
	}
	left := o.from
	for _, at := range m.ends[o.from:o.to] {
		if !s.spreadTo(at, warm, h, time) {
			m.ends[left] = at
			left++
		}
	}
	o.to = left
	m.open[k] = o
	return int(o.all)
}

// spreadTo adds a link to the cluster if the cluster spreads to it, and reports whether the link is in the cluster.
func (s *worker) spreadTo(at int32, warm bool, h, time float32) bool {
	m := &s.impacts
	if i := m.links[at].contact; i < 0 {
		k := ^i
		if s.clustered[k] != m.number {
			if e := s.rowError(k, 1/h); !(e > spreadSpeed || m.bounce && e > settleSlop) {
				return false
			}
			m.joinJoint(s, k, warm)
		}
		return true
	}
	if m.bounce {
		if m.links[at].bounce != 0 {
			m.joinBounce(s, at)
		}
		return true
	}
	r := s.approachAt(at, h, time)
	if r.cluster == m.number {
		return true
	}
	if r.search == m.search {
		return false
	}
	r.search = m.search // the other body of the contact need not look again
	if !r.fasterThan(s.bodies, spreadSpeed) && !(warm && s.separates(r.contact)) {
		return false
	}
	m.join(s, r, warm)
	return true
}

// rounds returns the greatest number of rounds for the cluster as it is.
func (s *worker) rounds() int {
	m := &s.impacts
	least, most := s.bodies[m.bodies[0]].invMass, s.bodies[m.bodies[0]].invMass
	for _, i := range m.bodies {
		least, most = min(least, s.bodies[i].invMass), max(most, s.bodies[i].invMass)
	}
	n := int(min(mostRounds, baseRounds+2*most/least))
	return min(n, max(baseRounds, mostVisits/(len(m.cluster)+len(m.joints))))
}

// solveFriction applies the friction of x's points, bounded by the normal impulses so far.
func (x *impact) solveFriction(a, b *body) {
	for k := range x.points[:x.n] {
		p := &x.points[k]
		vt := float32((b.vx-a.vx)*x.ny) - float32((b.vy-a.vy)*x.nx)
		v := p.slip + (vt + float32(b.w*p.tangentB) - float32(a.w*p.tangentA))
		limit := p.friction * p.normal
		sum := max(-limit, min(limit, p.tangent-float32(p.tangentMass*v)))
		d := sum - p.tangent
		p.tangent = sum
		a.w -= float32(x.inertiaA * float32(p.tangentA*d))
		b.w += float32(x.inertiaB * float32(p.tangentB*d))
		x.applyImpulse(a, b, float32(d*x.ny), -float32(d*x.nx))
	}
}

// solveNormals applies the normal impulses that stop the approach of x's points, except for
// the speed that closes a gap. It returns the largest change of speed that one of them
// makes at its point.
func (x *impact) solveNormals(a, b *body) float32 {
	if x.i11 > 0 {
		p, q := &x.points[0], &x.points[1]
		v, u := x.excess(a, b, p), x.excess(a, b, q)
		n, o := x.pair.solve(p.normalMass, q.normalMass, v, u, p.normal, q.normal)
		return max(x.setNormal(a, b, p, n), x.setNormal(a, b, q, o))
	}
	// The matrix of two points is singular, or there is one point.
	most := float32(0)
	for k := range x.points[:x.n] {
		p := &x.points[k]
		v := x.excess(a, b, p)
		most = max(most, x.setNormal(a, b, p, max(0, p.normal-float32(p.normalMass*v))))
	}
	return most
}

// speed returns the present normal velocity at p, negative if it approaches.
func (x *impact) speed(a, b *body, p *impactPoint) float32 {
	vn := float32((b.vx-a.vx)*x.nx) + float32((b.vy-a.vy)*x.ny)
	return p.velocity + (vn + float32(b.w*p.normalB) - float32(a.w*p.normalA))
}

// excess returns the normal velocity at p. If p approaches, the velocity that closes its gap is subtracted.
func (x *impact) excess(a, b *body, p *impactPoint) float32 {
	v := x.speed(a, b, p)
	if v >= 0 {
		return v
	}
	return v + p.gap
}

// setNormal makes n the normal impulse of p, and returns the change of speed that
// the difference alone makes there.
func (x *impact) setNormal(a, b *body, p *impactPoint, n float32) float32 {
	d := n - p.normal
	if d == 0 {
		return 0
	}
	p.normal = n
	a.w -= float32(x.inertiaA * float32(p.normalA*d))
	b.w += float32(x.inertiaB * float32(p.normalB*d))
	x.applyImpulse(a, b, float32(d*x.nx), float32(d*x.ny))
	if d < 0 {
		d = -d
	}
	return d * p.change
}

// applyImpulse applies opposite impulses to A and B, without their torques.
func (x *impact) applyImpulse(a, b *body, px, py float32) {
	a.vx -= float32(a.invMass * px)
	a.vy -= float32(a.invMass * py)
	b.vx += float32(b.invMass * px)
	b.vy += float32(b.invMass * py)
}

// work returns twice the work of the cluster's change of impulses since the last pass: the
// change times the sum of the speeds before and after, at each point.
func (s *worker) work() float32 {
	after := s.power()
	s.exchange()
	before := s.power()
	s.exchange()
	return before + after
}

// power returns the change of the impulses times the present speeds.
func (s *worker) power() (sum float32) {
	m := &s.impacts
	sum = s.jointPower()
	for k := range m.cluster {
		x := &m.cluster[k]
		_, points, l := s.at(x.contact)
		a, b := &s.bodies[x.a], &s.bodies[x.b]
		vt := float32((b.vx-a.vx)*x.ny) - float32((b.vy-a.vy)*x.nx)
		for j := range points {
			p, r := &x.points[j], &points[j]
			v := p.slip + (vt + float32(b.w*p.tangentB) - float32(a.w*p.tangentA))
			sum += float32((p.normal-r.normal[l])*x.speed(a, b, p)) + float32((p.tangent-r.tangent[l])*v)
		}
	}
	return sum
}

// exchange swaps the velocities of the cluster's bodies with those before it was solved.
func (s *worker) exchange() {
	m := &s.impacts
	for k, i := range m.bodies {
		b, d := &s.bodies[i], &m.before[k]
		b.vx, d.vx = d.vx, b.vx
		b.vy, d.vy = d.vy, b.vy
		b.w, d.w = d.w, b.w
	}
}
