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
// makes it bounce, and no impulse to start from.
func (s *Solver) impacts(h float32) {
	s.blows = s.blows[:0]
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if least(c) <= -impactSpeed {
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
			p.NormalImpulse, p.TangentImpulse = 0, 0
		}
	}
}

// least returns the least normal velocity of a contact's points.
func least(c *Contact) float32 {
	v := float32(0)
	for k := range c.Points[:c.N] {
		v = min(v, c.Points[k].RelVelocity)
	}
	return v
}

// rub applies the friction of c's points, by the normal impulses known so far.
func (s *Solver) rub(c *Contact) {
	a, b := &s.Bodies[c.A], &s.Bodies[c.B]
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		vx, vy := relative(a, b, p)
		vt := float32(vx*c.NY) - float32(vy*c.NX) - p.TangentSpeed
		limit := p.Friction * p.NormalImpulse
		sum := max(-limit, min(limit, p.TangentImpulse-float32(p.tangentMass*vt)))
		d := sum - p.TangentImpulse
		p.TangentImpulse = sum
		push(a, b, p, d*c.NY, -d*c.NX)
	}
}

// stop applies the normal impulses that leave c's points with no approach, but
// for what closes a gap in the first sub-step.
func (s *Solver) stop(c *Contact, invH float32) {
	a, b := &s.Bodies[c.A], &s.Bodies[c.B]
	var v, k [2]float32 // approach, and what an impulse of 1 takes from it
	var cross float32   // and what it takes from the other point's
	m := a.InvMass + b.InvMass
	var na, nb [2]float32
	for i := range c.Points[:c.N] {
		p := &c.Points[i]
		vx, vy := relative(a, b, p)
		v[i] = float32(vx*c.NX) + float32(vy*c.NY) + float32(max(p.Separation, 0)*invH)
		na[i] = float32(p.AX*c.NY) - float32(p.AY*c.NX)
		nb[i] = float32(p.BX*c.NY) - float32(p.BY*c.NX)
		k[i] = m + float32(a.InvI*float32(na[i]*na[i])) + float32(b.InvI*float32(nb[i]*nb[i]))
	}
	if c.N == 2 {
		cross = m + float32(a.InvI*float32(na[0]*na[1])) + float32(b.InvI*float32(nb[0]*nb[1]))
	}
	old := [2]float32{c.Points[0].NormalImpulse, c.Points[1].NormalImpulse}
	sum := impulses(c.N, v, k, cross, old)
	for i := range c.Points[:c.N] {
		p := &c.Points[i]
		p.NormalImpulse = sum[i]
		d := sum[i] - old[i]
		push(a, b, p, d*c.NX, d*c.NY)
	}
}

// impulses returns the impulses, none of them negative, of n points that have
// impulses old and normal velocities v, after which none has a negative velocity,
// and one that has an impulse has none: of the four cases (each with or without
// an impulse) the one that holds. Where the two points are as good as one, they
// are solved one after the other.
func impulses(n int32, v, k [2]float32, cross float32, old [2]float32) (sum [2]float32) {
	if !(k[0] > 0) {
		return old
	}
	if n < 2 {
		sum[0] = max(old[0]-v[0]/k[0], 0)
		return sum
	}
	// The velocities without any impulse.
	v0 := v[0] - float32(k[0]*old[0]) - float32(cross*old[1])
	v1 := v[1] - float32(cross*old[0]) - float32(k[1]*old[1])
	det := float32(k[0]*k[1]) - float32(cross*cross)
	if det > singular*k[0]*k[1] {
		x := (float32(cross*v1) - float32(k[1]*v0)) / det
		y := (float32(cross*v0) - float32(k[0]*v1)) / det
		if x >= 0 && y >= 0 {
			return [2]float32{x, y}
		}
	}
	if x := -v0 / k[0]; x >= 0 && v1+float32(cross*x) >= -singular*max(v1, -v1) {
		return [2]float32{x, 0}
	}
	if y := -v1 / k[1]; y >= 0 && v0+float32(cross*y) >= -singular*max(v0, -v0) {
		return [2]float32{0, y}
	}
	if v0 >= 0 && v1 >= 0 {
		return sum
	}
	sum[0] = max(-v0/k[0], 0)
	sum[1] = max(-(v1+float32(cross*sum[0]))/k[1], 0)
	return sum
}

// singular is the share of the product of two points' own effects below which
// what is left when they are taken together is rounding.
const singular = 1e-4

// relative returns the velocity of b at p, as seen from a.
func relative(a, b *Body, p *Point) (x, y float32) {
	x = b.VX - float32(b.W*p.BY) - a.VX + float32(a.W*p.AY)
	y = b.VY + float32(b.W*p.BX) - a.VY - float32(a.W*p.AX)
	return x, y
}

// push applies the impulse (x, y) at p to b, and its reverse to a.
func push(a, b *Body, p *Point, x, y float32) {
	a.VX -= float32(a.InvMass * x)
	a.VY -= float32(a.InvMass * y)
	a.W -= float32(a.InvI * (float32(p.AX*y) - float32(p.AY*x)))
	b.VX += float32(b.InvMass * x)
	b.VY += float32(b.InvMass * y)
	b.W += float32(b.InvI * (float32(p.BX*y) - float32(p.BY*x)))
}
