package solve

import "math"

// body is the state of a body that the passes iterate on: the change of its motion since the
// start of the step. 64 bytes, a cache line.
type body struct {
	vx, vy, w     float32 // change of velocity and spin
	dx, dy        float32 // displacement by that change alone
	dc, ds        float32 // rotation by the whole spin: cosine and sine
	invMass, invI float32
	ax, ay, aw    float32 // added to the change in each sub-step
	lin, ang      float32 // fraction of the change that damping leaves in each sub-step
	spin          float32 // at the start of the step
	room          float32 // a smaller change of velocity cannot exceed MaxSpeed
}

// fixed reports whether no impulse moves m: it is static, kinematic or held.
func (m *Motion) fixed() bool { return m.InvMass == 0 && m.InvI == 0 }

// integrateVelocities advances the velocities of a range of the batch's bodies by a sub-step.
func (s *worker) integrateVelocities(_ *worker, from, to int) {
	most := s.maxTurn
	for i := s.batch.from + from; i < s.batch.from+to; i++ {
		b := &s.bodies[i]
		b.vx = float32(b.vx*b.lin) + b.ax
		b.vy = float32(b.vy*b.lin) + b.ay
		w := float32(b.w*b.ang) + b.aw
		if float32(b.vx*b.vx)+float32(b.vy*b.vy) >= b.room*b.room {
			s.slow(i)
		}
		b.w = w
		if all := b.spin + w; all > most || all < -most {
			s.slowSpin(i)
		}
	}
}

// integratePositions advances the displacements of a range of the batch's bodies by a sub-step.
func (s *worker) integratePositions(_ *worker, from, to int) {
	s.move(s.batch.from+from, s.batch.from+to)
}

// move advances the displacements of the bodies from one index to below another by a sub-step.
func (s *worker) move(from, to int) {
	h := s.h
	for i := from; i < to; i++ {
		b := &s.bodies[i]
		b.dx = float32(h*b.vx) + b.dx
		b.dy = float32(h*b.vy) + b.dy
		w := b.spin + b.w
		if w == 0 {
			continue // keeps an unturned body's rotation exact
		}
		a := turnWithin(h * w) // integrateVelocities limits w to that, but contacts may add to it
		s.turned[i] += a
		as, ac := sinCos(a)
		c := float32(ac*b.dc) - float32(as*b.ds)
		n := float32(as*b.dc) + float32(ac*b.ds)
		k := 1 / sqrt(float32(c*c)+float32(n*n))
		b.dc, b.ds = c*k, n*k
	}
}

// sinCos returns the sine and cosine of the angle a, in radians, within a quarter turn
// either way, to 1e-5: the Taylor series.
func sinCos(a float32) (sin, cos float32) {
	z := a * a
	p := float32(z*(1.0/362880)) - 1.0/5040
	p = float32(z*p) + 1.0/120
	p = float32(z*p) - 1.0/6
	sin = a + float32(float32(a*z)*p)
	p = 1.0/40320 - float32(z*(1.0/3628800))
	p = float32(z*p) - 1.0/720
	p = float32(z*p) + 1.0/24
	p = float32(z*p) - 0.5
	return sin, 1 + float32(z*p)
}

// turnWithin returns a, an angle in radians, or a quarter turn if it is more.
func turnWithin(a float32) float32 { return max(-quarterTurn, min(quarterTurn, a)) }

// sqrt is the float32 square root; the conversion through float64 is exact and
// compilers make one instruction of it.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
