package solve

// What meets at speed is stopped before the first sub-step, to the last of it.
//
// The passes of the sub-steps go over each point once, which is enough for what
// changes little from one to the next, and not for a blow: one point of two takes
// what is the other's, the body turns, sinks in by what is left of its speed, and
// is kicked up by what comes back of it when the next sub-step applies the blow
// again for a warm start: by a twentieth of the speed that it came with. So the
// blow is solved here by itself, both points of a manifold at once, and the
// sub-steps begin without it.

// impactSpeed is the speed of approach, in units a second, from which a contact
// is a blow. Below, what the passes leave of it is not seen.
const impactSpeed = 10

// impactRounds is how often all the blows of a step are gone over. One is
// enough for a body that meets one thing.
const impactRounds = 4

// impacts stops what meets at speed. It leaves MaxImpulse, which tells of it and
// makes it bounce, the impulses among those of the whole step, and none to start
// the sub-steps from.
func (s *Solver) impacts(h float32) {
	s.blows = s.blows[:0]
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if c.approach() <= -impactSpeed {
			s.blows = append(s.blows, int32(i))
			for k := range c.Points[:c.N] {
				c.Points[k].NormalImpulse, c.Points[k].TangentImpulse = 0, 0
			}
		}
	}
	if len(s.blows) == 0 {
		return
	}
	for round := range impactRounds {
		for _, i := range s.blows {
			if round > 0 {
				s.rub(&s.Contacts[i])
			}
			s.stop(&s.Contacts[i], 1/h)
		}
	}
	for _, i := range s.blows {
		c := &s.Contacts[i]
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			p.MaxImpulse = p.NormalImpulse
			p.normalTotal, p.tangentTotal = p.NormalImpulse, p.TangentImpulse
			p.NormalImpulse, p.TangentImpulse = 0, 0
		}
	}
}

// approach returns the least normal velocity of c's points at the start of the
// step, or 0 if none approaches.
func (c *Contact) approach() float32 {
	v := float32(0)
	for k := range c.Points[:c.N] {
		if c.Points[k].Velocity < v {
			v = c.Points[k].Velocity
		}
	}
	return v
}

// rub applies the friction of c's points, by the normal impulses known so far.
func (s *Solver) rub(c *Contact) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		vt := float32((b.vx-a.vx)*c.NY) - float32((b.vy-a.vy)*c.NX)
		v := p.Slip + (vt + float32(b.w*p.TangentB) - float32(a.w*p.TangentA))
		limit := p.Friction * p.NormalImpulse
		sum := max(-limit, min(limit, p.TangentImpulse-float32(p.tangentMass*v)))
		d := sum - p.TangentImpulse
		p.TangentImpulse = sum
		a.w -= float32(a.invI * float32(p.TangentA*d))
		b.w += float32(b.invI * float32(p.TangentB*d))
		c.push(a, b, 0, d)
	}
}

// stop applies the normal impulses that leave c's points with no approach, but
// for what closes a gap in the first sub-step.
func (s *Solver) stop(c *Contact, invH float32) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	if c.i11 > 0 {
		p, q := &c.Points[0], &c.Points[1]
		v, u := c.closing(a, b, p, invH), c.closing(a, b, q, invH)
		x := p.NormalImpulse - (float32(c.i11*v) + float32(c.i12*u))
		y := q.NormalImpulse - (float32(c.i12*v) + float32(c.i22*u))
		if x < 0 || y < 0 {
			x, y = c.oneOf(a, b, x, y, v, u)
		}
		c.load(a, b, p, x)
		c.load(a, b, q, y)
		return
	}
	// The two are as good as one, or there is one.
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		c.load(a, b, p, max(0, p.NormalImpulse-float32(p.normalMass*c.closing(a, b, p, invH))))
	}
}

// closing returns the normal velocity at p beyond what closes the gap there.
func (c *Contact) closing(a, b *body, p *Point, invH float32) float32 {
	vn := float32((b.vx-a.vx)*c.NX) + float32((b.vy-a.vy)*c.NY)
	return p.Velocity + (vn + float32(b.w*p.NormalB) - float32(a.w*p.NormalA)) + float32(max(0, p.Separation)*invH)
}

// load makes x the normal impulse of p.
func (c *Contact) load(a, b *body, p *Point, x float32) {
	d := x - p.NormalImpulse
	p.NormalImpulse = x
	a.w -= float32(a.invI * float32(p.NormalA*d))
	b.w += float32(b.invI * float32(p.NormalB*d))
	c.push(a, b, d, 0)
}
