package solve

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// solver returns one with the engine's figures and two bodies of mass 1 and m.
func solver(m float32) *Solver {
	s := &Solver{MaxSpeed: 400, PushSpeed: 3, BounceSpeed: 1, Hertz: 30, Damping: 10}
	s.Reset()
	s.Bodies = append(s.Bodies,
		Body{DC: 1, InvMass: 1, InvI: 2},
		Body{DC: 1, InvMass: 1 / m, InvI: 2 / m})
	return s
}

// TestMomentumIsKept: whatever two bodies meet by, their momentum stays, and
// so does the angular momentum about the point between them.
func TestMomentumIsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float32, name string) float32 { return rapid.Float32Range(lo, hi).Draw(t, name) }
		m := f(0.2, 5, "mass")
		s := solver(m)
		a, b := &s.Bodies[1], &s.Bodies[2]
		a.VX, a.VY, a.W = f(-5, 5, "avx"), f(-5, 5, "avy"), f(-5, 5, "aw")
		b.VX, b.VY, b.W = f(-5, 5, "bvx"), f(-5, 5, "bvy"), f(-5, 5, "bw")
		angle := float64(f(-3, 3, "angle"))
		nx, ny := float32(math.Cos(angle)), float32(math.Sin(angle))
		ax, ay := f(-1, 1, "ax"), f(-1, 1, "ay")
		bx, by := f(-1, 1, "bx"), f(-1, 1, "by")
		s.Contacts = append(s.Contacts, Contact{
			A: 1, B: 2, N: 1, NX: nx, NY: ny,
			Points: [2]Point{{AX: ax, AY: ay, BX: bx, BY: by, Separation: f(-0.1, 0.1, "sep"), Friction: 0.5, Restitution: 0.5}},
		})
		// About the contact point: the bodies' centres are at -a and -b from it.
		spin := func() float64 {
			l := func(m, i, x, y, vx, vy, w float32) float64 {
				return float64(i*w) + float64(m*(x*vy-y*vx))
			}
			return l(1, 0.5, -ax, -ay, a.VX, a.VY, a.W) + l(m, 0.5*m, -bx, -by, b.VX, b.VY, b.W)
		}
		px, py, l := a.VX+m*b.VX, a.VY+m*b.VY, spin()
		s.Run(1.0/60, 4)
		if d := math.Hypot(float64(a.VX+m*b.VX-px), float64(a.VY+m*b.VY-py)); d > 1e-4 {
			t.Fatalf("momentum off by %v", d)
		}
		if d := math.Abs(spin() - l); d > 1e-4 {
			t.Fatalf("angular momentum off by %v", d)
		}
		if p := s.Contacts[0].Points[0]; p.NormalImpulse < 0 || float64(abs(p.TangentImpulse)) > 0.5*float64(p.MaxImpulse)+1e-4 {
			t.Fatalf("impulses: %+v", p)
		}
		if s.Bodies[0] != immovable {
			t.Fatalf("the immovable moved: %+v", s.Bodies[0])
		}
	})
}

func abs(x float32) float32 { return max(x, -x) }

// TestRest: a body that presses on the immovable stays, and the impulse of a
// sub-step carries its weight.
func TestRest(t *testing.T) {
	s := solver(1)
	var p Point
	y := float32(0)
	for range 120 {
		s.Reset()
		s.Bodies = append(s.Bodies, Body{DC: 1, InvMass: 1, AY: -10})
		p.Separation = y
		s.Contacts = append(s.Contacts, Contact{A: 0, B: 1, N: 1, Static: true, NY: 1, Points: [2]Point{p}})
		s.Run(1.0/60, 4)
		p = s.Contacts[0].Points[0]
		y += s.Bodies[1].DY
	}
	if v := s.Bodies[1].VY; abs(v) > 1e-4 || y > 0 || y < -0.005 {
		t.Errorf("at %v, velocity %v", y, v)
	}
	if want := float32(10.0 / 240); abs(p.NormalImpulse-want) > 1e-4 {
		t.Errorf("impulse %v, want %v", p.NormalImpulse, want)
	}
}

// TestGapIsNotOvershot: what is apart may close the gap in a step, not more.
func TestGapIsNotOvershot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := solver(1)
		gap := rapid.Float32Range(0.001, 0.5).Draw(t, "gap")
		s.Bodies[1].VY = -rapid.Float32Range(0, 300).Draw(t, "speed")
		s.Contacts = append(s.Contacts, Contact{A: 0, B: 1, N: 1, Static: true, NY: 1, Points: [2]Point{{Separation: gap}}})
		s.Run(1.0/60, 4)
		if d := gap + s.Bodies[1].DY; d < -1e-4 {
			t.Fatalf("overshot by %v", -d)
		}
	})
}

func TestSoften(t *testing.T) {
	// A spring without end is a rigid constraint.
	if s := soften(0, 1, 0.01); s != (softness{0, 1, 0}) {
		t.Errorf("rigid: %+v", s)
	}
	// The shares of a soft one add up to the whole.
	for _, hz := range []float32{1, 15, 30, 60} {
		s := soften(hz, 10, 1.0/240)
		if d := abs(s.massScale + s.impulseScale - 1); d > 1e-6 || s.biasRate <= 0 || s.biasRate > 240 {
			t.Errorf("%v Hz: %+v", hz, s)
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	s := solver(2)
	s.Contacts = append(s.Contacts, Contact{A: 1, B: 2, N: 1, NX: 1})
	if n := testing.AllocsPerRun(20, func() { s.Run(1.0/60, 4) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
