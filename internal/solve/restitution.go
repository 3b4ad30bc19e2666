package solve

// restitution makes the points that approached faster than BounceSpeed at the start of
// the step, and have carried load, separate at that speed times their restitution (Newton's
// law). It comes after the sub-steps, when all approaches have been stopped.
func (s *worker) restitution() {
	for k, i := range s.found.bouncing {
		c, work := s.fetch(i), s.workLeft(i)
		s.weigh(c)
		if *work > 0 && (s.joined(c.A) || s.joined(c.B)) {
			s.bounceJoined(c, s.bounceWork[k], work)
		} else {
			s.bounce(c, c.invMassBetween(&s.bodies[c.A], &s.bodies[c.B]))
		}
		s.storeImpulses(i)
	}
}

// bounce makes the points of c separate. between is the change of the normal velocity at one of two points by a unit
// impulse at the other.
func (s *worker) bounce(c *Contact, between float32) {
	if c.i11 > 0 && s.bounces(&c.Points[0]) && s.bounces(&c.Points[1]) {
		s.bounceBoth(c, between)
		return
	}
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		if p := &c.Points[k]; s.bounces(p) {
			sum := max(0, p.NormalImpulse-float32(p.normalMass*c.bounceError(a, b, p)))
			c.applyNormal(a, b, p, p.bounce(sum))
		}
	}
}

// bounces reports whether p approached fast enough to bounce, and has carried load.
func (s *worker) bounces(p *Point) bool {
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
	a.w -= float32(a.invI * (float32(p.NormalA*d) + float32(q.NormalA*e)))
	b.w += float32(b.invI * (float32(p.NormalB*d) + float32(q.NormalB*e)))
	c.applyImpulse(a, b, d+e, 0)
}

// Restitution passes through joints, as impacts do. The impulse that makes a free body bounce is too small for one that joints
// hold, such as a locked body or a flipper on its axle: they stop the speed that it gives that body, which is then missing from
// the bounce.

// settleSlop is the speed, in units a second, to which joints are solved while a contact bounces.
const settleSlop = 1e-3

// mostShare bounds the ratio of the speed of a bounce of a contact with joints to that by Newton's law: more is no turn of a joint.
const mostShare = 2

// workLeft returns the number of contacts that clusters of the island of contact i may still visit.
func (s *worker) workLeft(i int32) *int { return &s.islands[s.contactIslands[i]].left }

// joined reports whether body i has a joint.
func (s *worker) joined(i int32) bool { return int(i) >= s.carriers && s.usedByJoints[i] != 0 }

// weighBounces measures the bounces of contacts with joints at the start of the step, as of then; see bounceJoined.
func (s *worker) weighBounces() {
	if s.bounceWork = s.bounceWork[:0]; len(s.batch.joints) == 0 {
		return
	}
	for _, i := range s.found.bouncing {
		energy := float32(0)
		if c := s.copyOf(i); s.joined(c.A) || s.joined(c.B) {
			s.weigh(c)
			_, energy = s.weighJoined(c, s.workLeft(i))
		}
		s.bounceWork = append(s.bounceWork, energy)
	}
}

// weighJoined sets the effective masses of c, a contact of a body with joints: an impulse at a point, and then those of the joints
// that it violates, give the speeds that tell. It returns the change of the normal velocity at one of two points by a unit impulse
// at the other, and twice the work of a bounce.
func (s *worker) weighJoined(c *Contact, work *int) (between, energy float32) {
	a, b, p, q := &s.bodies[c.A], &s.bodies[c.B], &c.Points[0], &c.Points[1]
	if c.N == 2 {
		between = c.invMassBetween(a, b)
	}
	s.beginBounce(c, work)
	for k := range c.Points[:c.N] {
		r := &c.Points[k]
		v, u := c.speed(a, b, p), c.speed(a, b, q)
		d := -float32(r.normalMass * r.Velocity)
		c.applyNormal(a, b, r, d)
		s.settleJoints(work)
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

// beginBounce begins a cluster of the joints of c's bodies.
func (s *worker) beginBounce(c *Contact, work *int) {
	s.beginCluster()
	m := &s.impacts
	m.bounce = true
	m.joinBody(s, c.A)
	m.joinBody(s, c.B)
	s.settleJoints(work)
}

// bounceJoined makes the points of c, a contact of a body with joints, separate. The joints have turned since the start of the step,
// where a bounce would have done that work (twice): by Newton's law it would do more now, or less, so it does the same (Stronge's law).
func (s *worker) bounceJoined(c *Contact, then float32, work *int) {
	between, energy := s.weighJoined(c, work)
	if energy > 0 {
		share := min(mostShare, sqrt(then/energy))
		c.Points[0].Restitution *= share
		c.Points[1].Restitution *= share
	}
	s.beginBounce(c, work)
	for range 2 { // a limit that begins to hold in the first changes the masses
		s.bounce(c, between)
		s.settleJoints(work)
	}
	s.takeJointImpacts(false)
}

// settleJoints solves the joints that a bounce violates, in up to mostRounds rounds: the rows of a weld, of its angle and of its
// anchors, converge slowly, and an impulse that they lack is missing from the bounce.
func (s *worker) settleJoints(work *int) {
	m := &s.impacts
	for round := 0; *work > 0; round++ {
		for k := 0; k < len(m.bodies); k++ {
			*work -= s.spread(k, false, s.h, 0)
		}
		if len(m.joints) == 0 || round == mostRounds {
			return
		}
		most := float32(0)
		for k := range m.joints {
			most = max(most, s.solveJointImpact(&m.joints[k], s.h))
		}
		if *work -= len(m.joints); most <= settleSlop {
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
	p.MaxImpulse = max(p.MaxImpulse, sum)
	return d
}
