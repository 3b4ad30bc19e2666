package main

import (
	"bytes"
	"math"
	"math/rand/v2"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/render"
)

const (
	gridPage    = "docs/grid.md"
	gridFigures = "docs/grid/"
)

// crowdOf fills a grid with boxes of sizes within a factor of most.
func crowdOf(t *report, g *grid.Grid, n int, most float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		s := math.Pow(most, r.Float64())
		p := geom.V(r.Float64()*60, r.Float64()*32)
		if r.IntN(3) == 0 { // a heap
			p = geom.V(20+r.NormFloat64()*5, 16+r.NormFloat64()*4)
		}
		if _, err := g.Add(geom.AABB{Min: p, Max: p.Add(geom.V(s, s*(0.5+0.5*r.Float64())))}, 0); err != nil {
			t.Fatal(err)
		}
	}
}

// gridPictures draws each grid, a ray's walk and the loads of cells.
func gridPictures(t *report) {
	bounds := geom.Box(geom.V(-4, -4), geom.V(68, 40))
	ray := []geom.Segment{
		{A: geom.V(1, 3), B: geom.V(63, 30)},
		{A: geom.V(4, 34), B: geom.V(28, 10)}, // through corners of cells
	}
	for _, p := range []struct {
		name string
		g    *grid.Grid
		n    int
		most float64
		b    render.Broad
	}{
		{"fixed", grid.NewFixed(2, bounds), 160, 4, render.Broad{}},
		{"hashed", grid.NewHashed(2), 160, 4, render.Broad{}},
		{"chunked", grid.NewChunked(1), 160, 4, render.Broad{}},
		{"hierarchical", grid.NewHierarchical(1), 120, 16, render.Broad{}},
		{"walk", grid.NewChunked(2), 90, 4, render.Broad{Rays: ray}},
		{"loads", grid.NewHashed(4), 400, 4, render.Broad{Loads: true}},
	} {
		t.within = p.name
		crowdOf(t, p.g, p.n, p.most)
		var svg bytes.Buffer
		o := render.Options{Width: 680, Height: 380, Light: true}
		if err := render.WriteGridSVG(&svg, p.g, p.b, o); err != nil {
			t.Fatal(err)
		}
		t.show(gridPage, gridFigures+p.name+".svg", svg.Bytes())
	}
	t.within = ""
}
