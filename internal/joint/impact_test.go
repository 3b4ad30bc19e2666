package joint_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry/internal/joint"
)

// car adds a chassis on two wheels of mass 1, which stand on the ground at x.
func car(w *world, heavy, x float64, wheel joint.Joint) (chassis, left, right int32) {
	chassis = w.add(x, 1, heavy, heavy)
	var wheels [2]int32
	for i := range wheels {
		wheels[i] = w.add(x+float64(2*i)-1, 0.5, 1, 0.5*0.25)
		b := &w.bodies[wheels[i]]
		b.radius, b.friction = 0.5, 0.6
		w.join(chassis, wheels[i], b.at.X, 0.5, math.Pi/2, wheel)
	}
	return chassis, wheels[0], wheels[1]
}

// TestLanding: a chassis of up to 1,000 times the mass of its wheels that lands at up to 40 units a second throws
// nothing up: the joints pass the impact on.
func TestLanding(t *testing.T) {
	suspension := joint.Axis{Spring: joint.Spring{Hertz: 4, DampingRatio: 1}, Limit: joint.Limit{
		On: true, Lower: -0.25,
		Upper: 0.25,
	}}
	for _, x := range []struct {
		name  string
		wheel joint.Joint
	}{
		{"revolute", joint.Joint{Kind: joint.Revolute}},
		{"weld", joint.Joint{Kind: joint.Weld}},
		{"wheel", joint.Joint{Kind: joint.Wheel, Linear: suspension}},
	} {
		for _, heavy := range []float64{1, 10, 100, 1000} {
			for _, height := range []float64{0, 0.1, 0.35, 0.6} {
				w := newWorld()
				car(w, heavy, 0, x.wheel)
				for i := range w.bodies[1:] {
					b := &w.bodies[i+1]
					b.at.Y += height
					b.v.Y = -40
				}
				up, gap := 0.0, 0.0
				for range 120 {
					w.step()
					for i := range w.bodies {
						up = max(up, w.bodies[i].v.Y)
					}
					for i := range w.joints {
						gap = max(gap, math.Abs(w.state(&w.joints[i]).Across))
					}
				}
				most := 0.75
				if x.name == "wheel" {
					most = 2 * math.Pi * 4 * 0.25 // what the spring may give back
				} else if heavy > 100 {
					most = 3 // the push out of an overlap
				}
				t.Logf("%s, mass ratio %v, height %v: up %.3f, gap %.4f", x.name, heavy, height, up, gap)
				if up > most || gap > 0.03 {
					t.Errorf("%s, mass ratio %v, height %v: goes up at %v, gap %v", x.name, heavy, height, up, gap)
				}
			}
		}
	}
}
