package solve

import (
	"math"
	"unsafe"
)

// fixed reports whether no impulse moves m: it is static, kinematic or held.
func (m *Motion) fixed() bool { return m.InvMass == 0 && m.InvI == 0 }

// integrateVelocities advances the velocities of a range of the batch's bodies by a sub-step.
func (s *worker) integrateVelocities(_ *worker, from, to int) {
	bodies := s.bodies[s.batch.from+from : s.batch.from+to]
	rest := s.rareBodies[s.batch.from+from:][:len(bodies)]
	for k := range bodies {
		b, r := &bodies[k], &rest[k]
		b.vx = float32(b.vx*r.lin) + r.ax
		b.vy = float32(b.vy*r.lin) + r.ay
		b.w = float32(b.w*r.ang) + r.aw
	}
}

// integratePositions advances the displacements of a range of the batch's bodies by a sub-step.
func (s *worker) integratePositions(helper *worker, from, to int) {
	s.move(helper, s.batch.from+from, s.batch.from+to)
}

// move advances the displacements of the bodies from one index to below another by a sub-step.
func (s *worker) move(helper *worker, from, to int) {
	bodies, rare := s.bodies[from:to], s.rareBodies[from:to]
	whole := len(bodies) &^ 7
	if whole > 0 { // else there may not be memory for eight, and a pointer to them would be invalid
		eights := unsafe.Slice((*eightBodies)(unsafe.Pointer(unsafe.SliceData(bodies))), whole/8)
		kernels.moveBodies(nil, eights, unsafe.Slice((*eightRareBodies)(unsafe.Pointer(unsafe.SliceData(rare))),
			whole/8), &s.of[moving])
	}
	if bodies, rare = bodies[whole:], rare[whole:]; len(bodies) > 0 {
		eight, beside := &helper.rest, &helper.rareRest
		copy(eight[0][:], bodies)
		copy(beside[0][:], rare)
		kernels.moveBodies(nil, eight[:], beside[:], &s.of[moving])
		copy(bodies, eight[0][:])
		copy(rare, beside[0][:])
	}
}

// The Taylor series of sine and cosine to 1e-5, for angles within a quarter turn either way.
const (
	sin3, sin5, sin7, sin9  = 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880
	cos4, cos6, cos8, cos10 = 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800
)

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
