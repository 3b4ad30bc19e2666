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

// The clusters of an island together visit at most baseWork contacts and workEach for each
// contact of the island in a step; after that, each impact is a cluster of its own two bodies,
// and relaxUneven stops. Without a limit, a few thousand bodies that collide at once are so
// many clusters, each of the whole pile, that a step would take seconds. The limit is a few
// times the cost of the passes; islands of two dozen bodies stay far below it.
const (
	baseWork = 1 << 16
	workEach = 8
)

// impact is a contact of a cluster, with its impulses there.
type impact struct {
	contact         int32
	normal, tangent [2]float32
}

// impacts is the memory in which clusters are solved.
type impacts struct {
	cluster   []impact      // in work
	joints    []jointImpact // of the cluster
	bodies    []int32       // that the cluster moves
	before    []velocity    // theirs before the cluster was solved
	number    uint32        // of the cluster, in this batch
	inCluster []uint32      // of each contact, the number of its last cluster
	moved     []uint32      // of each body of the batch, likewise

	linked bool    // the next two are set
	first  []int32 // of each body of the batch, where its contacts begin in links; one more at the end
	links  []int32 // contacts, and joints as ^index in worker.joints
}

// velocity is a change of velocity and spin since the start of the step.
type velocity struct{ vx, vy, w float32 }

// solveImpacts stops the contacts that approach at speed, and the joints that part so, at the start of a step of dt
// seconds, except for the approach that closes a gap in the step.
func (s *worker) solveImpacts(dt float32) {
	// The motion at the start is that of the sub-step before, at whose end the bodies have left the tangents to
	// the other side.
	s.updateJoints(0, -s.h)
	for _, i := range s.found.approaching {
		if s.copyOf(i).approaches(s, -ImpactSpeed, dt, 0) {
			s.solveCluster(i, false, dt, 0)
		}
	}
	for k := range s.joints {
		if s.rowError(int32(k), 1/dt) > ImpactSpeed {
			s.solveCluster(^int32(k), false, dt, 0)
		}
	}
}

// listLinks lists the contacts of each body of the batch, once a step.
func (s *worker) listLinks() {
	m, t := &s.impacts, s.batch
	if m.linked {
		return
	}
	m.linked = true
	n := t.to - t.from
	m.first, m.moved = resized(m.first, n+1), resized(m.moved, n)
	m.inCluster, m.links = resized(m.inCluster, len(s.Links)), resized(m.links, 2*(len(t.contacts)+len(s.joints)))
	m.number = 0
	clear(m.first)
	clear(m.moved)
	for _, i := range t.contacts {
		m.inCluster[i] = 0
		for _, b := range s.bodiesOf(i) {
			if k := int(b) - t.from; k >= 0 {
				m.first[k]++
			}
		}
	}
	for k := range s.joints {
		j := &s.joints[k]
		j.number = 0
		for _, b := range [2]int32{j.a, j.b} {
			if k := int(b) - t.from; k >= 0 {
				m.first[k]++
			}
		}
	}
	sumUp(m.first)
	for k := len(s.joints) - 1; k >= 0; k-- {
		j := &s.joints[k]
		for _, b := range [2]int32{j.a, j.b} {
			if at := int(b) - t.from; at >= 0 {
				m.first[at]--
				m.links[m.first[at]] = ^int32(k)
			}
		}
	}
	for k := len(t.contacts) - 1; k >= 0; k-- {
		i := t.contacts[k]
		for _, b := range s.bodiesOf(i) {
			if k := int(b) - t.from; k >= 0 {
				m.first[k]--
				m.links[m.first[k]] = i
			}
		}
	}
}

// bodiesOf returns the bodies of contact i.
func (s *worker) bodiesOf(i int32) [2]int32 {
	l := &s.Links[i]
	return [2]int32{s.bodyOf[l.A], s.bodyOf[l.B]}
}

// linksOf returns the contacts and joints of body b, which the batch moves.
func (s *worker) linksOf(b int32) []int32 {
	m, k := &s.impacts, int(b)-s.batch.from
	return m.links[m.first[k]:m.first[k+1]]
}

// resized returns a with length n. Its elements are to be cleared or set.
func resized[T any](a []T, n int) []T {
	if cap(a) < n {
		return make([]T, n, n+n/4)
	}
	return a[:n]
}

// join adds contact i to the cluster, if warm with the impulses that it has.
func (m *impacts) join(s *worker, i int32, warm bool) {
	m.inCluster[i] = m.number
	c := s.fetch(i)
	s.weigh(c)
	x := impact{contact: i}
	if warm {
		for k := range c.N {
			p := &c.Points[k]
			x.normal[k], x.tangent[k] = p.NormalImpulse, p.TangentImpulse
		}
	}
	m.cluster = append(m.cluster, x)
	m.joinBody(s, c.A)
	m.joinBody(s, c.B)
}

// joinBody adds body b to those that the cluster moves.
func (m *impacts) joinBody(s *worker, b int32) {
	if k := int(b) - s.batch.from; k >= 0 && m.moved[k] != m.number {
		m.moved[k] = m.number
		m.bodies = append(m.bodies, b)
		m.before = append(m.before, velocity{s.bodies[b].vx, s.bodies[b].vy, s.bodies[b].w})
	}
}

