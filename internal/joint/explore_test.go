package joint_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/quarry2d/quarry/internal/joint"
)

func car(w *world, heavy float64, wheel joint.Joint) (int32, int32, int32) {
	c := w.add(0, 1.5, heavy, heavy)
	a := w.add(-1, 1, 1, 0.5*0.25)
	b := w.add(1, 1, 1, 0.5*0.25)
	for _, k := range []int32{a, b} {
		w.bodies[k].radius, w.bodies[k].friction = 0.5, 0.6
		w.join(c, k, w.bodies[k].at.X, 1, math.Pi/2, wheel)
	}
	return c, a, b
}

func TestExploreLanding(t *testing.T) {
	for _, heavy := range []float64{1, 10, 100, 1000} {
		for name, wh := range map[string]joint.Joint{
			"revolute": {Kind: joint.Revolute},
			"weld":     {Kind: joint.Weld},
			"wheel":    {Kind: joint.Wheel, Linear: joint.Axis{Spring: true, Hertz: 4, Damping: 0.7, Limit: true, Lower: -0.25, Upper: 0.25}},
		} {
			w := newWorld()
			car(w, heavy, wh)
			for i := range w.bodies {
				w.bodies[i].v.Y = -40
			}
			w.bodies[0].v.Y = 0
			up, stretch := 0.0, 0.0
			s := ""
			for i := range 120 {
				w.step()
				for k := range w.bodies {
					up = max(up, w.bodies[k].v.Y)
				}
				for k := range w.joints {
					stretch = max(stretch, math.Abs(w.state(&w.joints[k]).Across))
				}
				if i < 12 {
					s += fmt.Sprintf("%.2f/%.2f ", w.bodies[1].v.Y, w.bodies[2].v.Y)
				}
			}
			t.Logf("%v %s: up %.3f across %.4f; end y %.4f; %s", heavy, name, up, stretch, w.bodies[1].at.Y, s)
		}
	}
}

func TestExploreChain(t *testing.T) {
	for _, load := range []float64{0, 1, 100, 1000} {
		w := newWorld()
		last := int32(0)
		n := 100
		for i := range n {
			k := w.add(float64(i)+0.5, 0, 1, 1./12)
			w.join(last, k, float64(i), 0, 0, joint.Joint{Kind: joint.Revolute})
			last = k
		}
		if load > 0 {
			k := w.add(float64(n)+0.5, 0, load, load/6)
			w.join(last, k, float64(n), 0, 0, joint.Joint{Kind: joint.Revolute})
		}
		e0 := w.energy()
		most, stretch, spin := e0, 0.0, 0.0
		s := ""
		for i := range 3600 {
			w.step()
			most = max(most, w.energy())
			for k := range w.joints {
				stretch = max(stretch, w.state(&w.joints[k]).Apart.Len())
			}
			for k := range w.bodies {
				spin = max(spin, math.Abs(w.bodies[k].spin))
			}
			if i%300 == 0 {
				s += fmt.Sprintf("%.0f ", w.energy())
			}
		}
		t.Logf("load %v: energy +%.3g (of %v), stretch %.4f, spin %.1f; %s", load, most-e0, e0, stretch, spin, s)
	}
}

func TestExploreHang(t *testing.T) { // a vertical chain at rest with load
	for _, load := range []float64{1, 10, 100, 1000} {
		w := newWorld()
		last := int32(0)
		for i := range 100 {
			k := w.add(0, -float64(i)-0.5, 1, 1./12)
			w.join(last, k, 0, -float64(i), 0, joint.Joint{Kind: joint.Revolute})
			last = k
		}
		k := w.add(0, -100.5, load, load/6)
		w.join(last, k, 0, -100, 0, joint.Joint{Kind: joint.Revolute})
		s, worst := "", 0.0
		for i := range 3000 {
			w.step()
			if i%300 == 299 {
				s += fmt.Sprintf("%.4f@%.4f ", -100.5-w.bodies[k].at.Y, w.bodies[k].v.Y)
			}
			if i > 2000 {
				for j := range w.joints {
					worst = max(worst, w.state(&w.joints[j]).Apart.Len())
				}
			}
		}
		t.Logf("load %v: sag %s force at top %.3f want %v worst %v", load, s, w.joints[0].did.ForceY, 10*(100+load), worst)
	}
}
