package solve

import (
	"math"
	"math/bits"
	"unsafe"
)

// Yields reports whether impulses move the body: it is dynamic.
func (m *Motion) Yields() bool { return m.InvMass > 0 || m.InvI > 0 }

// setBody sets body i, of motion m, for sub-steps of h seconds. Its changes are 0.
//
// Damping is implicit, v/(1+h*d), which is stable for every d. It applies to the velocity at
// the start plus the change, so the change also takes the loss of the former.
func (s *Solver) setBody(i int32, m *Motion, h float64) {
	lin, ang := 1.0, 1.0
	if m.Linear != 0 {
		lin = 1 / (1 + float64(h*m.Linear))
	}
	if m.Angular != 0 {
		ang = 1 / (1 + float64(h*m.Angular))
	}
	m.summed, m.summedSpin = lin == 1, ang == 1
	linLost, angLost := float64(h*m.Linear)*lin, float64(h*m.Angular)*ang
	b, r := &s.bodies[i], &s.rareBodies[i]
	*b, r.turned = body{}, 0 // set field by field; see "Large structs" in docs/house.md
	b.dc = 1
	b.invMass, r.invI = float32(m.InvMass), float32(m.InvI)
	r.ax = float32(float64(h*m.AX*lin) - float64(m.VX*linLost))
	r.ay = float32(float64(h*m.AY*lin) - float64(m.VY*linLost))
	r.aw = float32(float64(h*m.AW*ang) - float64(m.Spin*angLost))
	r.lin, r.ang = float32(lin), float32(ang)
	r.spin = float32(m.Spin)
}

// finish adds the changes of the batch's bodies to the motions, and gives the impulses back to Source.
//
// Over hundreds of steps the float32 rounding errors of velocity changes add up where no
// contact corrects them, as along a slope without friction. So the final velocity is computed
// again in float64, from the acceleration and the impulses of each contact along its
// float64 normal. Only the impulses are then rounded, and the next step corrects their effect.
func (s *worker) finish() {
	bodies := s.batch.to - s.batch.from
	s.each(bodies, bodyGrain, (*worker).finishBodies)
	s.each(len(s.packing), packGrain, (*worker).take)
	s.each(len(s.parts), 1, (*worker).pushParts)
	s.finishJoints()
	s.each(bodies, bodyGrain, (*worker).limitBodies)
}

// pushParts applies the impulses of the batch's contacts to the motions of a range of parts. Each part goes through all
// contacts, so that the order in which a body takes its impulses does not depend on the parts.
func (s *worker) pushParts(_ *worker, from, to int) {
	motions, first := s.motionsOf(from, to)
	for _, i := range s.batch.contacts {
		link := &s.Links[i]
		a, b := uint(link.A)-first, uint(link.B)-first // bodies of other parts are beyond these
		if a >= uint(len(motions)) && b >= uint(len(motions)) {
			continue
		}
		in, l := s.inputOf(i), s.places[i]&7
		if a < uint(len(motions)) {
			motions[a].push(-in.pushX[l], -in.pushY[l], -in.torqueA[l])
		}
		if b < uint(len(motions)) {
			motions[b].push(in.pushX[l], in.pushY[l], in.torqueB[l])
		}
	}
	if len(s.Heavy) > 0 {
		s.pressBodies(first, len(motions))
	}
}

// motionsOf returns the motions of a range of parts, and the index of the first.
func (s *Solver) motionsOf(from, to int) (motions []Motion, first uint) {
	begin, _ := s.within(from, len(s.Motions))
	_, end := s.within(to-1, len(s.Motions))
	return s.Motions[begin:end], uint(begin)
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
		m := &s.Motions[s.motionOf[i]]
		s.noteLoad(m, s.motionOf[i])
		m.limit(float64(s.MaxSpeed), s.dt)
		Clamp(&m.Spin, MostSpin(s.dt, s.n))
	}
}

// take sums the impulses of a range of the batch's blocks. It stores the impulses of the last sub-step in the manifolds
// and the sums of the step beside them, and gives Source the sums that it asks for.
func (s *worker) take(helper *worker, from, to int) {
	blocks := s.packing[from:to]
	for i := range blocks {
		if i+1 < len(blocks) {
			_, _, _, next := s.rowsOf(&blocks[i+1])
			for _, to := range next.totals {
				prefetch(unsafe.Pointer(to), int(unsafe.Sizeof(*to)))
			}
		}
		p := &blocks[i]
		if j := int(p.block); p.two {
			kernels.takeTwo(nil, s.inputTwos[j:j+1], s.twos[j:j+1], s.rareTwos[j:j+1])
		} else {
			kernels.takeOne(nil, s.inputOnes[j:j+1], s.ones[j:j+1], s.rareOnes[j:j+1])
		}
		k, points, r, in := s.rowsOf(p)
		s.giveBack(helper, in, k, r, points)
	}
}

// giveBack gives back the impulses of a block.
func (s *worker) giveBack(helper *worker, in *input, k *contactRows, r *rareRows, points []pointRows) {
	for l, m := range in.manifold[:k.n] {
		if m.Roll = 0; k.rolls != 0 && r.rolling[l&7] > 0 {
			m.Roll = r.rollImpulse[l&7]
		}
		for j := range points {
			p, sum, t := &m.Points[j&1], &r.points[j&1], &in.totals[l&7][j&1]
			p.Normal, p.Tangent = points[j].normal[l&7], points[j].tangent[l&7]
			t[0], t[1] = sum.normalTotal[l&7], sum.tangentTotal[l&7]
		}
	}
	for lanes := k.hits&(1<<k.n-1) | in.asked; lanes != 0; lanes &= lanes - 1 {
		l := bits.TrailingZeros32(lanes) & 7
		out := &helper.taken
		out.Roll = in.manifold[l].Roll
		for j := range points {
			p, q := &points[j], &out.Points[j&1]
			q.Normal, q.Tangent, q.Velocity = p.normal[l], p.tangent[l], p.velocity[l]
			q.Total, q.Most = r.points[j&1].normalTotal[l], r.points[j&1].most[l]
		}
		s.Source.Take(helper.number, r.source[l], out)
	}
}

// finishBody adds the change of body i to its motion, except for the impulses if it is summed.
func (s *Solver) finishBody(i int) {
	m, b, dt := &s.Motions[s.motionOf[i]], &s.bodies[i], s.dt
	m.DX = float64(m.VX*dt) + float64(b.dx)
	m.DY = float64(m.VY*dt) + float64(b.dy)
	m.C, m.S, m.Turn = float64(b.dc), float64(b.ds), float64(s.rareBodies[i].turned)
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

// limit clamps the speed and the displacement of m in a step of dt seconds to most, units a second.
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
