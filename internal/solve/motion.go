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
	// which are 1 and 0 when it has not turned at all.
	DX, DY, C, S float64
}

// begin fills the bodies: what is at rest in the frames that the motions make.
//
// Damping is implicit, v/(1+h*d), which no d makes unstable. Of base + change it
// keeps a share of both, so the change takes what the base has lost.
func (s *Solver) begin(h float64) {
	s.bodies = s.bodies[:0]
	for i := range s.Motions {
		m := &s.Motions[i]
		lin, ang := 1/(1+float64(h*m.Linear)), 1/(1+float64(h*m.Angular))
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

// finish adds the changes to the motions, and keeps the speeds and ways of the
// whole step within MaxSpeed: contacts, the last word of which is after the
// integration, give light bodies more.
func (s *Solver) finish(dt float64) {
	most := float64(s.MaxSpeed)
	far := most * dt
	for i := 1; i < len(s.bodies); i++ {
		m, b := &s.Motions[i], &s.bodies[i]
		m.DX = float64(m.VX*dt) + float64(b.dx)
		m.DY = float64(m.VY*dt) + float64(b.dy)
		m.VX, m.VY, m.Spin = m.VX+float64(b.vx), m.VY+float64(b.vy), m.Spin+float64(b.w)
		m.C, m.S = float64(b.dc), float64(b.ds)
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
	}
}
