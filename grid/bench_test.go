package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/quarry2d/quarry/geom"
)

// contender is one side of a comparison.
type contender struct {
	name  string
	ready func() // if not nil, what comes before it and is not timed
	run   func()
	n     int // what its time is divided by
}

// compare runs the contenders in turn, so that what else the machine does slows
// all alike, and reports the processor's time of each, and how many times as long
// each takes as the first.
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

// gridsFor returns the grids that are any good for a crowd.
func gridsFor(c *crowd) []*Grid { return newGrids(Tune(c.boxes).CellSize, c.bounds()) }

// BenchmarkFrame moves all boxes, by up to a tenth of their size, and then asks
// for all pairs: each grid, and beside it the R-tree, which replaces and searches.
func BenchmarkFrame(b *testing.B) {
	for _, most := range []float64{4, 1000} {
		c := newCrowd(100_000, most, 1.0/3)
		t := newTree(c)
		var found [][2]int32
		var pairs [][2]ID
		for _, g := range gridsFor(c) {
			b.Run(fmt.Sprintf("%gx/%v", most, g.Kind()), func(b *testing.B) {
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

// BenchmarkParts times what a frame is made of, and Build in its place.
func BenchmarkParts(b *testing.B) {
	for _, most := range []float64{4, 1000} {
		c := newCrowd(100_000, most, 1.0/3)
		again := gridsFor(c)
		for i, g := range gridsFor(c) {
			b.Run(fmt.Sprintf("%gx/%v", most, g.Kind()), func(b *testing.B) {
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
					{"build+pairs", nil, func() { _ = h.Build(c.boxes, nil); pairs = h.AppendPairs(pairs[:0]) }, len(c.boxes)},
					{"add", nil, func() { h.Clear(); c.addTo(h) }, len(c.boxes)},
				})
			})
		}
	}
}

// BenchmarkCellSize times a frame of boxes with sizes within 4x over cells of
// several sizes, in parts of the common size: what Tune goes by.
func BenchmarkCellSize(b *testing.B) {
	for _, times := range []float64{0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12} {
		b.Run(fmt.Sprintf("%g", times), func(b *testing.B) {
			c := newCrowd(100_000, 4, 1.0/3)
			var all []contender
			var pairs [][2]ID
			for _, g := range newGrids(times*Tune(c.boxes).Common, c.bounds()) {
				c.addTo(g)
				all = append(all, contender{g.Kind().String(), c.move, func() {
					c.update(g)
					pairs = g.AppendPairs(pairs[:0])
				}, len(c.boxes)})
			}
			compare(b, "object", all)
		})
	}
}

// rays are n rays of a length in all directions within a crowd.
func (c *crowd) rays(n int, length float64) (o, d []geom.Vec) {
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		a := 2 * math.Pi * r.Float64()
		o = append(o, geom.V(r.Float64(), r.Float64()).Mul(c.side))
		d = append(d, geom.V(math.Cos(a), math.Sin(a)).Mul(length))
	}
	return o, d
}

// BenchmarkRays casts 10,000 rays of length 100 through 10^6 boxes that lie dense
// (a third of the plane) and less so, for all hits and for the first: each grid, and
// beside it the R-tree, which is asked about the boxes of as many parts of the ray
// as serve it best, and tests what it finds as the grids do.
func BenchmarkRays(b *testing.B) {
	for _, fill := range []float64{1.0 / 3, 0.1, 0.01} {
		c := newCrowd(1_000_000, 4, fill)
		o, d := c.rays(10_000, 100)
		t := newTree(c)
		var hits []Hit
		for _, g := range newGrids(Tune(c.boxes).CellSize, c.bounds()) {
			if err := g.Build(c.boxes, nil); err != nil {
				b.Fatal(err)
			}
			cells := 0
			var walked []Cell
			for i := range o {
				walked = g.AppendRayCells(walked[:0], o[i], d[i], 1)
				cells += len(walked)
			}
			b.Run(fmt.Sprintf("all/fill=%.2f/%v", fill, g.Kind()), func(b *testing.B) {
				compare(b, "cell", []contender{
					{"grid", nil, func() {
						for i := range o {
							hits = g.AppendRay(hits[:0], o[i], d[i], 1, All)
						}
					}, cells},
					{"rtree4", nil, func() {
						for i := range o {
							hits = t.ray(hits[:0], o[i], d[i], 4)
						}
					}, cells},
				})
				b.ReportMetric(float64(cells)/float64(len(o)), "cells/ray")
			})
			b.Run(fmt.Sprintf("first/fill=%.2f/%v", fill, g.Kind()), func(b *testing.B) {
				compare(b, "ray", []contender{
					{"grid", nil, func() {
						for i := range o {
							g.Ray(o[i], d[i], 1, All)
						}
					}, len(o)},
					{"rtree4", nil, func() {
						for i := range o {
							t.first(o[i], d[i], 4)
						}
					}, len(o)},
					{"rtree16", nil, func() {
						for i := range o {
							t.first(o[i], d[i], 16)
						}
					}, len(o)},
				})
			})
		}
	}
}
