package main

import (
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/published"
)

// gridsegContender sets and clears tiles.
type gridsegContender struct {
	shapes *gridseg.Shapes
	tiles  []gridseg.Tile
	side   int32
	fill   bool // by one Fill
	grid   *gridseg.Grid
}

func (c *gridsegContender) set(i int, t gridseg.Tile) error {
	return c.grid.Set(int32(i)%c.side, int32(i)/c.side, t)
}

func (c *gridsegContender) build() error {
	c.grid = gridseg.New(c.shapes)
	return c.setAll(func(i int) gridseg.Tile { return c.tiles[i] })
}

func (c *gridsegContender) setAll(tile func(i int) gridseg.Tile) error {
	if c.fill {
		if err := c.grid.Fill(gridseg.Rect{MaxX: c.side - 1, MaxY: c.side - 1}, tile(0)); err != nil {
			return err
		}
		c.grid.Resolve()
		return nil
	}
	for i := range c.tiles {
		if err := c.set(i, tile(i)); err != nil {
			return err
		}
	}
	c.grid.Resolve()
	return nil
}

func (c *gridsegContender) edit(i int, remove bool) error {
	t := c.tiles[i]
	if remove {
		t = gridseg.Tile{}
	}
	err := c.set(i, t)
	c.grid.Resolve()
	return err
}

func (c *gridsegContender) removeAll() error {
	return c.setAll(func(int) gridseg.Tile { return gridseg.Tile{} })
}

func (c *gridsegContender) segments() int { _, n := c.grid.Count(); return n }

// publishedContender adds and removes polygons by the article's algorithm.
type publishedContender struct {
	side    int32
	lattice [][]gridseg.Point
	polys   [][]published.Vec
	world   *published.World
}

// buildPolys makes the polygons' vertices, which the article times separately.
func (c *publishedContender) buildPolys() {
	c.polys = make([][]published.Vec, len(c.lattice))
	for i, p := range c.lattice {
		vs := make([]published.Vec, len(p))
		for k, v := range p {
			vs[k] = published.Vec{float64(v.X) / gridseg.Unit, float64(v.Y) / gridseg.Unit}
		}
		c.polys[i] = vs
	}
}

func (c *publishedContender) cell(i int) published.Cell {
	return published.Cell{X: int32(i) % c.side, Y: int32(i) / c.side}
}

func (c *publishedContender) build() error {
	c.world = published.New()
	for i, p := range c.polys {
		c.world.Add(c.cell(i), p, 0)
	}
	c.world.Compute()
	return nil
}

func (c *publishedContender) edit(i int, remove bool) error {
	if remove {
		c.world.Remove(c.cell(i), c.polys[i], 0)
	} else {
		c.world.Add(c.cell(i), c.polys[i], 0)
	}
	c.world.Compute()
	return nil
}

func (c *publishedContender) removeAll() error {
	for i, p := range c.polys {
		c.world.Remove(c.cell(i), p, 0)
	}
	c.world.Compute()
	return nil
}

func (c *publishedContender) segments() int { return len(c.world.Segments()) }

// unionContender unites all polygons of the world after each edit.
type unionContender struct {
	lattice [][]gridseg.Point
	now     [][]gridseg.Point // nil where removed
	world   polygonUnion
	left    int
}

func (c *unionContender) compute() error {
	segments, _, _, err := c.world.compute(c.now)
	c.left = len(segments)
	return err
}

func (c *unionContender) build() error {
	c.now = append(c.now[:0], c.lattice...)
	return c.compute()
}

func (c *unionContender) edit(i int, remove bool) error {
	c.now[i] = c.lattice[i]
	if remove {
		c.now[i] = nil
	}
	return c.compute()
}

func (c *unionContender) removeAll() error {
	clear(c.now)
	return c.compute()
}

func (c *unionContender) segments() int { return c.left }
