package grid

import (
	"fmt"
	"testing"
)

func perObject(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

// BenchmarkFrame moves all boxes, by up to a tenth of their size, and then asks
// for all pairs.
func BenchmarkFrame(b *testing.B) {
	for _, most := range []float64{4, 1000} {
		for _, cell := range []float64{2, 4, 5, 6} {
			if most == 1000 && cell > 2 {
				continue
			}
			c := newCrowd(100_000, most, 1.0/3)
			grids := []*Grid{NewHierarchical(cell)}
			if most < 10 {
				grids = newGrids(cell, c.bounds())
			}
			for _, g := range grids {
				c.addTo(g)
				var pairs [][2]ID
				frame := func() {
					c.move()
					c.update(g)
					pairs = g.AppendPairs(pairs[:0])
				}
				for range 32 {
					frame()
				}
				name := fmt.Sprintf("%gx/%v/%g", most, g.Kind(), cell)
				b.Run("update/"+name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						c.move()
						c.update(g)
					}
					perObject(b, len(c.boxes))
				})
				b.Run("pairs/"+name, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						pairs = g.AppendPairs(pairs[:0])
					}
					perObject(b, len(c.boxes))
					b.ReportMetric(float64(len(pairs)), "pairs")
				})
			}
		}
	}
}
