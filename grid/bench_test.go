package grid

import (
	"fmt"
	"testing"
	"time"
)

// contender is one side of a comparison.
type contender struct {
	name  string
	ready func() // untimed preparation, or nil
	run   func()
	n     int // the divisor of its time
}

// compare runs the contenders in turn, so that other load on the machine slows all alike,
// and reports the processor's time of each, and how many times as long each takes as the
// first.
func compare(b *testing.B, unit string, contenders []contender) {
	spent := make([]time.Duration, len(contenders))
	for b.Loop() {
		for i, c := range contenders {
			if c.ready != nil {
				c.ready()
			}
			spent[i] += cpuTime(c.run)
		}
	}
	b.ReportMetric(0, "ns/op")
	per := func(i int) float64 {
		return float64(spent[i].Nanoseconds()) / float64(b.N) / float64(contenders[i].n)
	}
	for i, c := range contenders {
		b.ReportMetric(per(i), c.name+"-ns/"+unit)
		if i > 0 {
			b.ReportMetric(per(i)/per(0), c.name+"-times")
		}
	}
}

// manyBoxes is the number of boxes of a measured frame; with -short, as where each benchmark only has to run, it is
// smaller.
func manyBoxes() int {
	if testing.Short() {
		return 20_000
	}
	return 100_000
}

// crowds are the boxes of the measured frames: sizes within 4x, spread over 1000x with as
// many of each order, and spread over 1000x with as much area of each, so with a thousand
// small ones for each large one.
var crowds = []struct {
	name string
	make func(n int) *crowd
}{
	{"4x", func(n int) *crowd { return newCrowd(n, 4, 1.0/3) }},
	{"1000x", func(n int) *crowd { return newCrowd(n, 1000, 1.0/3) }},
	{"1000x-area", func(n int) *crowd { return newMixedCrowd(n, 1000, 1.0/3) }},
}

// gridsFor returns the grids that are any good for a crowd.
func gridsFor(c *crowd) []*Grid {
	plan := Tune(c.boxes)
	if plan.Kind == Hierarchical {
		return []*Grid{NewHierarchical(plan.CellSize)}
	}
	return newGrids(plan.CellSize, c.bounds())
}

// BenchmarkFrame moves all boxes, by up to a tenth of their size, and then asks
// for all pairs: each grid, and beside it the R-tree, which replaces and searches.
func BenchmarkFrame(b *testing.B) {
	for _, k := range crowds {
		c := k.make(manyBoxes())
		t := newTree(c)
		var found [][2]int32
		var pairs [][2]ID
		for _, g := range gridsFor(c) {
			b.Run(fmt.Sprintf("%s/%v", k.name, g.Kind()), func(b *testing.B) {
				if err := g.Build(c.boxes, nil); err != nil {
					b.Fatal(err)
				}
				for range 32 {
					c.move()
					c.update(g)
				}
				compare(b, "object", []contender{
					{"grid", c.move, func() {
						c.update(g)
						pairs = g.AppendPairs(pairs[:0])
					}, len(c.boxes)},
					{"rtree", nil, func() {
						t.update(c)
						found = t.pairs(found[:0])
					}, len(c.boxes)},
				})
				if len(found) != len(pairs) {
					b.Errorf("%d pairs, and %d of the R-tree", len(pairs), len(found))
				}
				b.ReportMetric(float64(len(pairs)), "pairs")
			})
		}
	}
}

// BenchmarkParts times the parts of a frame: updates, pairs, and Build in place of the
// updates.
func BenchmarkParts(b *testing.B) {
	for _, k := range crowds {
		c := k.make(manyBoxes())
		again := gridsFor(c)
		for i, g := range gridsFor(c) {
			b.Run(fmt.Sprintf("%s/%v", k.name, g.Kind()), func(b *testing.B) {
				g.Clear()
				c.addTo(g)
				for range 32 {
					c.move()
					c.update(g)
				}
				var pairs [][2]ID
				h := again[i]
				compare(b, "object", []contender{
					{"update", c.move, func() { c.update(g) }, len(c.boxes)},
					{"pairs", nil, func() { pairs = g.AppendPairs(pairs[:0]) }, len(c.boxes)},
					{"build", nil, func() { _ = h.Build(c.boxes, nil) }, len(c.boxes)},
					{
						"build+pairs", nil, func() { _ = h.Build(c.boxes, nil); pairs = h.AppendPairs(pairs[:0]) },
						len(c.boxes),
					},
					{"add", nil, func() { h.Clear(); c.addTo(h) }, len(c.boxes)},
				})
			})
		}
	}
}

// BenchmarkCellSize times a frame over cells of several sizes, in parts of the common
// size. Tune's choice rests on these figures.
func BenchmarkCellSize(b *testing.B) {
	for _, k := range crowds {
		for _, times := range []float64{1, 2, 3, 4, 6, 8, 16, 32} {
			c := k.make(manyBoxes())
			size := times * Tune(c.boxes).Common
			if size*size*MaxFixedCells < 2*c.side*c.side {
				continue
			}
			b.Run(fmt.Sprintf("%s/%g", k.name, times), func(b *testing.B) {
				var all []contender
				var pairs [][2]ID
				for _, g := range newGrids(size, c.bounds()) {
					if err := g.Build(c.boxes, nil); err != nil {
						b.Fatal(err)
					}
					if g.Stats().Oversize > 100 {
						continue
					}
					all = append(all, contender{g.Kind().String(), c.move, func() {
						c.update(g)
						pairs = g.AppendPairs(pairs[:0])
					}, len(c.boxes)})
				}
				compare(b, "object", all)
			})
		}
	}
}

// BenchmarkFewLarge times a frame of 100,000 boxes within 4x among which a few are 250
// times as large: where one cell size stops to serve.
func BenchmarkFewLarge(b *testing.B) {
	for _, large := range []int{0, 1, 10, 100, 1000} {
		b.Run(fmt.Sprint(large), func(b *testing.B) {
			c := newCrowd(manyBoxes(), 4, 1.0/3)
			for i := range large {
				x := &c.boxes[i*(len(c.boxes)/1000)]
				x.Max = x.Min.Add(x.Size().Mul(250))
			}
			var all []contender
			var pairs [][2]ID
			for _, g := range []*Grid{NewHierarchical(8), NewChunked(8), NewChunked(64)} {
				if err := g.Build(c.boxes, nil); err != nil {
					b.Fatal(err)
				}
				all = append(all, contender{fmt.Sprintf("%v%g", g.Kind(), g.CellSize()), c.move, func() {
					c.update(g)
					pairs = g.AppendPairs(pairs[:0])
				}, len(c.boxes)})
			}
			compare(b, "object", all)
		})
	}
}
