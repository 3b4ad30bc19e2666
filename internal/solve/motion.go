package solve

import "math"

// Motion is the state of a body that the world hands over and takes back, in float64. Run
// advances it by a step. Index 0 stands for all static bodies.
type Motion struct {
	VX, VY, Spin  float64 // velocity, units and radians a second
	InvMass, InvI float64 // 0 for static and kinematic bodies

	// Whether velocity and spin are the sum of the accelerations and impulses, which damping
	// or a limit has not reduced.
	summed, summedSpin bool

	AX, AY, AW      float64 // acceleration: gravity and forces
	Linear, Angular float64 // damping, 1 a second, 0 and up

	// Set by Run: the displacement of the centre, the cosine and sine of the rotation (exactly
	// 1 and 0 if there is none), and the rotation in radians, to a relative 1e-5, which may
	// exceed a whole turn.
	DX, DY, C, S, Turn float64
}

// Yields reports whether impulses move the body: it is dynamic.
func (m *Motion) Yields() bool { return m.InvMass > 0 || m.InvI > 0 }

// beginBodies sets the bodies, whose changes are 0.
//
// Damping is implicit, v/(1+h*d), which is stable for every d. It applies to the velocity at
// the start plus the change, so the change also takes the loss of the former.
func (s *Solver) beginBodies() {
	s.bodies, s.rooms = resized(s.bodies, len(s.motionOf)), resized(s.rooms, len(s.motionOf))
	n := s.carriers * len(s.workers) // several for each motion
	s.setBodies(0, n)
	s.Team.Each(len(s.bodies)-n, bodyGrain, s.loops.bodies)
	s.carried = append(s.carried[:0], s.bodies[:s.carriers]...)
}

// setBodies sets a range of the bodies.
func (s *Solver) setBodies(from, to int) {
	h := s.dt / float64(s.n)
	for i := from; i < to; i++ {
		m := &s.Motions[s.motionOf[i]]
		lin, ang := 1/(1+float64(h*m.Linear)), 1/(1+float64(h*m.Angular))
		m.summed, m.summedSpin = lin == 1, ang == 1
		linLost, angLost := float64(h*m.Linear)*lin, float64(h*m.Angular)*ang
		speed := math.Sqrt(float64(m.VX*m.VX) + float64(m.VY*m.VY))
		b := &s.bodies[i]
		*b = body{} // field by field: a literal would be made elsewhere and copied
		b.dc = 1
		b.invMass, b.invI = float32(m.InvMass), float32(m.InvI)
		b.ax = float32(float64(h*m.AX*lin) - float64(m.VX*linLost))
		b.ay = float32(float64(h*m.AY*lin) - float64(m.VY*linLost))
		b.aw = float32(float64(h*m.AW*ang) - float64(m.Spin*angLost))
		b.lin, b.ang = float32(lin), float32(ang)
		b.spin = float32(m.Spin)
		s.rooms[i] = float32(max(0, 0.999999*(float64(s.MaxSpeed)-speed)))
	}
}

// finish adds the changes of the batch's bodies to the motions, and gives the impulses back to Source.
//
// Over hundreds of steps the float32 rounding errors of velocity changes add up where no
// contact corrects them, as along a slope without friction. So the final velocity is computed
// anew in float64, from the acceleration and the impulses of each contact along its
// float64 normal. Only the impulses are then rounded, and the next step corrects their effect.
func (s *worker) finish() {
	bodies := s.batch.to - s.batch.from
	s.each(bodies, bodyGrain, (*worker).finishBodies)
	n := len(s.batch.contacts)
	s.pushes = resized(s.pushes, n)
	s.each(n, contactGrain, (*worker).take)
	for k, i := range s.batch.contacts {
		link, p := &s.Links[i], &s.pushes[k]
		s.Motions[link.A].push(-p.x, -p.y, -p.torqueA)
		s.Motions[link.B].push(p.x, p.y, p.torqueB)
	}
	s.finishJoints()
	for i := range s.rollings {
		r := &s.rollings[i]
		if link := &s.Links[r.contact]; r.ofB {
			s.Motions[link.B].push(0, 0, r.torque)
		} else {
			s.Motions[link.A].push(0, 0, -r.torque)
		}
	}
	s.each(bodies, bodyGrain, (*worker).limitBodies)
}

