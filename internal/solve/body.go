package solve

import (
	"math"
	"unsafe"
)

// fixed reports whether no impulse moves m: it is static, kinematic or held.
func (m *Motion) fixed() bool { return m.InvMass == 0 && m.InvI == 0 }

// integrateVelocities advances the velocities of a range of the batch's bodies by a sub-step.
func (s *worker) integrateVelocities(_ *worker, from, to int) {
	most, first := s.maxTurn, s.batch.from+from
	bodies := s.bodies[first : s.batch.from+to]
	rooms := s.rooms[first:][:len(bodies)]
	for k := range bodies {
		b, room, i := &bodies[k], rooms[k], first+k
		b.vx = float32(b.vx*b.lin) + b.ax
		b.vy = float32(b.vy*b.lin) + b.ay
		w := float32(b.w*b.ang) + b.aw
		if float32(b.vx*b.vx)+float32(b.vy*b.vy) >= room*room {
			s.slow(i)
		}
		b.w = w
		if all := b.spin + w; all > most || all < -most {
			s.slowSpin(i)
		}
	}
}

// integratePositions advances the displacements of a range of the batch's bodies by a sub-step.
func (s *worker) integratePositions(helper *worker, from, to int) {
	s.move(helper, s.batch.from+from, s.batch.from+to)
}

// move advances the displacements of the bodies from one index to below another by a sub-step.
func (s *worker) move(helper *worker, from, to int) {
	bodies := s.bodies[from:to]
	whole := len(bodies) &^ 7
	if whole > 0 { // else there may not be memory for eight, and a pointer to them would be invalid
		kernels.moveBodies(nil, unsafe.Slice((*eightBodies)(unsafe.Pointer(unsafe.SliceData(bodies))), whole/8), nil, &s.ofBodies)
	}
	if rest := bodies[whole:]; len(rest) > 0 {
		eight := &helper.rest
		copy(eight[0][:], rest)
		kernels.moveBodies(nil, eight[:], nil, &s.ofBodies)
		copy(rest, eight[0][:])
	}
}

// The Taylor series of sine and cosine to 1e-5, for angles within a quarter turn either way.
const (
	sin3, sin5, sin7, sin9  = 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880
	cos4, cos6, cos8, cos10 = 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800
)

// setBodyConstants sets the numbers of the kernels of bodies, for sub-steps of h seconds.
func (s *worker) setBodyConstants(h float32) {
	c := &s.ofBodies
	c.half.fill(0.5)
	c.one.fill(1)
	c.step.fill(h)
	c.quarterTurn.fill(quarterTurn)
	c.sin3.fill(sin3)
	c.sin5.fill(sin5)
	c.sin7.fill(sin7)
	c.sin9.fill(sin9)
	c.cos4.fill(cos4)
	c.cos6.fill(cos6)
	c.cos8.fill(cos8)
	c.cos10.fill(cos10)
}

// sinCos returns the sine and cosine of the angle a, in radians, within a quarter turn
// either way, to 1e-5.
func sinCos(a float32) (sin, cos float32) {
	z := a * a
	p := float32(z*sin9) - sin7
	p = float32(z*p) + sin5
	p = float32(z*p) - sin3
	sin = a + float32(float32(a*z)*p)
	p = cos8 - float32(z*cos10)
	p = float32(z*p) - cos6
	p = float32(z*p) + cos4
	p = float32(z*p) - 0.5
	return sin, 1 + float32(z*p)
}

// turnWithin returns a, an angle in radians, or a quarter turn if it is more.
func turnWithin(a float32) float32 { return max(-quarterTurn, min(quarterTurn, a)) }

// sqrt is the float32 square root; the conversion through float64 is exact and
// compilers make one instruction of it.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
