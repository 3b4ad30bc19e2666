package solve

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// meetFlat adds a contact of two points along x, at height ay over A's centre and
// by over B's, with the normal up.
func (s *listed) meetFlat(c Contact, x [2]float64, ay, by float64) *Contact {
	n := len(s.Contacts)
	s.meet(c, 0, 1, x[0], ay, x[0], by)
	s.meet(c, 0, 1, x[1], ay, x[1], by)
	out := &s.Contacts[n]
	out.Points[1], out.N = s.Contacts[n+1].Points[0], 2
	s.Contacts, s.Normals = s.Contacts[:n+1], s.Normals[:n+1]
	for k := range out.Points {
		out.Points[k].Friction = 0.6
	}
	return out
}

// TestImpact: a body that hits static ground flat stops: it neither turns, nor sinks in,
// nor is thrown up, at any speed. With the passes of the sub-steps alone a box was kicked
// up at a twentieth of the speed it came with.
func TestImpact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		s := solver(1)
		half, high, speed := f(0.1, 4, "half"), f(0.01, 1, "high"), f(ImpactSpeed, 400, "speed")
		b := &s.Motions[1]
		b.VY, b.InvI = -speed, 3/(half*half+high*high)
		c := s.meetFlat(Contact{A: 0, B: 1, Static: true}, [2]float64{-half, half}, -high, -high)
		s.Run(1.0/60, 4)
		if v := math.Hypot(b.VX, b.VY); v > 0.01 || math.Abs(b.Spin*half) > 0.01 {
			t.Fatalf("velocity %v %v, spin %v", b.VX, b.VY, b.Spin)
		}
		if math.Abs(b.DX) > 0.001 || math.Abs(b.DY) > 0.001 {
			t.Fatalf("moved by %v %v", b.DX, b.DY)
		}
		if p := c.Points[0]; float64(p.MaxImpulse) < 0.1*speed || float64(p.NormalImpulse) > 0.01*speed {
			t.Fatalf("impulses %v, at most %v", p.NormalImpulse, p.MaxImpulse)
		}
	})
}

// TestImpactsKeepMomentum: two bodies that meet at speed, at two points.
func TestImpactsKeepMomentum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		m := f(0.2, 5, "mass")
		s := solver(m)
		a, b := &s.Motions[1], &s.Motions[2]
		a.VX, a.VY, b.VX, b.VY = f(-5, 5, "avx"), f(20, 300, "avy"), f(-5, 5, "bvx"), f(-300, -20, "bvy")
		x := [2]float64{f(-1, 1, "x"), f(-1, 1, "y")}
		s.meetFlat(Contact{A: 1, B: 2}, x, 0.5, -0.5)
		spin := func() float64 { // about the middle of the face between them
			return 0.5*a.Spin + 0.5*a.VX + 0.5*m*b.Spin - 0.5*m*b.VX
		}
		px, py, l := a.VX+m*b.VX, a.VY+m*b.VY, spin()
		s.Run(1.0/60, 4)
		if d := math.Hypot(a.VX+m*b.VX-px, a.VY+m*b.VY-py); d > 0.01 {
			t.Fatalf("momentum off by %v", d)
		}
		if d := math.Abs(spin() - l); d > 0.01 {
			t.Fatalf("angular momentum off by %v", d)
		}
		for _, at := range x {
			if v := b.VY + b.Spin*at - a.VY - a.Spin*at; v < -1 {
				t.Fatalf("still approaching at %v", v)
			}
		}
	})
}

// TestImpactsOfManyAreBounded: a block of bodies, some of a thousand times the mass of
// others, that lands at speed has as many impacts as contacts, and each spreads to all
// of it. A step of 1800 boxes took four seconds.
func TestImpactsOfManyAreBounded(t *testing.T) {
	const wide, high, subs = 60, 30, 4
	s := solver(1)
	s.Reset()
	for i := range wide * high {
		m := 1.0
		if (i*7+i/wide*3)%5 == 0 {
			m = 1000
		}
		s.Motions = append(s.Motions, Motion{C: 1, InvMass: 1 / m, InvI: 2 / m, VY: -30})
	}
	for i := range wide * high {
		b := int32(i + 1)
		if i%wide > 0 {
			s.meet(Contact{A: b - 1, B: b}, 1, 0, 0.5, 0, -0.5, 0)
		}
		a := max(0, b-wide)
		s.meet(Contact{A: a, B: b, Static: a == 0}, 0, 1, -0.4, 0.5, -0.4, -0.5)
		s.meet(Contact{A: a, B: b, Static: a == 0}, 0, 1, 0.4, 0.5, 0.4, -0.5)
	}
	for range 10 {
		s.Run(1.0/60, subs)
		// Each contact may be an impact of its own, and separate in each sub-step, and the
		// last links looked at may belong to all bodies.
		n := len(s.Contacts)
		if spent := baseVisits + visitsEach*n - s.islands[1].visitsLeft; spent > baseVisits+(visitsEach+1+subs+3)*n {
			t.Fatalf("%d contacts of %d looked at", spent, n)
		}
	}
}
