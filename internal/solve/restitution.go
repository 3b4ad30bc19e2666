package solve

import "math"

// Restitution makes the points that approached faster than BounceSpeed at the start of the step, and have carried
// load, separate at that speed times their restitution (Newton's law). It comes after the sub-steps, when all
// approaches have been stopped.
//
// Contacts that bounce and share a body that moves, or one that their joints reach, are a cluster. The law is the
// problem of impact.go with the speeds that points are to gain for those at which they approach, and rounds over the
// contacts solve it. One round alone gains energy: a ball that falls into a blunt corner leaves the second wall as the
// law says, and the first one faster.
//
// Rounds may end before they have converged, as those of the impact may. So a bound of the energy holds in the end.
// With v the speeds of the points at the start of the step, u those after the bounce, e their restitution and z the
// normal impulses of the step, the step adds z.(v+u)/2. That is at most z.(ev+u)/2, since the points approached: v is
// negative. By the law ev+u is 0 at each point with an impulse. Where the sum is above 0, the largest share of the
// bounce remains for which it is not, the root of a quadratic.

// restitution bounces the contacts of the batch.
func (s *worker) restitution() {
	if len(s.found.bouncing) == 0 {
		return
	}
	s.listLinks()
	m := &s.impacts
	for k, i := range s.found.bouncing {
		c, visits, bounce := s.fetch(i), s.visitsLeftOf(i), &s.bounces[k]
		s.weigh(c)
		if *visits > 0 && (s.joined(c.A) || s.joined(c.B)) {
			bounce.between = s.weighTurned(c, bounce.energy, visits)
		} else if c.N == 2 {
			bounce.between = c.invMassBetween()
		}
	}
	for k, i := range s.found.bouncing {
		m.links[s.positionOf(i)].bounce = int32(k) + 1
	}
	for _, i := range s.found.bouncing {
		if at := s.positionOf(i); m.links[at].bounce != 0 {
			s.bounceCluster(at, s.visitsLeftOf(i))
		}
	}
}

// bounceCluster bounces the contact at an index in links, with the cluster that it spreads to.
func (s *worker) bounceCluster(at int32, visits *int) {
	s.beginBounce()
	m := &s.impacts
	m.joinBounce(s, at)
	s.spreadBounce(visits)
	s.settleJoints(visits)
	for round := 0; ; {
		most := float32(0)
		for k := 0; k < len(m.cluster); k++ { // more may join
			x := &m.cluster[k]
			c := s.copyOf(x.contact)
			most = max(most, s.bounce(c, x.between))
			if s.joined(c.A) || s.joined(c.B) {
				s.settleJoints(visits)
			}
		}
		*visits -= len(m.cluster)
		if round++; most <= bounceSlop || *visits <= 0 || round >= s.rounds() {
			break
		}
	}
	s.boundBounce()
	s.takeJointImpacts(false)
	for k := range m.cluster {
		i := m.cluster[k].contact
		c := s.copyOf(i)
		for j := range c.Points[:c.N] {
			p := &c.Points[j]
			p.MaxImpulse = max(p.MaxImpulse, p.NormalImpulse)
		}
		s.storeImpulses(i)
	}
}

// joinBounce adds the contact at an index in links, which may bounce and is in no cluster yet.
func (m *impacts) joinBounce(s *worker, at int32) {
	l := &m.links[at]
	x := impact{contact: l.contact}
	x.between = s.bounces[l.bounce-1].between
	l.bounce = 0
	m.cluster = append(m.cluster, x)
	c := s.copyOf(l.contact)
	m.joinBody(s, c.A)
	m.joinBody(s, c.B)
}

// boundBounce makes the impulses of the cluster's bounce so small that the step adds no energy.
func (s *worker) boundBounce() {
	m := &s.impacts
	after := s.bounceErrors()
	s.exchange()
	before := s.bounceErrors()
	s.exchange()
	// The sum for the share f of the bounce is c + d f + e f f.
	c := float64(before.step)
	d := float64(before.bounce) + (float64(after.step) - c)
	e := max(0, float64(after.bounce)-float64(before.bounce))
	if !(c+d+e > 0) {
		return
	}
	root := math.Sqrt(max(0, float64(d*d)-float64(4*float64(c*e))))
	share := 0.0
	if d > 0 { // without the difference of two numbers that are nearly equal
		share = -2 * c / (root + d)
	} else if e > 0 {
		share = (root - d) / (2 * e)
	}
	f := float32(max(0, min(share, 1)))
	for k, i := range m.bodies {
		b, was := &s.bodies[i], &m.before[k]
		b.vx, b.vy, b.w = was.vx+float32(f*(b.vx-was.vx)), was.vy+float32(f*(b.vy-was.vy)), was.w+float32(f*(b.w-was.w))
	}
	for k := range m.joints {
		m.joints[k].scale(f)
	}
	for k := range m.cluster {
		i := m.cluster[k].contact
		c := s.copyOf(i)
		_, points, l := s.at(i)
		for j := range points {
			p, was := &c.Points[j], points[j].normal[l]
			p.bounce(was + float32(f*(p.NormalImpulse-was)))
		}
	}
}

