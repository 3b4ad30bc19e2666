package grid

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

// kinds are the scenes of the benchmarks: sizes within a factor of 4, and over
// a factor of 1000.
var kinds = []struct {
	name string
	n    int
	most float64
}{
	{"10k/4x", 10_000, 4},
	{"100k/4x", 100_000, 4},
	{"100k/1000x", 100_000, 1000},
}

func perObject(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/object")
}

// BenchmarkUpdate moves all boxes by up to a tenth of their size.
func BenchmarkUpdate(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := newScene(k.n, 1, k.most)
			for i := range 32 {
				s.move(i)
			}
			b.ReportAllocs()
			step := 0
			for b.Loop() {
				s.move(step)
				step++
			}
			perObject(b, k.n)
		})
	}
}

// BenchmarkUpdateOverlaps moves all boxes and then asks about each.
func BenchmarkUpdateOverlaps(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := newScene(k.n, 1, k.most)
			var ids []ID
			for i := range 32 {
				s.move(i)
			}
			for _, box := range s.boxes {
				ids = s.g.AppendOverlaps(ids[:0], box)
			}
			b.ReportAllocs()
			step, found := 0, 0
			for b.Loop() {
				s.move(step)
				step++
				found = 0
				for _, box := range s.boxes {
					ids = s.g.AppendOverlaps(ids[:0], box)
					found += len(ids) - 1
				}
			}
			perObject(b, k.n)
			b.ReportMetric(float64(found)/float64(k.n), "found/object")
		})
	}
}

// BenchmarkUpdatePairs moves all boxes and then asks for all pairs.
func BenchmarkUpdatePairs(b *testing.B) {
	for _, k := range kinds {
		b.Run(k.name, func(b *testing.B) {
			s := newScene(k.n, 1, k.most)
			for i := range 32 {
				s.move(i)
			}
			pairs := s.g.AppendPairs(nil)
			pairs = s.g.AppendPairs(pairs[:0])
			b.ReportAllocs()
			step := 0
			for b.Loop() {
				s.move(step)
				step++
				pairs = s.g.AppendPairs(pairs[:0])
			}
			perObject(b, k.n)
			b.ReportMetric(float64(len(pairs)), "pairs")
		})
	}
}

// BenchmarkRay casts rays of several lengths through 100,000 boxes.
func BenchmarkRay(b *testing.B) {
	for _, k := range kinds[1:] {
		s := newScene(k.n, 1, k.most)
		for _, length := range []float64{100, s.side} {
			b.Run(fmt.Sprintf("%s/%.0f", k.name, length), func(b *testing.B) {
				r := rand.New(rand.NewPCG(3, 4))
				const n = 256
				var o, d [n]geom.Vec
				cells := int64(0)
				for i := range o {
					o[i] = geom.V(r.Float64(), r.Float64()).Mul(s.side)
					u, _ := geom.V(r.Float64()-0.5, r.Float64()-0.5).Unit()
					d[i] = u.Mul(length)
					for at, rest := nextLevel(s.g.used); at < Levels; at, rest = nextLevel(rest) {
						if w, ok := newWalk(&s.g.levels[at], o[i], d[i]); ok {
							cells += min(w.visits(), int64(len(s.g.levels[at].cells.slots)))
						}
					}
				}
				ids := s.g.AppendRay(nil, geom.Vec{}, geom.V(s.side, s.side))
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					ids = s.g.AppendRay(ids[:0], o[i], d[i])
					i = (i + 1) % n
				}
				perCell := float64(cells) / n
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/perCell, "ns/cell")
			})
		}
	}
}