// finishBodies finishes a range of the batch's bodies.
func (s *worker) finishBodies(_ *worker, from, to int) {
	for i := s.batch.from + from; i < s.batch.from+to; i++ {
		s.finishBody(i)
	}
}

// limitBodies limits a range of the batch's bodies.
func (s *worker) limitBodies(_ *worker, from, to int) {
	for i := s.batch.from + from; i < s.batch.from+to; i++ {
		s.Motions[s.motionOf[i]].limit(float64(s.MaxSpeed), s.dt)
	}
}

// push holds the impulse of a contact on its body B in a step, and the angular impulses on both bodies.
type push struct{ x, y, torqueA, torqueB float64 }

// take gives the impulses of a range of the batch's contacts back to Source, and sets their pushes.
func (s *worker) take(helper *worker, from, to int) {
	x := &helper.taken
	for at, i := range s.batch.contacts[from:to] {
		k, points, l := s.at(i)
		x.Roll = 0
		roll := 0.0
		if k.rolls != 0 {
			x.Roll, roll = k.rollImpulse[l], float64(k.rollTotal[l])
		}
		var normal, tangent float64
		torqueA, torqueB := roll, roll
		for j := range points {
			r := &points[j]
			x.Points[j] = PointImpulses{Normal: r.normal[l], Tangent: r.tangent[l], Most: r.most[l], Velocity: r.velocity[l]}
			pn, pt := float64(r.normalTotal[l]), float64(r.tangentTotal[l])
			normal += pn
			tangent += pt
			torqueA += float64(float64(r.normalA[l])*pn) + float64(float64(r.tangentA[l])*pt)
			torqueB += float64(float64(r.normalB[l])*pn) + float64(float64(r.tangentB[l])*pt)
		}
		n := s.Source.Take(helper.number, i, x)
		s.pushes[from+at] = push{
			x: float64(n.X*normal) + float64(n.Y*tangent), y: float64(n.Y*normal) - float64(n.X*tangent),
			torqueA: torqueA, torqueB: torqueB,
		}
	}
}

// finishBody adds the change of body i to its motion, except for the impulses if it is summed.
func (s *Solver) finishBody(i int) {
	m, b, dt := &s.Motions[s.motionOf[i]], &s.bodies[i], s.dt
	m.DX = float64(m.VX*dt) + float64(b.dx)
	m.DY = float64(m.VY*dt) + float64(b.dy)
	m.C, m.S, m.Turn = float64(b.dc), float64(b.ds), float64(b.turned)
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

// push applies an impulse to m, as far as m is summed. Batches share the motions that no impulse
// moves, and do not write them.
func (m *Motion) push(px, py, torque float64) {
	if m.fixed() {
		return
	}
	if m.summed {
		m.VX += float64(m.InvMass * px)
		m.VY += float64(m.InvMass * py)
	}
	if m.summedSpin {
		m.Spin += float64(m.InvI * torque)
	}
}

// limit clamps the speed and the displacement of m in a step of dt seconds to most, units a second: the relax
// pass comes after the integration and may give light bodies more.
func (m *Motion) limit(most, dt float64) {
	far := most * dt
	if v2 := float64(m.VX*m.VX) + float64(m.VY*m.VY); v2 > most*most {
		k := most / math.Sqrt(v2)
		m.VX, m.VY = m.VX*k, m.VY*k
	}
	if d2 := float64(m.DX*m.DX) + float64(m.DY*m.DY); d2 > far*far {
		k := far / math.Sqrt(d2)
		m.DX, m.DY = m.DX*k, m.DY*k
	}
}

// slow clamps the speed of body i to MaxSpeed.
func (s *Solver) slow(i int) {
	m, b := &s.Motions[s.motionOf[i]], &s.bodies[i]
	vx, vy := m.VX+float64(b.vx), m.VY+float64(b.vy)
	most := float64(s.MaxSpeed)
	if v2 := float64(vx*vx) + float64(vy*vy); v2 > most*most {
		k := most / math.Sqrt(v2)
		b.vx, b.vy = float32(float64(vx*k)-m.VX), float32(float64(vy*k)-m.VY)
		m.summed = false
	}
}

// slowSpin clamps the spin of body i to a quarter turn in a sub-step.
func (s *Solver) slowSpin(i int) {
	m, b := &s.Motions[s.motionOf[i]], &s.bodies[i]
	most := math.Copysign(float64(s.maxTurn), float64(b.spin+b.w))
	b.w = float32(most - m.Spin)
	m.summedSpin = false
}
