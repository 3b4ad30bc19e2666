package solve

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// fallOn runs a body of mass 1 that falls on one of mass light, which lies on the
// ground, for so many steps, and returns the highest upward speed of the first.
func fallOn(light, speed, gap float64, steps int) (up float64) {
	s := solver(1)
	y, v := [2]float64{0, gap}, [2]float64{0, -speed}
	var p [2]Point
	for range steps {
		s.Reset()
		s.Motions = append(
			s.Motions,
			Motion{VY: v[0], InvMass: 1 / light, InvI: 6 / light, AY: -10},
			Motion{VY: v[1], InvMass: 1, InvI: 6, AY: -10},
		)
		if y[1]-y[0] < 0.02 {
			p[1].Separation = float32(y[1] - y[0])
			s.meet(Contact{A: 1, B: 2, Points: [2]Point{p[1]}}, 0, 1, 0, 0.5, 0, -0.5)
		}
		p[0].Separation = float32(y[0])
		s.meet(Contact{B: 1, Static: true, Points: [2]Point{p[0]}}, 0, 1, 0, 0, 0, -0.5)
		s.Run(1.0/60, 4)
		n := len(s.Contacts)
		p[0] = s.Contacts[n-1].Points[0]
		if n == 2 {
			p[1] = s.Contacts[0].Points[0]
		}
		for i := range v {
			v[i] = s.Motions[i+1].VY
			y[i] += s.Motions[i+1].DY
		}
		up = max(up, v[1])
	}
	return up
}

// TestLightBetween: a body that falls on one up to 3,000 times as light, which lies on the ground,
// stops there, except for the push out of an overlap. It was thrown up with almost half of the
// speed that it had come with: a pass transmits only the light body's share of the momentum, so the
// impulse grew over sub-steps, and was then applied again in each. What the passes leave of the impact
// sends it up at 1.3 units/s at most, of 40. (0.75 at ratios above 1.5, before unloading went: the contacts
// of uneven bodies were solved once more after each relax pass.)
func TestLightBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(t, name) }
		light, speed, gap := math.Pow(3000, -f(0, 1, "light")), f(0, 40, "speed"), f(0, 0.1, "gap")
		if up := fallOn(light, speed, gap, 60); up > 1.5 {
			t.Fatalf("goes up at %v", up)
		}
	})
}
