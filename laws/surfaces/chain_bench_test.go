package surfaces_test

import (
	"fmt"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// terrain returns a chain of n segments of rough hills, a quarter of a unit each.
func terrain(n int) []geom.Vec {
	var out []geom.Vec
	for i := range n + 1 {
		x := 0.25 * (float64(n)/2 - float64(i))
		s, c := geom.SinCos(x / 9)
		r, _ := geom.SinCos(float64(i*i%1013) * 0.7)
		out = append(out, geom.V(x, 3*s+c*c+0.05*r))
	}
	return out
}

// BenchmarkChainMarbles: a step of marbles that roll over a chain of 10,000 segments, and
// of 100,000.
func BenchmarkChainMarbles(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: true})
			points := terrain(n)
			worldtest.AddChain(b, w, 0, quarry.ChainDef{Points: points})
			for i := range 2000 {
				p := points[1+i*(n-2)/2000]
				m := worldtest.Add(w, p.Add(geom.V(0, 0.5)), geom.Circle{Radius: 0.2})
				m.SetVelocity(geom.V(float64(i%7-3), 0))
			}
			worldtest.Steps(w, 60)
			b.ReportAllocs()
			for b.Loop() {
				w.Step(worldtest.DT)
			}
			s := w.Stats()
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Bodies), "ns/body")
			b.ReportMetric(float64(s.Touching), "touching")
		})
	}
}

// BenchmarkChainTree: a search of a long chain for the faces in a box, and a ray along
// it.
func BenchmarkChainTree(b *testing.B) {
	w := quarry.NewWorld(quarry.Config{})
	points := terrain(100_000)
	c := worldtest.AddChain(b, w, 0, quarry.ChainDef{Points: points})
	b.Run("box", func(b *testing.B) {
		var room [64]int
		i := 0
		for b.Loop() {
			i = (i + 7919) % len(points)
			c.AppendOverlaps(room[:0], geom.AABB{Min: points[i], Max: points[i]}.Expand(0.25))
		}
	})
	b.Run("ray", func(b *testing.B) {
		i := 0
		for b.Loop() {
			i = (i + 7919) % len(points)
			w.RayCast(points[i].Add(geom.V(0, 4)), geom.V(100, -10), quarry.QueryFilter{})
		}
	})
	b.Run("add", func(b *testing.B) {
		for b.Loop() {
			id, err := w.AddChain(0, quarry.ChainDef{Points: points})
			if err != nil {
				b.Fatal(err)
			}
			w.RemoveChain(id)
		}
	})
}