// bounceErrors are the sums of the errors of the law at the points of a cluster, times their impulses in the step before the
// bounce, and times those of the bounce.
type bounceErrors struct{ step, bounce float32 }

// bounceErrors returns the sums at the present speeds. Joints are to have none.
func (s *worker) bounceErrors() (sum bounceErrors) {
	m := &s.impacts
	for k := range m.cluster {
		i := m.cluster[k].contact
		c := s.copyOf(i)
		_, points, l := s.at(i)
		sums := &s.rareOf(i).points
		for j := range points {
			if p := &c.Points[j]; s.mayBounce(p) {
				e := c.bounceError(&s.bodies[c.A], &s.bodies[c.B], p)
				sum.step += float32(sums[j&1].normalTotal[l] * e)
				sum.bounce += float32((p.NormalImpulse - points[j].normal[l]) * e)
			}
		}
	}
	for k := range m.joints {
		x := &m.joints[k]
		j := s.jointOf(x)
		sum.bounce += j.power(&s.bodies[j.a], &s.bodies[j.b], x.U, x.V, x.Linear.sum(), x.Angular.sum())
	}
	return sum
}

// bounce makes the points of c separate, and returns the largest change of speed that one of the impulses makes at its point.
// between is the change of the normal velocity at one of two points by a unit impulse at the other.
func (s *worker) bounce(c *Contact, between float32) (most float32) {
	p, q := &c.Points[0], &c.Points[1]
	n, o := p.NormalImpulse, q.NormalImpulse
	if c.i11 > 0 && s.mayBounce(p) && s.mayBounce(q) {
		s.bounceBoth(c, between)
	} else {
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		for k := range c.Points[:c.N] {
			if p := &c.Points[k]; s.mayBounce(p) {
				sum := max(0, p.NormalImpulse-float32(p.normalMass*c.bounceError(a, b, p)))
				c.applyNormal(a, b, p, p.bounce(sum))
			}
		}
	}
	n, o = (p.NormalImpulse-n)*inverse(p.normalMass), (q.NormalImpulse-o)*inverse(q.normalMass)
	return max(n, -n, o, -o)
}

// mayBounce reports whether p approached fast enough to bounce, and has carried load.
func (s *worker) mayBounce(p *Point) bool {
	return p.Restitution != 0 && p.Velocity <= -s.BounceSpeed && p.MaxImpulse != 0
}

// bounceBoth solves the restitution of the two points of c as one block. Solved in turn, the
// second changes the velocity at the first: a body that lands flat would turn, and leave with
// more energy than it came with, or with less.
func (s *worker) bounceBoth(c *Contact, between float32) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	p, q := &c.Points[0], &c.Points[1]
	m := pair{c.i11, c.i12, c.i22, between}
	x, y := m.solve(p.normalMass, q.normalMass, c.bounceError(a, b, p), c.bounceError(a, b, q), p.NormalImpulse, q.NormalImpulse)
	d, e := p.bounce(x), q.bounce(y)
	a.w -= float32(c.inertiaA * (float32(p.NormalA*d) + float32(q.NormalA*e)))
	b.w += float32(c.inertiaB * (float32(p.NormalB*d) + float32(q.NormalB*e)))
	c.applyImpulse(a, b, d+e, 0)
}

// Restitution passes through joints, as impacts do. The impulse that makes a free body bounce is too small for one that
// joints hold, such as a locked body or a flipper on its axle: they stop the speed that it gives that body, which is
// then missing from the bounce.

// settleSlop is the speed, in units a second, to which joints are solved while a contact bounces.
const settleSlop = 1e-3

// bounceSlop is the change of speed by which the rounds of a bounce end, in units a second: so small that the same
// bodies in another frame, where rounding differs, and a round more or less, take the same path (TestHeapsInMotion).
const bounceSlop = 1e-5

// mostShare bounds the ratio of the speed of a bounce of a contact with joints to that by Newton's law: more is no turn
// of a joint.
const mostShare = 2

// visitsLeftOf returns the number of contacts that clusters of the island of contact i may still visit.
func (s *worker) visitsLeftOf(i int32) *int { return &s.islands[s.contactIslands[i]].visitsLeft }

// joined reports whether body i has a joint.
func (s *worker) joined(i int32) bool { return int(i) >= s.fixedCount && s.usedByJoints[i] != 0 }

