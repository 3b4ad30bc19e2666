package joint_test

import (
	"testing"

	"github.com/quarry2d/quarry/internal/joint"
)

// grid returns n x n discs, each joined to its upper and left neighbour by a revolute joint half way; of the top row
// those in the middle are joined to the static body.
func grid(n int) *world {
	w := newWorld()
	at := func(x, y int) int32 { return int32(y*n + x + 1) }
	m := 0.16 * 3.14159
	for y := range n {
		for x := range n {
			w.add(float64(x), -float64(y), m, m*0.08)
		}
	}
	for y := range n {
		for x := range n {
			if y > 0 {
				w.join(at(x, y-1), at(x, y), float64(x), -float64(y)+0.5, 0, joint.Joint{})
			} else if x >= n/2-3 && x <= n/2+3 {
				w.join(0, at(x, y), float64(x), 0, 0, joint.Joint{})
			}
			if x > 0 {
				w.join(at(x-1, y), at(x, y), float64(x)-0.5, -float64(y), 0, joint.Joint{})
			}
		}
	}
	return w
}

// BenchmarkGrid times a Run of the solver over 20,000 revolute joints, filling included.
func BenchmarkGrid(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(map[int]string{1: "1", 2: "2"}[workers], func(b *testing.B) {
			w := grid(100)
			defer w.workers(workers)()
			for range 20 {
				w.step()
			}
			w.begin()
			for b.Loop() {
				w.s.Run(w.dt, w.subSteps)
			}
			// A sub-step has a warm start, and passes with and without springs.
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(w.joints)*3*w.subSteps), "ns/joint/pass")
		})
	}
}
