package solve

import "math"

// Motion is a body as the world hands it over and takes it back, in the world's
// own numbers. Run advances it by a step. Index 0 is what does not move.
type Motion struct {
	VX, VY, Spin    float64 // velocity, units and radians a second
	AX, AY, AW      float64 // acceleration: gravity and forces
	Linear, Angular float64 // damping, 1 a second, 0 and up
	InvMass, InvI   float64 // 0 for what does not yield

	// What Run moved it by: its centre, and the cosine and sine of its turn,
	// which are 1 and 0 when it has not turned at all; Turn is the same in radians, to
	// 1e-5 of it, and may be more than a whole turn.
	DX, DY, C, S, Turn float64

	// Whether velocity and spin are the sum of what acted; not when damping, or a
	// limit, took some of it away.
	summed, summedSpin bool
}

// begin fills the bodies: what is at rest in the frames that the motions make.
//
// Damping is implicit, v/(1+h*d), which no d makes unstable. Of base + change it
// keeps a share of both, so the change takes what the base has lost.
func (s *Solver) begin(h float64) {
	s.bodies = s.bodies[:0]
	s.turned = resized(s.turned, len(s.Motions))
	clear(s.turned)
	for i := range s.Motions {
		m := &s.Motions[i]
		lin, ang := 1/(1+float64(h*m.Linear)), 1/(1+float64(h*m.Angular))
		m.summed, m.summedSpin = lin == 1, ang == 1
		linLost, angLost := float64(h*m.Linear)*lin, float64(h*m.Angular)*ang
		speed := math.Sqrt(float64(m.VX*m.VX) + float64(m.VY*m.VY))
		s.bodies = append(s.bodies, body{
			dc:      1,
			invMass: float32(m.InvMass), invI: float32(m.InvI),
			ax:  float32(float64(h*m.AX*lin) - float64(m.VX*linLost)),
			ay:  float32(float64(h*m.AY*lin) - float64(m.VY*linLost)),
			aw:  float32(float64(h*m.AW*ang) - float64(m.Spin*angLost)),
			lin: float32(lin), ang: float32(ang),
			spin: float32(m.Spin),
			room: float32(max(0, 0.999999*(float64(s.MaxSpeed)-speed))),
		})
	}
}

// finish takes the bodies' changes over into the motions.
//
// Over a hundred steps and more, what float32 rounds in the changes of velocity
// adds up where nothing puts it right, as along a slope without friction. So the
// end is reckoned anew, in float64, from what acted in the step: the acceleration
// and each contact's impulses, along its normal as it is in full. What float32 has
// rounded is then only the impulses, of which the next step sees the effect.
func (s *Solver) finish(dt float64) {
	for i := 1; i < len(s.bodies); i++ {
		m, b := &s.Motions[i], &s.bodies[i]
		m.DX = float64(m.VX*dt) + float64(b.dx)
		m.DY = float64(m.VY*dt) + float64(b.dy)
		m.C, m.S, m.Turn = float64(b.dc), float64(b.ds), float64(s.turned[i])
		if m.summed {
			m.VX += float64(m.AX * dt)
			m.VY += float64(m.AY * dt)
		} else {
			m.VX += float64(b.vx)
			m.VY += float64(b.vy)
		}
		if m.summedSpin {
			m.Spin += float64(m.AW * dt)
		} else {
			m.Spin += float64(b.w)
		}
	}
	for i := range s.Contacts {
		c, n := &s.Contacts[i], &s.Normals[i]
		var normal, tangent float64
		torqueA, torqueB := float64(c.rollTotal), float64(c.rollTotal)
		for k := range c.Points[:c.N] {
			p := &c.Points[k]
			pn, pt := float64(p.normalTotal), float64(p.tangentTotal)
			normal += pn
			tangent += pt
			torqueA += float64(float64(p.NormalA)*pn) + float64(float64(p.TangentA)*pt)
			torqueB += float64(float64(p.NormalB)*pn) + float64(float64(p.TangentB)*pt)
		}
		px := float64(n.X*normal) + float64(n.Y*tangent)
		py := float64(n.Y*normal) - float64(n.X*tangent)
		s.Motions[c.A].push(-px, -py, -torqueA)
		s.Motions[c.B].push(px, py, torqueB)
	}
	for i := range s.rollings {
		r := &s.rollings[i]
		if c := &s.Contacts[r.contact]; r.ofB {
			s.Motions[c.B].push(0, 0, r.torque)
		} else {
			s.Motions[c.A].push(0, 0, -r.torque)
		}
	}
	s.limit(dt)
}

// applyImpulse gives m an impulse, if it is summed.
func (m *Motion) push(px, py, torque float64) {
	if m.summed {
		m.VX += float64(m.InvMass * px)
		m.VY += float64(m.InvMass * py)
	}
	if m.summedSpin {
		m.Spin += float64(m.InvI * torque)
	}
}

// limit keeps the speeds and ways of a whole step within MaxSpeed: contacts, the
// last word of which is after the integration, give light bodies more.
func (s *Solver) limit(dt float64) {
	most := float64(s.MaxSpeed)
	far := most * dt
	for i := 1; i < len(s.Motions); i++ {
		m := &s.Motions[i]
		if v2 := float64(m.VX*m.VX) + float64(m.VY*m.VY); v2 > most*most {
			k := most / math.Sqrt(v2)
			m.VX, m.VY = m.VX*k, m.VY*k
		}
		if d2 := float64(m.DX*m.DX) + float64(m.DY*m.DY); d2 > far*far {
			k := far / math.Sqrt(d2)
			m.DX, m.DY = m.DX*k, m.DY*k
		}
	}
}

// slow keeps body i, which may be faster than MaxSpeed, within it.
func (s *Solver) slow(i int) {
	m, b := &s.Motions[i], &s.bodies[i]
	vx, vy := m.VX+float64(b.vx), m.VY+float64(b.vy)
	most := float64(s.MaxSpeed)
	if v2 := float64(vx*vx) + float64(vy*vy); v2 > most*most {
		k := most / math.Sqrt(v2)
		b.vx, b.vy = float32(float64(vx*k)-m.VX), float32(float64(vy*k)-m.VY)
		m.summed = false
	}
}

// slowSpin keeps body i, which turns too fast for a sub-step, to what it can carry.
func (s *Solver) slowSpin(i int) {
	m, b := &s.Motions[i], &s.bodies[i]
	most := math.Copysign(float64(s.maxTurn), float64(b.spin+b.w))
	b.w = float32(most - m.Spin)
	m.summedSpin = false
}