// bouncing is a contact that may bounce.
type bouncing struct {
	energy  float32 // twice the work of its bounce at the start of the step, of a contact with joints
	between float32 // change of the normal velocity at one of two points by a unit impulse at the other
}

// weighBounces measures the bounces of contacts with joints at the start of the step, as of then; see weighTurned.
func (s *worker) weighBounces() {
	s.bounces = resized(s.bounces, len(s.found.bouncing))
	clear(s.bounces)
	if len(s.batch.joints) == 0 {
		return
	}
	for k, i := range s.found.bouncing {
		if c := s.copyOf(i); s.joined(c.A) || s.joined(c.B) {
			s.weigh(c)
			_, s.bounces[k].energy = s.weighJoined(c, s.visitsLeftOf(i))
		}
	}
}

// weighJoined sets the effective masses of c, a contact of a body with joints. They follow from the velocities after a
// unit impulse at a point and the impulses of the joints that it violates. It returns the change of the normal velocity
// at one of two points by a unit impulse at the other, and twice the work of a bounce.
func (s *worker) weighJoined(c *Contact, visits *int) (between, energy float32) {
	a, b, p, q := &s.bodies[c.A], &s.bodies[c.B], &c.Points[0], &c.Points[1]
	if c.N == 2 {
		between = c.invMassBetween()
	}
	s.beginBounce()
	s.impacts.joinBody(s, c.A)
	s.impacts.joinBody(s, c.B)
	s.settleJoints(visits)
	for k := range c.Points[:c.N] {
		r := &c.Points[k]
		v, u := c.speed(a, b, p), c.speed(a, b, q)
		d := -float32(r.normalMass * r.Velocity)
		c.applyNormal(a, b, r, d)
		s.settleJoints(visits)
		if v, u = c.speed(a, b, p)-v, c.speed(a, b, q)-u; k == 1 {
			v, u = u, v // u is that of the other point
		}
		if d > 0 && v > 0 {
			r.normalMass, between = d/v, u/d
		}
	}
	s.exchange() // takes it back
	x := pair{between: between}
	if c.N == 2 {
		x = pairOf(1/p.normalMass, 1/q.normalMass, between)
	}
	c.i11, c.i12, c.i22 = x.i11, x.i12, x.i22
	v, u := float32(p.Restitution*p.Velocity), float32(q.Restitution*q.Velocity)
	if c.i11 == 0 {
		return between, max(float32(p.normalMass*v)*v, float32(q.normalMass*u)*u)
	}
	n, o := x.solve(p.normalMass, q.normalMass, v, u, 0, 0)
	return between, -float32(n*v) - float32(o*u)
}

// beginBounce begins a cluster of a bounce.
func (s *worker) beginBounce() {
	s.beginCluster()
	s.impacts.bounce = true
}

// weighTurned is weighJoined after the sub-steps. The joints have turned since the start of the step, where a bounce would
// have done the work then (twice): by Newton's law it would do more now, or less, so it does the same (Stronge's law).
func (s *worker) weighTurned(c *Contact, then float32, visits *int) (between float32) {
	between, energy := s.weighJoined(c, visits)
	if energy > 0 {
		share := min(mostShare, sqrt(then/energy))
		c.Points[0].Restitution *= share
		c.Points[1].Restitution *= share
	}
	return between
}

// spreadBounce adds the contacts and joints that the cluster of a bounce spreads to.
func (s *worker) spreadBounce(visits *int) {
	for k := 0; k < len(s.impacts.bodies); k++ {
		*visits -= s.spread(k, false, s.h, 0)
	}
}

// settleJoints solves the joints that a bounce violates, in up to mostRounds rounds: the rows of a weld, of its angle
// and of its anchors, converge slowly, and an impulse that they lack is missing from the bounce.
func (s *worker) settleJoints(visits *int) {
	m := &s.impacts
	for round := 0; *visits > 0; round++ {
		s.spreadBounce(visits)
		if len(m.joints) == 0 || round == mostRounds {
			return
		}
		most := float32(0)
		for k := range m.joints {
			most = max(most, s.solveJointImpact(&m.joints[k], s.h))
		}
		if *visits -= len(m.joints); most <= settleSlop {
			return
		}
	}
}

// bounceError returns the normal velocity at p less the velocity that it is to have after a
// bounce: negative if it is still too low.
func (c *Contact) bounceError(a, b *body, p *Point) float32 {
	return c.speed(a, b, p) + float32(p.Restitution*p.Velocity)
}

// bounce makes sum the normal impulse of p, and returns the difference.
func (p *Point) bounce(sum float32) float32 {
	d := sum - p.NormalImpulse
	p.NormalImpulse = sum
	p.normalTotal += d
	return d
}
