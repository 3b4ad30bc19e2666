package solve

import "math"

// Body is the state of one moving body through a step: 64 bytes, a cache line.
// Index 0 is the immovable body; see Solver.Reset.
type Body struct {
	VX, VY, W       float32 // velocity, units and radians a second
	DX, DY          float32 // moved since the start of the step
	DC, DS          float32 // turned since then: cosine and sine
	InvMass, InvI   float32 // 0 for what does not yield
	AX, AY, AW      float32 // acceleration: gravity and forces
	Linear, Angular float32 // damping, 1 a second
	_               [2]float32
}

// integrateVelocities advances every velocity by the time h. Damping is
// implicit, v/(1+h*d), which no d makes unstable.
func (s *Solver) integrateVelocities(h float32) {
	limit := s.MaxSpeed
	for i := range s.Bodies {
		b := &s.Bodies[i]
		vx := float32(h*b.AX) + b.VX
		vy := float32(h*b.AY) + b.VY
		w := float32(h*b.AW) + b.W
		lin := 1 / (float32(h*b.Linear) + 1)
		vx, vy = vx*lin, vy*lin
		w *= 1 / (float32(h*b.Angular) + 1)
		if v2 := float32(vx*vx) + float32(vy*vy); v2 > limit*limit {
			k := limit / sqrt(v2)
			vx, vy = vx*k, vy*k
		}
		// A quarter turn a sub-step is as much as one linear step of a
		// rotation can carry.
		if m := s.maxTurn; w > m {
			w = m
		} else if w < -m {
			w = -m
		}
		b.VX, b.VY, b.W = vx, vy, w
	}
}

// integratePositions advances every displacement by the time h.
func (s *Solver) integratePositions(h float32) {
	for i := 1; i < len(s.Bodies); i++ {
		b := &s.Bodies[i]
		b.DX = float32(h*b.VX) + b.DX
		b.DY = float32(h*b.VY) + b.DY
		if b.W == 0 {
			continue // keeps an unturned body's rotation exact
		}
		a := h * b.W
		c := b.DC - float32(a*b.DS)
		n := float32(a*b.DC) + b.DS
		k := 1 / sqrt(float32(c*c)+float32(n*n))
		b.DC, b.DS = c*k, n*k
	}
}

// limit keeps the speeds and ways of a whole step within MaxSpeed: contacts, the
// last word of which is after the integration, give light bodies more.
func (s *Solver) limit(dt float32) {
	most := s.MaxSpeed
	for i := 1; i < len(s.Bodies); i++ {
		b := &s.Bodies[i]
		if v2 := float32(b.VX*b.VX) + float32(b.VY*b.VY); v2 > most*most {
			k := most / sqrt(v2)
			b.VX, b.VY = b.VX*k, b.VY*k
		}
		if d2, far := float32(b.DX*b.DX)+float32(b.DY*b.DY), most*dt; d2 > far*far {
			k := far / sqrt(d2)
			b.DX, b.DY = b.DX*k, b.DY*k
		}
	}
}

// sqrt is the float32 square root; the conversion through float64 is exact and
// compilers make one instruction of it.
func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }
