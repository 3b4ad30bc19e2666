package solve

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// solver returns one with the engine's figures and two bodies of mass 1 and m.
func solver(m float64) *listed {
	s := &listed{Solver: Solver{MaxSpeed: 400, PushSpeed: 3, BounceSpeed: 1, PushRate: 6.2}}
	s.Reset()
	s.Motions = append(s.Motions, Motion{InvMass: 1, InvI: 2}, Motion{InvMass: 1 / m, InvI: 2 / m})
	return s
}

// meet adds a contact of one point, at (ax, ay) from A's centre and (bx, by) from
// B's, with the normal (nx, ny): as the world does, for sharp shapes.
func (s *listed) meet(c Contact, nx, ny, ax, ay, bx, by float64) {
	a, b := &s.Motions[c.A], &s.Motions[c.B]
	p := &c.Points[0]
	nA, nB, hA, hB := ax*ny-ay*nx, bx*ny-by*nx, ax*nx+ay*ny, bx*nx+by*ny
	vx, vy := b.VX-a.VX, b.VY-a.VY
	c.N, c.NX, c.NY = 1, float32(nx), float32(ny)
	c.Drift, c.Spin = float32(vx*nx+vy*ny), float32(b.Spin-a.Spin)
	p.NormalA, p.NormalB, p.TangentA, p.TangentB = float32(nA), float32(nB), float32(-hA), float32(-hB)
	p.Velocity = float32(vx*nx + vy*ny + b.Spin*nB - a.Spin*nA)
	p.Slip = float32(vx*ny - vy*nx - b.Spin*hB + a.Spin*hA)
	s.Contacts, s.Normals = append(s.Contacts, c), append(s.Normals, Normal{nx, ny})
}

// TestMomentumIsKept: contacts of two bodies change neither their momentum nor their
// angular momentum about the point between them.
func TestMomentumIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		m := f(0.2, 5, "mass")
		s := solver(m)
		a, b := &s.Motions[1], &s.Motions[2]
		a.VX, a.VY, a.Spin = f(-5, 5, "avx"), f(-5, 5, "avy"), f(-5, 5, "aw")
		b.VX, b.VY, b.Spin = f(-5, 5, "bvx"), f(-5, 5, "bvy"), f(-5, 5, "bw")
		angle := f(-3, 3, "angle")
		ax, ay := f(-1, 1, "ax"), f(-1, 1, "ay")
		bx, by := f(-1, 1, "bx"), f(-1, 1, "by")
		p := Point{Separation: float32(f(-0.1, 0.1, "sep")), Friction: 0.5, Restitution: 0.5}
		s.meet(Contact{A: 1, B: 2, Points: [2]Point{p}}, math.Cos(angle), math.Sin(angle), ax, ay, bx, by)
		// About the contact point: the bodies' centres are at -a and -b from it.
		spin := func() float64 {
			l := func(m, i, x, y, vx, vy, w float64) float64 { return i*w + m*(x*vy-y*vx) }
			return l(1, 0.5, -ax, -ay, a.VX, a.VY, a.Spin) + l(m, 0.5*m, -bx, -by, b.VX, b.VY, b.Spin)
		}
		px, py, l := a.VX+m*b.VX, a.VY+m*b.VY, spin()
		s.Run(1.0/60, 4)
		if d := math.Hypot(a.VX+m*b.VX-px, a.VY+m*b.VY-py); d > 1e-5 {
			t.Fatalf("momentum off by %v", d)
		}
		if d := math.Abs(spin() - l); d > 1e-5 {
			t.Fatalf("angular momentum off by %v", d)
		}
		if p := s.Contacts[0].Points[0]; p.NormalImpulse < 0 ||
			float64(abs(p.TangentImpulse)) > 0.5*float64(p.MaxImpulse)+1e-4 {
			t.Fatalf("impulses: %+v", p)
		}
		if m := s.Motions[0]; m.VX != 0 || m.VY != 0 || m.Spin != 0 || m.DX != 0 || m.DY != 0 || m.C != 1 || m.S != 0 {
			t.Fatalf("the immovable moved: %+v", s.Motions[0])
		}
	})
}

func abs(x float32) float32 { return max(x, -x) }

// TestRest: a body that presses on the immovable stays, and the impulse of a
// sub-step carries its weight.
func TestRest(t *testing.T) {
	s := solver(1)
	var p Point
	y, v := 0.0, 0.0
	for range 120 {
		s.Reset()
		s.Motions = append(s.Motions, Motion{VY: v, InvMass: 1, AY: -10})
		p.Separation = float32(y)
		s.meet(Contact{B: 1, Static: true, Points: [2]Point{p}}, 0, 1, 0, 0, 0, 0)
		s.Run(1.0/60, 4)
		p, v = s.Contacts[0].Points[0], s.Motions[1].VY
		y += s.Motions[1].DY
	}
	if math.Abs(v) > 1e-6 || y > 0 || y < -0.005 {
		t.Errorf("at %v, velocity %v", y, v)
	}
	if want := float32(10.0 / 240); abs(p.NormalImpulse-want) > 1e-4 {
		t.Errorf("impulse %v, want %v", p.NormalImpulse, want)
	}
}

// TestGapIsNotOvershot: bodies that are apart may close the gap in a step, not more.
func TestGapIsNotOvershot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := solver(1)
		gap := rapid.Float64Range(0.001, 0.5).Draw(t, "gap")
		s.Motions[1].VY = -rapid.Float64Range(0, 300).Draw(t, "speed")
		s.meet(Contact{B: 1, Static: true, Points: [2]Point{{Separation: float32(gap)}}}, 0, 1, 0, 0, 0, 0)
		s.Run(1.0/60, 4)
		if d := gap + s.Motions[1].DY; d < -1e-4 {
			t.Fatalf("overshot by %v", -d)
		}
	})
}

