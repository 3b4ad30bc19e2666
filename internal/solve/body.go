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
		c := b.dc - float32(a*b.ds)
		n := float32(a*b.dc) + b.ds
		k := 1 / sqrt(float32(c*c)+float32(n*n))
		b.dc, b.ds = c*k, n*k
	}
}

// sqrt is the float32 square root; the conversion through float64 is exact and
// compilers make one instruction of it.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