// solveCluster solves contact i, or joint ^i, with the cluster that it spreads to: as an impact, from
// zero, or if warm from the impulses of the last pass, which the found ones then replace.
// A point with a gap may approach at the speed that closes it in h seconds; time is the
// seconds since the start of the step. (Before the first round of an impact nothing presses, so there
// is no friction.)
func (s *worker) solveCluster(i int32, warm bool, h, time float32) {
	s.listLinks()
	m := &s.impacts
	var work *int
	if i < 0 {
		work = &s.islands[s.joints[^i].island].left
	} else {
		work = &s.islands[s.islandOf(&s.Links[i])].left
	}
	if warm && *work <= 0 {
		return
	}
	m.number++
	m.cluster, m.joints, m.bodies, m.before = m.cluster[:0], m.joints[:0], m.bodies[:0], m.before[:0]
	if i < 0 {
		m.joinJoint(s, ^i, warm)
	} else {
		m.join(s, i, warm)
	}
	for round := 0; round < s.rounds(); round++ {
		*work -= len(m.cluster) + len(m.joints)
		most := float32(0)
		for k := range m.joints {
			most = max(most, s.solveJointImpact(&m.joints[k], h))
		}
		for k := range m.cluster {
			p := &m.cluster[k]
			if round > 0 || warm {
				s.solveFriction(p)
			}
			most = max(most, s.solveNormals(p, h, time))
		}
		if *work <= 0 {
			break
		}
		n := len(m.cluster) + len(m.joints)
		for k := 0; k < len(m.bodies); k++ {
			b := m.bodies[k]
			of := s.linksOf(b)
			*work -= len(of)
			for _, j := range of {
				if j < 0 {
					if s.joints[^j].number != m.number && s.rowError(^j, 1/h) > spreadSpeed {
						m.joinJoint(s, ^j, warm)
					}
					continue
				}
				if m.inCluster[j] != m.number && (s.copyOf(j).approaches(s, -spreadSpeed, h, time) || warm && s.separates(j)) {
					m.join(s, j, warm)
				}
			}
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
		c := s.copyOf(x.contact)
		for j := range c.Points[:c.N] {
			p := &c.Points[j]
			p.MaxImpulse = max(p.MaxImpulse, x.normal[j])
			p.normalTotal += x.normal[j]
			p.tangentTotal += x.tangent[j]
			if warm {
				p.normalTotal -= p.NormalImpulse
				p.tangentTotal -= p.TangentImpulse
				p.NormalImpulse, p.TangentImpulse = x.normal[j], x.tangent[j]
			}
		}
		s.storeImpulses(x.contact)
	}
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

// approaches reports whether a point of c approaches at that speed or faster, beyond the
// approach that closes its gap in h seconds.
func (c *Contact) approaches(s *worker, speed, h, time float32) bool {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		if c.excess(a, b, &c.Points[k], h, time) <= speed {
			return true
		}
	}
	return false
}

// solveFriction applies the friction of x's points, bounded by the normal impulses so far.
func (s *worker) solveFriction(x *impact) {
	c := s.copyOf(x.contact)
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		vt := float32((b.vx-a.vx)*c.NY) - float32((b.vy-a.vy)*c.NX)
		v := p.Slip + (vt + float32(b.w*p.TangentB) - float32(a.w*p.TangentA))
		limit := p.Friction * x.normal[k]
		sum := max(-limit, min(limit, x.tangent[k]-float32(p.tangentMass*v)))
		d := sum - x.tangent[k]
		x.tangent[k] = sum
		a.w -= float32(a.invI * float32(p.TangentA*d))
		b.w += float32(b.invI * float32(p.TangentB*d))
		c.applyImpulse(a, b, 0, d)
	}
}

// solveNormals applies the normal impulses that stop the approach of x's points, except for
// the speed that closes a gap in h seconds. It returns the largest change of speed that one of them
// makes at its point.
func (s *worker) solveNormals(x *impact, h, time float32) float32 {
	c := s.copyOf(x.contact)
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	if c.i11 > 0 {
		p, q := &c.Points[0], &c.Points[1]
		v, u := c.excess(a, b, p, h, time), c.excess(a, b, q, h, time)
		n, o := c.solveBoth(a, b, v, u, x.normal[0], x.normal[1])
		return max(s.setNormal(x, 0, n), s.setNormal(x, 1, o))
	}
	// The matrix of two points is singular, or there is one point.
	most := float32(0)
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		v := c.excess(a, b, p, h, time)
		most = max(most, s.setNormal(x, k, max(0, x.normal[k]-float32(p.normalMass*v))))
	}
	return most
}

// excess returns the normal velocity at p, time seconds into the step. If p approaches, the
// velocity that closes its gap in h seconds is subtracted.
func (c *Contact) excess(a, b *body, p *Point, h, time float32) float32 {
	v := c.speed(a, b, p)
	if v >= 0 {
		return v
	}
	moved := float32(c.Drift*time) + (float32((b.dx-a.dx)*c.NX) + float32((b.dy-a.dy)*c.NY))
	sep := p.Separation + moved + p.anchorRise(c, a.dc-1, b.dc-1, a.ds, b.ds)
	return v + max(0, sep)/h
}

// setNormal makes n the normal impulse of x's point k, and returns the change of speed that
// the difference alone makes there.
func (s *worker) setNormal(x *impact, k int, n float32) float32 {
	c := s.copyOf(x.contact)
	a, b, p := &s.bodies[c.A], &s.bodies[c.B], &c.Points[k]
	d := n - x.normal[k]
	x.normal[k] = n
	c.applyNormal(a, b, p, d)
	if d < 0 {
		d = -d
	}
	return d * c.invMassAt(a, b, p)
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
		c := s.copyOf(x.contact)
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		vt := float32((b.vx-a.vx)*c.NY) - float32((b.vy-a.vy)*c.NX)
		for j := range c.Points[:c.N] {
			p := &c.Points[j]
			v := p.Slip + (vt + float32(b.w*p.TangentB) - float32(a.w*p.TangentA))
			sum += float32((x.normal[j]-p.NormalImpulse)*c.speed(a, b, p)) + float32((x.tangent[j]-p.TangentImpulse)*v)
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
