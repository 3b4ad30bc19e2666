package grid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/quarry2d/quarry/geom"
)

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

// cellsOf returns how many cells the rays enter.
func cellsOf(g *Grid, o, d []geom.Vec) int {
	n := 0
	var walked []Cell
	for i := range o {
		walked = g.AppendRayCells(walked[:0], o[i], d[i], 1)
		n += len(walked)
	}
	return n
}

// BenchmarkRays casts 10,000 rays of length 100 through 10^6 boxes, dense (a third of the
// plane) and less dense, and through 10^4, which fit in caches: for all hits and for the
// first, with cells of several sizes. Beside each grid is the R-tree, queried with the boxes
// of the number of parts of the ray that is fastest; it tests its candidates as the grids
// do. The boxes are as Build left them; "moved" is after they all have moved, so that the lists of neighbouring
// cells are apart in memory.
func BenchmarkRays(b *testing.B) {
	for _, k := range []struct {
		n    int
		fill float64
	}{{1_000_000, 1.0 / 3}, {1_000_000, 0.1}, {1_000_000, 0.01}, {10_000, 1.0 / 3}, {10_000, 0.1}, {10_000, 0.01}} {
		if testing.Short() && k.n > 10_000 {
			continue
		}
		c := newCrowd(k.n, 4, k.fill)
		o, d := c.rays(10_000, 100)
		t := newTree(c)
		var hits []Hit
		for _, size := range []float64{4, 8, 16} {
			for _, g := range newGrids(size, c.bounds()) {
				name := fmt.Sprintf("%d/fill=%.2f/cell=%g/%v", k.n, k.fill, size, g.Kind())
				built := false
				build := func(b *testing.B) {
					if !built {
						if err := g.Build(c.boxes, nil); err != nil {
							b.Fatal(err)
						}
						built = true
					}
				}
				all := func(b *testing.B) {
					build(b)
					cells := cellsOf(g, o, d)
					all := []contender{{"grid", nil, func() {
						for i := range o {
							hits = g.AppendRay(hits[:0], o[i], d[i], 1, All)
						}
					}, cells}}
					for _, parts := range []int{1, 4, 16} {
						all = append(all, contender{fmt.Sprintf("rtree%d", parts), nil, func() {
							for i := range o {
								hits = t.ray(hits[:0], o[i], d[i], parts)
							}
						}, cells})
					}
					compare(b, "cell", all)
					b.ReportMetric(float64(cells)/float64(len(o)), "cells/ray")
				}
				b.Run("all/"+name, all)
				b.Run("first/"+name, func(b *testing.B) {
					build(b)
					all := []contender{{"grid", nil, func() {
						for i := range o {
							g.Ray(o[i], d[i], 1, All)
						}
					}, len(o)}}
					for _, parts := range []int{1, 4, 16} {
						all = append(all, contender{fmt.Sprintf("rtree%d", parts), nil, func() {
							for i := range o {
								t.first(o[i], d[i], parts)
							}
						}, len(o)})
					}
					compare(b, "ray", all)
				})
				b.Run("moved/"+name, func(b *testing.B) {
					build(b)
					for range 2 { // there and, but for roundings, back
						for i, x := range c.boxes {
							if err := g.Update(ID(i), x.Translate(c.way[i])); err != nil {
								b.Fatal(err)
							}
						}
						c.update(g)
					}
					all(b)
				})
			}
		}
	}
}

// BenchmarkWalk casts rays over cells of which a share has one box, so small that rays hardly
// ever meet it: the time of a cell crossed, with cells that a cache holds and more.
func BenchmarkWalk(b *testing.B) {
	for _, side := range []int{128, 1024} {
		for _, share := range []float64{0, 0.01, 0.1, 1} {
			r := rand.New(rand.NewPCG(5, 6))
			c := &crowd{side: float64(side)}
			for y := range side {
				for x := range side {
					if p := geom.V(float64(x), float64(y)).Add(geom.V(r.Float64(), r.Float64())); r.Float64() < share {
						c.boxes = append(c.boxes, geom.AABB{Min: p, Max: p})
					}
				}
			}
			// So that all is within bounds.
			corner := geom.V(c.side, c.side)
			c.boxes = append(c.boxes, geom.AABB{}, geom.AABB{Min: corner, Max: corner})
			o, d := c.rays(10_000, 25)
			b.Run(fmt.Sprintf("%d/%g", side, share), func(b *testing.B) {
				var all []contender
				var hits []Hit
				for _, g := range newGrids(1, c.bounds()) {
					if err := g.Build(c.boxes, nil); err != nil {
						b.Fatal(err)
					}
					all = append(all, contender{g.Kind().String(), nil, func() {
						for i := range o {
							hits = g.AppendRay(hits[:0], o[i], d[i], 1, All)
						}
					}, cellsOf(g, o, d)})
				}
				compare(b, "cell", all)
			})
		}
	}
}
