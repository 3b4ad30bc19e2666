package joint_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/internal/joint"
)

// pendulum returns a world with a rod of mass 1 and length 2 hinged at the origin, at an angle from hanging.
func pendulum(angle float64) (*world, *body, *link) {
	w := newWorld()
	s, c := math.Sincos(angle)
	b := w.add(s, -c, 1, 1./3)
	l := w.join(0, b, 0, 0, 0, joint.Joint{Kind: joint.Revolute})
	return w, &w.bodies[b], l
}

// agm is the arithmetic-geometric mean, of which the exact period of a pendulum is made.
func agm(a, b float64) float64 {
	for range 8 {
		a, b = (a+b)/2, math.Sqrt(a*b)
	}
	return a
}

func TestPendulum(t *testing.T) {
	for _, amplitude := range []float64{0.1, 1, 2, 3} {
		w, b, l := pendulum(amplitude)
		want := 2 * math.Pi * math.Sqrt(4./3/10) / agm(1, math.Cos(amplitude/2))
		e0 := w.energy()
		// Times at which the rod passes the lowest point to the left, between steps by interpolation.
		first, last, n := 0.0, 0.0, 0
		most, least, stretch := e0, e0, 0.0
		for i := range 60 * 60 {
			x := b.at.X
			w.step()
			if x > 0 && b.at.X <= 0 {
				at := (float64(i) + x/(x-b.at.X)) / 60
				if n == 0 {
					first = at
				}
				last, n = at, n+1
			}
			e := w.energy()
			most, least = max(most, e), min(least, e)
			stretch = max(stretch, w.state(l).Apart.Len())
		}
		period := (last - first) / float64(n-1)
		t.Logf("amplitude %v: period %v, exact %v (%.2e); energy %v: %+.2e %+.2e; stretch %.2e", amplitude, period, want, period/want-1, e0, most-e0, least-e0, stretch)
	}
}
