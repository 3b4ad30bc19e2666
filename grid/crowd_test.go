package grid

import (
	"math"
	"math/rand/v2"

	"github.com/quarry2d/quarry/geom"
)

// crowd is n boxes of extents from 1 to most, evenly spread over the orders of
// magnitude, in a square that they fill to a given share, and each one's way.
type crowd struct {
	boxes []geom.AABB
	way   []geom.Vec
	side  float64
	step  int
}

func newCrowd(n int, most, fill float64) *crowd {
	return newCrowdOf(n, fill, func(r float64) float64 { return math.Pow(most, r) })
}

// newMixedCrowd is a crowd in which each order of magnitude has the same area.
func newMixedCrowd(n int, most, fill float64) *crowd {
	return newCrowdOf(n, fill, func(r float64) float64 { return 1 / math.Sqrt(1-r*(1-1/(most*most))) })
}

// newCrowdOf is a crowd of extents that size gives for numbers from 0 to 1.
func newCrowdOf(n int, fill float64, size func(r float64) float64) *crowd {
	r := rand.New(rand.NewPCG(1, 2))
	c := &crowd{boxes: make([]geom.AABB, n), way: make([]geom.Vec, n)}
	area := 0.0
	for i := range c.boxes {
		s := size(r.Float64())
		c.boxes[i].Max = geom.V(s, s*(0.5+0.5*r.Float64()))
		if r.IntN(2) == 0 {
			c.boxes[i].Max = geom.V(c.boxes[i].Max.Y, s)
		}
		area += c.boxes[i].Max.X * c.boxes[i].Max.Y
		c.way[i] = geom.V(r.Float64()-0.5, r.Float64()-0.5).Mul(0.2 * s)
	}
	c.side = math.Sqrt(area / fill)
	for i := range c.boxes {
		c.boxes[i] = c.boxes[i].Translate(geom.V(r.Float64(), r.Float64()).Mul(c.side))
	}
	return c
}

// move moves every box by a tenth of its size at most, and back after 16 moves, so that
// the crowd keeps its shape.
func (c *crowd) move() {
	f := 1.0
	if c.step>>4&1 == 1 {
		f = -1
	}
	c.step++
	for i := range c.boxes {
		c.boxes[i] = c.boxes[i].Translate(c.way[i].Mul(f))
	}
}

// bounds holds the crowd wherever it moves.
func (c *crowd) bounds() geom.AABB {
	b := geom.Empty
	for _, x := range c.boxes {
		b = b.Union(x)
	}
	return b.Expand(0.05 * c.side)
}

// newGrids returns the four grids with cells of a size.
func newGrids(cell float64, bounds geom.AABB) []*Grid {
	return []*Grid{NewFixed(cell, bounds), NewHashed(cell), NewChunked(cell), NewHierarchical(cell)}
}

func (c *crowd) addTo(g *Grid) {
	for _, b := range c.boxes {
		if _, err := g.Add(b, 0); err != nil {
			panic(err)
		}
	}
}

func (c *crowd) update(g *Grid) {
	for i, b := range c.boxes {
		if err := g.Update(ID(i), b); err != nil {
			panic(err)
		}
	}
}
