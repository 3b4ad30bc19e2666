package team

import (
	"fmt"
	"runtime"
	"testing"
)

// BenchmarkEmptyLoop measures the cost of a loop with empty ranges, during a step.
func BenchmarkEmptyLoop(b *testing.B) {
	for _, n := range []int{1, 2, 8} {
		for _, ranges := range []int{2, 16} {
			b.Run(fmt.Sprintf("workers=%d/ranges=%d", n, ranges), func(b *testing.B) {
				t := New(n)
				defer t.Close()
				t.Begin()
				defer t.End()
				b.ReportAllocs()
				for b.Loop() {
					t.Each(ranges, 1, func(_, _, _ int) {})
				}
			})
		}
	}
}

// BenchmarkPasses measures passes over data that fits the caches of two cores, but not of one, in
// loops of some microseconds, as the solver makes them.
func BenchmarkPasses(b *testing.B) {
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", n), func(b *testing.B) {
			if n > runtime.GOMAXPROCS(0) {
				b.Skip("needs as many processors as workers")
			}
			const colors, blocks = 12, 160
			data := make([][][216]float64, colors)
			for i := range data {
				data[i] = make([][216]float64, blocks)
			}
			t := New(n)
			defer t.Close()
			t.Begin()
			defer t.End()
			color := 0
			do := func(_, from, to int) {
				for i := from; i < to; i++ {
					x := &data[color][i]
					for k := range x {
						x[k] = x[k]*0.5 + 1
					}
				}
			}
			for b.Loop() {
				for color = range colors {
					t.Each(blocks, 8, do)
				}
			}
		})
	}
}

// BenchmarkStep measures Begin and End, with a loop between them.
func BenchmarkStep(b *testing.B) {
	t := New(2)
	defer t.Close()
	for b.Loop() {
		t.Begin()
		t.Each(2, 1, func(_, _, _ int) {})
		t.End()
	}
}
