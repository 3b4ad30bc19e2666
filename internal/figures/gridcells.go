package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// drawTwice shows a pair that cells by themselves would find twice.
func drawTwice(s *sheet) {
	a, b := geom.Box(geom.V(.4, .3), geom.V(1.5, .8)), geom.Box(geom.V(.7, .55), geom.V(1.8, 1.5))
	g := grid.NewHashed(1)
	s.must(g, a)
	s.must(g, b)
	common := 0
	for n, head := range []string{"Both cells have A and B", "Reported in one of them"} {
		p := s.panel(head, -.2, -.2, 2.5, 2.5)
		p.solid()
		common = 0
		first := true
		for _, l := range g.AppendLoads(nil) {
			if l.N < 2 {
				continue
			}
			common++
			switch {
			case n == 0:
				p.named(l.Cell, inkCell.Fade(.4))
			case first:
				p.named(l.Cell, inkGiven.Fade(.3))
			}
			first = false
		}
		p.box(a, inkBodyA)
		p.box(b, inkBodyB)
		p.label(a.Min, 5, -6, "A")
		p.label(b.Max, -14, 15, "B")
		if n == 0 {
			p.caption("cell by cell, the pair is found twice")
			continue
		}
		corner := a.Min.Max(b.Min) // of the area in common
		p.dot(corner, 4, inkGiven)
		s.holds(g.CellOf(corner) == grid.Cell{}, "the corner is in cell %v", g.CellOf(corner))
		p.caption("that of the lower left corner in common")
	}
	pairs := g.AppendPairs(nil)
	s.holds(common == 2 && len(pairs) == 1, "%d cells in common, pairs %v", common, pairs)
}

// drawUnder shows the cells that a box passes.
func drawUnder(s *sheet) {
	box, d := geom.Box(geom.V(.2, .3), geom.V(.8, .9)), geom.V(3.6, 2.4)
	target, beside := geom.Box(geom.V(2.7, 1.6), geom.V(3.3, 2.2)), geom.Box(geom.V(.2, 2.4), geom.V(.8, 2.9))
	p := s.panel("The cells under a cast object", -.2, -.2, 5.2, 5.2)
	p.solid()
	// A cell is under the path if a cast among objects that fill it finds it.
	cells := grid.NewHashed(1)
	var at []geom.Vec
	for y := range 5 {
		for x := range 5 {
			v := geom.V(float64(x), float64(y))
			at = append(at, v)
			s.must(cells, geom.AABB{Min: v.Add(geom.V(.001, .001)), Max: v.Add(geom.V(.999, .999))})
		}
	}
	under := cells.AppendBoxCast(nil, box, d, 1, grid.All)
	for _, h := range under {
		p.area(cells.Box(h.ID), inkCell.Fade(.3))
	}
	s.holds(len(under) > 8 && len(under) < 16, "%d cells of %d are under the path", len(under), len(at))
	g := grid.NewHashed(1)
	id := s.must(g, target)
	s.must(g, beside)
	hit, ok := g.BoxCast(box, d, 1, grid.All)
	s.holds(ok && hit.ID == id, "the cast hits %v, %v", hit, ok)
	p.box(target, inkBodyB)
	p.box(beside, inkBodyB)
	for _, c := range []geom.Vec{box.Min, box.Max, geom.V(box.Min.X, box.Max.Y), geom.V(box.Max.X, box.Min.Y)} {
		p.dashed(c, c.Add(d), inkFace)
	}
	p.box(box, inkBodyA)
	p.box(box.Translate(d.Mul(hit.T)), inkGiven)
	p.arrow(box.Center(), d, 30, 2, inkFace)
	p.caption("%d of 25 cells; hit at %s of the way", len(under), num(hit.T))
}

// drawCellSizes shows cells that are too large, about right and too small for their objects.
func drawCellSizes(s *sheet) {
	for _, c := range []struct {
		head string
		size float64
	}{{"Too large", 8}, {"About right", 1}, {"Too small", .125}} {
		g := grid.NewHashed(c.size)
		p := s.panel(fmt.Sprintf("%s: cells of %s", c.head, num(c.size)), -.2, -.2, 8.2, 8.2)
		p.solid()
		r := rand.New(rand.NewPCG(5, 6))
		var boxes []geom.AABB
		for range 40 {
			at := geom.V(7*r.Float64(), 7*r.Float64())
			b := geom.AABB{Min: at, Max: at.Add(geom.V(.4+.5*r.Float64(), .4+.5*r.Float64()))}
			s.must(g, b)
			boxes = append(boxes, b)
		}
		tests := 0
		for _, l := range g.AppendLoads(nil) {
			p.area(l.Box, inkCell.Fade(min(.9, .12*float64(l.N))))
			tests += l.N * (l.N - 1) / 2
		}
		for _, b := range boxes {
			p.box(b, inkBodyA.Fade(.5))
		}
		st := g.Stats()
		s.holds((c.size == 8) == (tests > 300) && (c.size < 1) == (st.Entries > 500),
			"cells of %v: %d comparisons, %d entries", c.size, tests, st.Entries)
		noun := "cells"
		if st.Cells == 1 {
			noun = "cell"
		}
		p.caption("%d %s, %d entries for 40 objects,", st.Cells, noun, st.Entries)
		p.caption("%d comparisons for %d pairs", tests, len(g.AppendPairs(nil)))
	}
}