// TestContactSpring: a contact under a steady load P sinks by P / (m w^2), at any rate, so twice the sub-steps make it
// four times as stiff.
func TestContactSpring(t *testing.T) {
	for _, h := range []float32{1. / 30, 1. / 240, 1. / 4000} {
		for _, rate := range []float32{1, 6.2, 18.6, 100} {
			for _, hertz := range []float32{0.125, 0.25} {
				c := springOf(rate, hertz, h)
				if c.biasRate <= 0 || c.biasRate > rate || c.share <= 0 || c.share >= 1 {
					t.Errorf("rate %v, sub-steps of %v: %+v", rate, h, c)
				}
				// With a load of 1 as the impulse so far, no velocity and an impulse of 0 in the next step.
				sag := float64(c.share / ((1 - c.share) * c.biasRate))
				want := 1 / (float64(h) * math.Pow(float64(2*math.Pi*hertz/h), 2))
				if math.Abs(sag/want-1) > 1e-3 {
					t.Errorf("rate %v, sub-steps of %v: sinks by %v, want %v", rate, h, sag, want)
				}
			}
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	s := solver(2)
	s.meet(Contact{A: 1, B: 2}, 1, 0, 0, 0, 0, 0)
	s.Run(1.0/60, 4)
	if n := testing.AllocsPerRun(20, func() { s.Run(1.0/60, 4) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestTwoPoints: for any velocities at two points, one pass without springs leaves no
// point approaching, none with a pulling impulse, and none with an impulse that
// separates.
func TestTwoPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		s := solver(f(0.2, 5, "mass"))
		for i := range s.Motions[1:] {
			m := &s.Motions[i+1]
			m.VX, m.VY, m.Spin = f(-5, 5, "vx"), f(-5, 5, "vy"), f(-5, 5, "spin")
		}
		ax, width := f(-2, 2, "a"), f(0.1, 2, "width")
		bx := f(-2, 2, "b")
		s.meet(Contact{A: 1, B: 2}, 0, 1, ax, 0.5, bx, -0.5)
		s.meet(Contact{A: 1, B: 2}, 0, 1, ax+width, 0.5, bx+width, -0.5)
		c := &s.Contacts[0]
		c.Points[1] = s.Contacts[1].Points[0]
		c.N = 2
		s.Contacts, s.Normals = s.Contacts[:1], s.Normals[:1]
		for k := range c.Points {
			c.Points[k].NormalImpulse = float32(f(0, 5, "impulse"))
		}
		w := s.prepare()
		k := &w.twos[0]
		if k.inverse12[0] == 0 {
			t.Skip("as good as one point")
		}
		const slop = 5e-3 // of speeds of 30, with a matrix of pairSlop
		w.pass(1.0/240, 0, false)
		a, b := &s.bodies[1], &s.bodies[2]
		for i := range c.Points {
			p, impulse := &c.Points[i], k.points[i].normal[0]
			v := p.Velocity + b.vy - a.vy + b.w*p.NormalB - a.w*p.NormalA
			if impulse < 0 || v < -slop || impulse > 0 && v > slop {
				t.Fatalf("point %d leaves at %v, impulses %v and %v", i, v, k.points[0].normal[0],
					k.points[1].normal[0])
			}
		}
	})
}

// TestDamping: the change includes the damping of the speed before it.
func TestDamping(t *testing.T) {
	s := solver(1)
	s.Motions[1] = Motion{VX: 40, VY: -3, Spin: 7, AX: 2, AW: -1, Linear: 0.7, Angular: 0.3, InvMass: 1, InvI: 2}
	const n = 4
	h := 1.0 / 60 / n
	x, y, w, dx := 40.0, -3.0, 7.0, 0.0
	for range n {
		x, y, w = (x+h*2)/(1+h*0.7), y/(1+h*0.7), (w-h)/(1+h*0.3)
		dx += h * x
	}
	s.Run(1.0/60, n)
	m := s.Motions[1]
	if math.Abs(m.VX-x) > 1e-7 || math.Abs(m.VY-y) > 1e-8 || math.Abs(m.Spin-w) > 1e-8 || math.Abs(m.DX-dx) > 1e-9 {
		t.Errorf("%+v, want %v %v %v, moved %v", m, x, y, w, dx)
	}
}

// TestLimits: nothing is faster than MaxSpeed, nor goes farther in a step, and
// nothing turns by more than a quarter in a sub-step.
func TestLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		s := solver(1)
		a := &s.Motions[1]
		a.VX, a.VY, a.Spin = f(-1000, 1000, "vx"), f(-1000, 1000, "vy"), f(-1000, 1000, "spin")
		a.AX, a.AY, a.AW = f(-1e5, 1e5, "ax"), f(-1e5, 1e5, "ay"), f(-1e5, 1e5, "aw")
		was := *a
		s.Run(1.0/60, 4)
		if math.Hypot(a.VX, a.VY) > 400.001 || math.Hypot(a.DX, a.DY) > 400.001/60 || math.Abs(a.Spin) > 377 {
			t.Fatalf("%+v", *a)
		}
		// Velocities within the limits stay.
		x, y, w := was.VX+was.AX/60, was.VY+was.AY/60, was.Spin+was.AW/60
		if max(math.Hypot(was.VX, was.VY), math.Hypot(x, y)) < 399 && math.Hypot(a.VX-x, a.VY-y) > 1e-9 ||
			max(math.Abs(was.Spin), math.Abs(w)) < 376 && math.Abs(a.Spin-w) > 1e-9 {
			t.Fatalf("%+v, want %v %v %v", *a, x, y, w)
		}
	})
}
