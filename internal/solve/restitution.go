package solve

// restitution makes the points that approached faster than BounceSpeed at the start of
// the step, and have carried load, separate at that speed times their restitution (Newton's
// law). It comes after the sub-steps, when all approaches have been stopped.
func (s *worker) restitution() {
	for _, i := range s.found.bouncing {
		c := s.fetch(i)
		s.weigh(c)
		if c.i11 > 0 && s.bounces(&c.Points[0]) && s.bounces(&c.Points[1]) {
			s.bounceBoth(c)
			s.storeImpulses(i)
			continue
		}
		a, b := &s.bodies[c.A], &s.bodies[c.B]
		for k := range c.Points[:c.N] {
			if p := &c.Points[k]; s.bounces(p) {
				sum := max(0, p.NormalImpulse-float32(p.normalMass*c.bounceError(a, b, p)))
				c.applyNormal(a, b, p, p.bounce(sum))
			}
		}
		s.storeImpulses(i)
	}
}

// bounces reports whether p approached fast enough to bounce, and has carried load.
func (s *worker) bounces(p *Point) bool {
	return s.mayBounce(p) && p.MaxImpulse != 0
}

// mayBounce reports whether p approaches fast enough at the start of the step to bounce.
func (s *worker) mayBounce(p *Point) bool {
	return p.Restitution != 0 && p.Velocity <= -s.BounceSpeed
}

// bounceBoth solves the restitution of the two points of c as one block. Solved in turn, the
// second changes the velocity at the first: a body that lands flat would turn, and leave with
// more energy than it came with, or with less.
func (s *worker) bounceBoth(c *Contact) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	p, q := &c.Points[0], &c.Points[1]
	m := pair{c.i11, c.i12, c.i22, c.invMassBetween(a, b)}
	x, y := m.solve(p.normalMass, q.normalMass, c.bounceError(a, b, p), c.bounceError(a, b, q), p.NormalImpulse, q.NormalImpulse)
	d, e := p.bounce(x), q.bounce(y)
	a.w -= float32(a.invI * (float32(p.NormalA*d) + float32(q.NormalA*e)))
	b.w += float32(b.invI * (float32(p.NormalB*d) + float32(q.NormalB*e)))
	c.applyImpulse(a, b, d+e, 0)
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
