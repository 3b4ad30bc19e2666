package solve

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestImpactPasses: in a block of bodies of different masses with random velocities, more than a batch holds, impacts are solved
// by passes. They add no energy, keep the momentum, stop most of the approaches, and leave the impulses of the warm start.
func TestImpactPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		const wide, high = 48, 30
		s := solver(1)
		s.Reset()
		ratio, speed, flow := f(1, 1000, "ratio"), f(3, 100, "speed"), f(0, 50, "flow")
		seed := uint64(rapid.IntRange(0, 1<<30).Draw(t, "seed"))
		random := func() float64 { // from -1 to 1
			seed = seed*6364136223846793005 + 1442695040888963407
			return float64(seed>>33)/(1<<30) - 1
		}
		for i := range wide * high {
			inv := 1.0
			if i%7 == 0 {
				inv = 1 / ratio
			}
			x, y := float64(i%wide), float64(i/wide)
			s.Motions = append(s.Motions, Motion{
				C: 1, InvMass: inv, InvI: 6 * inv, Spin: random(),
				VX: speed*random() - flow*(x/wide-0.5), VY: speed*random() - flow*(y/high-0.5),
			})
		}
		for i := range wide * high {
			b := int32(i + 1)
			if i%wide > 0 {
				s.meet(Contact{A: b - 1, B: b}, 1, 0, 0.5, 0.05*random(), -0.5, 0)
			}
			if i >= wide {
				s.meetFlat(Contact{A: b - wide, B: b}, [2]float64{-0.5, 0.5}, 0.5, -0.5)
			}
		}
		for k := range s.Contacts {
			s.Contacts[k].Points[0].NormalImpulse = 0.25
		}
		state := func(change []body) (energy, px, py float64) {
			for i := range s.Motions[1:] {
				m := &s.Motions[i+1]
				vx, vy, w := m.VX, m.VY, m.Spin
				if change != nil {
					b := &change[s.bodyOf[i+1]]
					vx, vy, w = vx+float64(b.vx), vy+float64(b.vy), w+float64(b.w)
				}
				energy += (vx*vx+vy*vy)/m.InvMass + w*w/m.InvI
				px, py = px+vx/m.InvMass, py+vy/m.InvMass
			}
			return energy, px, py
		}
		energy, px, py := state(nil)
		w := s.prepare()
		fast := func() (n int) {
			for _, i := range w.found.approaching {
				if r := w.approachOf(i, 1./60, 0); r.fasterThan(w.bodies, ImpactSpeed) {
					n++
				}
			}
			return n
		}
		before := fast()
		w.solveImpacts(1. / 60)
		if len(w.asideTwos) == 0 {
			t.Fatalf("%d impacts of %d contacts without a pass", before, len(s.Contacts))
		}
		after, qx, qy := state(w.bodies)
		mass := wide * high * ratio
		if after > energy*(1+1e-5) {
			t.Fatalf("the energy rose from %v to %v", energy, after)
		}
		if d := math.Hypot(qx-px, qy-py); d > 1e-5*mass*(speed+flow) {
			t.Fatalf("the momentum changed by %v", d)
		}
		// One draw of 1,571 left 353 of 1,411, a little above a quarter.
		if n := fast(); 3*n > before {
			t.Fatalf("%d of %d impacts are left", n, before)
		}
		for i := range s.Contacts {
			if _, points, l := w.at(int32(i)); points[0].normal[l] != 0.25 {
				t.Fatalf("contact %d: the impulse of the warm start is %v", i, points[0].normal[l])
			}
		}
	})
}
