package solve

import "math"

// A warm start applies the impulses of the sub-step before. Where the load is gone, they are
// too large: a light body under a heavy one that has left is thrown, and a pass takes back
// of the surplus but the light one's share. So a warm start may take energy, but not give
// any. With v the speeds before it, x its impulses, and A what impulses do to speeds, a
// share f of it gives the energy f x.v + f f x.Ax/2, which is no more than 0 for f up to
// -2 x.v / x.Ax: that is the largest share that each island (bodies joined by contacts)
// takes, but for a slack. At rest x.Ax is -x.v, so all is taken. At any mass ratio the passes
// after it take energy away, but for the push out of an overlap.

// warmSlack is the energy for a unit of mass, in units of length squared a second squared,
// that a warm start may give its island all the same. With none, the warm starts of bodies
// that land and roll are cut by what rounding makes of them, and a world far from the origin
// goes another way (TestFarAway: 3e-7 in a second).
const warmSlack = 0.012

// warming is what the warm start does to a body, and to the island of which it is the first.
type warming struct {
	px, py, torque float32 // impulse
	parent         int32   // a body of the same island, itself if it is the first

	power float32 // x.v of the island
	bend  float32 // x.Ax of the island
	slack float32 // energy that the warm start may give the island
	share float32 // of the warm start that the island takes
}

// joinIslands finds the islands of the step's bodies.
func (s *Solver) joinIslands() {
	s.warm = resized(s.warm, len(s.bodies))
	for i := range s.warm {
		s.warm[i].parent = int32(i)
	}
	for i := range s.Contacts {
		c := &s.Contacts[i]
		if s.bodies[c.A].invMass == 0 || s.bodies[c.B].invMass == 0 {
			continue
		}
		if a, b := s.island(c.A), s.island(c.B); a < b {
			s.warm[b].parent = a
		} else {
			s.warm[a].parent = b
		}
	}
	for i := range s.warm {
		u := &s.warm[i]
		u.parent = s.island(int32(i)) // so that it is one step away
		u.slack = 0
		if inv := s.bodies[i].invMass; inv > 0 {
			s.warm[u.parent].slack += warmSlack / inv
		}
	}
}

// island returns the first body of i's island.
func (s *Solver) island(i int32) int32 {
	for {
		p := s.warm[i].parent
		if p == i {
			return i
		}
		s.warm[i].parent = s.warm[p].parent
		i = s.warm[i].parent
	}
}

// warmStart applies the impulses that the points bring with them, of each island the share
// that gives no energy. Friction was solved before the normals in the last pass, so its
// impulse is brought within the bounds that the normal impulse of the end sets: or a point
// that carries nothing any more would rub for a sub-step as it did under a load that is gone.
func (s *Solver) warmStart() {
	for i := range s.warm {
		u := &s.warm[i]
		u.px, u.py, u.torque, u.power, u.bend = 0, 0, 0, 0, 0
	}
	for i := range s.Contacts {
		s.gatherWarm(&s.Contacts[i])
	}
	for i := 1; i < len(s.warm); i++ {
		b, u := &s.bodies[i], &s.warm[i]
		s.warm[u.parent].bend += float32(b.invMass*(float32(u.px*u.px)+float32(u.py*u.py))) + float32(b.invI*float32(u.torque*u.torque))
	}
	scaled := false
	for i := range s.warm {
		u := &s.warm[i]
		u.share = 1
		if u.power+float32(0.5*u.bend) <= u.slack {
			continue
		}
		// In float64, whose squares hold whatever float32 holds.
		x, a, e := float64(u.power), float64(u.bend), float64(u.slack)
		u.share = float32((math.Sqrt(float64(x*x)+float64(2*float64(a*e))) - x) / a)
		if !(u.share > 0) {
			u.share = 0 // the sums are no numbers
		}
		scaled = true
	}
	for i := 1; i < len(s.warm); i++ {
		b, u := &s.bodies[i], &s.warm[i]
		f := s.warm[u.parent].share
		b.vx += float32(b.invMass * float32(f*u.px))
		b.vy += float32(b.invMass * float32(f*u.py))
		b.w += float32(b.invI * float32(f*u.torque))
	}
	if scaled {
		s.scaleWarm()
	}
}

// gatherWarm adds the impulses of c to what the warm start does to its bodies.
func (s *Solver) gatherWarm(c *Contact) {
	a, b := &s.bodies[c.A], &s.bodies[c.B]
	ua, ub := &s.warm[c.A], &s.warm[c.B]
	vx, vy := b.vx-a.vx, b.vy-a.vy
	vn := float32(vx*c.NX) + float32(vy*c.NY)
	vt := float32(vx*c.NY) - float32(vy*c.NX)
	torqueA, torqueB := c.RollImpulse, c.RollImpulse
	power := float32(c.RollImpulse * (c.Spin + (b.w - a.w)))
	var normal, tangent float32
	for k := range c.Points[:c.N] {
		p := &c.Points[k]
		if limit := p.Friction * p.NormalImpulse; p.TangentImpulse > limit {
			p.TangentImpulse = limit
		} else if p.TangentImpulse < -limit {
			p.TangentImpulse = -limit
		}
		n, t := p.NormalImpulse, p.TangentImpulse
		normal += n
		tangent += t
		torqueA += float32(p.NormalA*n) + float32(p.TangentA*t)
		torqueB += float32(p.NormalB*n) + float32(p.TangentB*t)
		power += float32(n*(p.Velocity+(vn+float32(b.w*p.NormalB)-float32(a.w*p.NormalA)))) +
			float32(t*(p.Slip+(vt+float32(b.w*p.TangentB)-float32(a.w*p.TangentA))))
	}
	px := float32(normal*c.NX) + float32(tangent*c.NY)
	py := float32(normal*c.NY) - float32(tangent*c.NX)
	ua.px -= px
	ua.py -= py
	ua.torque -= torqueA
	ub.px += px
	ub.py += py
	ub.torque += torqueB
	s.warm[s.islandOf(c)].power += power
}

// islandOf returns the first body of the island that c is in.
func (s *Solver) islandOf(c *Contact) int32 {
	if s.bodies[c.A].invMass == 0 {
		return s.warm[c.B].parent
	}
	return s.warm[c.A].parent
}

// scaleWarm brings the impulses of the contacts down to the share that their island took.
func (s *Solver) scaleWarm() {
	for i := range s.Contacts {
		c := &s.Contacts[i]
		f := s.warm[s.islandOf(c)].share
		if f == 1 {
			continue
		}
		for k := range c.Points[:c.N] {
			c.Points[k].NormalImpulse *= f
			c.Points[k].TangentImpulse *= f
		}
		c.RollImpulse *= f
	}
}
