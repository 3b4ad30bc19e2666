package solve

import "math"

// body is what the passes know of a moving body: how its motion has changed
// since the start of the step. 64 bytes, a cache line.
type body struct {
	vx, vy, w     float32 // change of velocity and spin
	dx, dy        float32 // moved by that change alone
	dc, ds        float32 // turned, by all of the spin: cosine and sine
	invMass, invI float32
	ax, ay, aw    float32 // what a sub-step adds to the change
	lin, ang      float32 // and the share of it that damping leaves
	spin          float32 // at the start of the step
	room          float32 // changes of velocity below it keep within MaxSpeed
}

// integrateVelocities advances every velocity by a sub-step.
func (s *Solver) integrateVelocities() {
	most := s.maxTurn
	for i := 1; i < len(s.bodies); i++ {
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

// integratePositions advances every displacement by the time h.
func (s *Solver) integratePositions(h float32) {
	for i := 1; i < len(s.bodies); i++ {
		b := &s.bodies[i]
		b.dx = float32(h*b.vx) + b.dx
		b.dy = float32(h*b.vy) + b.dy
		w := b.spin + b.w
		if w == 0 {
			continue // keeps an unturned body's rotation exact
		}
		a := h * w
		s.turned[i] += a
		as, ac := sinCos(a)
		c := float32(ac*b.dc) - float32(as*b.ds)
		n := float32(as*b.dc) + float32(ac*b.ds)
		k := 1 / sqrt(float32(c*c)+float32(n*n))
		b.dc, b.ds = c*k, n*k
	}
}

// sinCos returns the sine and cosine of the angle a, in radians, to 1e-5; of an angle that
// is more than mostAngle, or no number, those of 0. Up to a quarter turn, which is as far
// as a body turns in a sub-step unless a contact makes it faster, it is the Taylor series.
func sinCos(a float32) (sin, cos float32) {
	if a > quarterTurn || a < -quarterTurn {
		return wideSinCos(a)
	}
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

// mostAngle (radians) is where neighbouring float32 are a radian apart.
const mostAngle = 1 << 23

// wideSinCos is sinCos beyond a quarter turn: whole turns are taken off, and the rest is
// twice the half of it.
//
//go:noinline
func wideSinCos(a float32) (sin, cos float32) {
	if !(a <= mostAngle && a >= -mostAngle) {
		return 0, 1
	}
	const turn = 2 * math.Pi
	x := float64(a)
	x -= float64(turn * math.Floor(float64(x*(1/turn))+0.5))
	s, c := sinCos(float32(0.5 * x))
	return 2 * float32(s*c), 1 - float32(2*float32(s*s))
}

// sqrt is the float32 square root; the conversion through float64 is exact and
// compilers make one instruction of it.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
