package joint_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/joint"
)

// lever returns a world with a light body on a wheel joint whose limits leave it almost no motion, and a heavy bob on a
// hinge to the light body. All arms are three to ten times as long as the gyration radii.
func lever() *world {
	w := newWorld()
	bob, light := w.add(0.5, 0, 32, 3.2), w.add(0, -2, 1, 0.9)
	w.bodies[bob].v, w.bodies[light].v = geom.V(1.6, 0), geom.V(1.8, -3)
	w.join(bob, light, -2, 2, 0, joint.Joint{})
	w.join(0, light, -2, 0, 0.25, joint.Joint{
		Kind:    joint.Wheel,
		Angular: joint.Axis{Limit: joint.Limit{On: true, Lower: -0.1}},
		Linear:  joint.Axis{Limit: joint.Limit{On: true, Lower: -0.02}},
	})
	return w
}

// TestLeverGainsNoEnergy: the hinge of a bob on a lever stays closed. The passes alone cannot hold it: it opened by
// units of length, and as it closed, it lifted the bob higher than the bob had fallen.
func TestLeverGainsNoEnergy(t *testing.T) {
	for _, n := range []int{2, 4, 8} {
		t.Run(fmt.Sprint(n, " sub-steps"), func(t *testing.T) {
			w := lever()
			w.subSteps = n
			before, most, gap := w.energy(), w.energy(), 0.0
			for range 1200 {
				w.step()
				most, gap = max(most, w.energy()), max(gap, w.state(&w.joints[0]).Apart.Len())
			}
			below(t, "energy gained", most-before, 1)
			below(t, "gap of the hinge", gap, 0.001)
		})
	}
}

// TestLinksKeepEnergy: a pendulum of a few links that falls from the horizontal lost half of its energy in 18 seconds,
// with sub-steps of any length, since one pass does not follow joints that turn fast.
func TestLinksKeepEnergy(t *testing.T) {
	for _, x := range []struct {
		links, subSteps int
		lost            float64 // of the energy at the start, which is that in gravity
	}{{2, 4, 0.02}, {3, 4, 0.1}, {5, 4, 0.2}, {5, 8, 0.1}, {5, 16, 0.05}} {
		w := newWorld()
		w.subSteps = x.subSteps
		chain(w, x.links-1, 1, 0, 1)
		w.run(18)
		n := float64(x.links)
		below(t, fmt.Sprintf("share lost by %d links with %d sub-steps", x.links, x.subSteps), -w.energy()/(5*n*n),
			x.lost)
	}
}

// BenchmarkStrained measures a step of a pendulum of five links that turn fast, whose joints conjugate gradients solve
// again.
func BenchmarkStrained(b *testing.B) {
	w := newWorld()
	chain(w, 4, 1, 0, 1)
	w.run(2)
	b.ReportAllocs()
	for b.Loop() {
		w.step()
	}
	b.ReportMetric(w.energy(), "energy")
}
