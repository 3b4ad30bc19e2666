package solve

import "testing"

// pyramid fills s with boxes of 1 x 1, high rows of them, each on two of the row below, at rest.
func pyramid(high int) *listed {
	s := solver(1)
	s.Reset()
	row := func(y int) int32 { return int32(y*high - y*(y-1)/2 + 1) } // of the first body of row y
	for y := range high {
		for range high - y {
			s.Motions = append(s.Motions, Motion{C: 1, InvMass: 1, InvI: 6, AY: -10})
		}
	}
	rest := func(a, b int32, from, to, ax, bx float64) {
		c := s.meetFlat(Contact{A: a, B: b, Static: a == 0}, [2]float64{from, to}, 0.5, -0.5)
		for k := range c.Points {
			p := &c.Points[k]
			p.NormalA, p.NormalB = p.NormalA-float32(ax), p.NormalB-float32(bx)
			p.Separation, p.NormalImpulse = -0.001, 1
		}
	}
	for y := 1; y < high; y++ {
		for x := range int32(high - y) {
			rest(row(y-1)+x, row(y)+x, 0, 0.5, 0, 0.5)
			rest(row(y-1)+x+1, row(y)+x, 0, 0.5, 0.5, 0)
		}
	}
	for x := range int32(high) {
		rest(0, 1+x, -0.5, 0.5, 0, 0)
	}
	return s
}

// BenchmarkPasses times the passes of a sub-step over a pyramid of 5,050 boxes, with the
// kernels of this machine and with their twin.
func BenchmarkPasses(b *testing.B) {
	used := kernels
	for _, set := range []kernelSet{used, goKernels} {
		b.Run(set.name, func(b *testing.B) {
			kernels = set
			defer func() { kernels = used }()
			s := pyramid(100)
			s.Run(1.0/60, 4)
			for b.Loop() {
				s.workers[0].warmStart()
				s.workers[0].pass(1.0/240, 0, true)
				s.workers[0].pass(1.0/240, 0, false)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s.Contacts)), "ns/contact")
		})
	}
}

// BenchmarkRun times a whole Run of the same.
func BenchmarkRun(b *testing.B) {
	s := pyramid(100)
	for b.Loop() {
		s.Run(1.0/60, 4)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(s.Contacts)), "ns/contact")
}
