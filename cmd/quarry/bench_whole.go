package main

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// wholeWorld recomputes the boundary of all polygons, as a game without local edits does, in
// O(n log n) for n edges and any edit. The article on grid segmentation starts from such a
// recompute (there, a polygon clipping library unites all polygons).
//
// It cancels common edges on grid lines only; other edges are returned unchanged.
type wholeWorld struct {
	events [2][]lineEvent // of horizontal edges, of vertical ones
	left   []lattice.Edge
}

// lineEvent is the start or the end of an edge on a grid line.
type lineEvent struct {
	line, at int64 // the line's coordinate, and the place along it
	way      int   // 0: the edge runs to larger coordinates, 1: to smaller ones
	delta    int
}

// compute returns the segments that remain, with the segments before and after each. The
// slice is valid until the next compute.
func (w *wholeWorld) compute(polygons [][]gridseg.Point) (segments []lattice.Edge, prev, next []int, err error) {
	w.events[0], w.events[1], w.left = w.events[0][:0], w.events[1][:0], w.left[:0]
	for _, p := range polygons {
		for i, a := range p {
			b := p[(i+1)%len(p)]
			switch {
			case a.Y == b.Y && a.Y%gridseg.Unit == 0:
				w.add(0, a.Y, a.X, b.X)
			case a.X == b.X && a.X%gridseg.Unit == 0:
				w.add(1, a.X, a.Y, b.Y)
			default:
				w.left = append(w.left, lattice.Edge{A: a, B: b})
			}
		}
	}
	for axis := range w.events {
		w.sweep(axis)
	}
	prev, next, err = lattice.RadialMatch(w.left)
	return w.left, prev, next, err
}

// add adds an edge along an axis, 0 for x.
func (w *wholeWorld) add(axis int, line, from, to int64) {
	way := 0
	if from > to {
		from, to, way = to, from, 1
	}
	w.events[axis] = append(w.events[axis], lineEvent{line, from, way, 1}, lineEvent{line, to, way, -1})
}

// sweep goes along all lines of an axis and keeps the parts with faces of one direction only.
func (w *wholeWorld) sweep(axis int) {
	events := w.events[axis]
	slices.SortFunc(events, func(p, q lineEvent) int {
		return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.at, q.at))
	})
	var active [2]int
	for i := 0; i+1 < len(events); i++ {
		e, n := events[i], events[i+1]
		active[e.way] += e.delta
		if e.line != n.line || e.at == n.at || (active[0] > 0) == (active[1] > 0) {
			continue
		}
		from, to := e.at, n.at
		if active[1] > 0 {
			from, to = to, from
		}
		a, b := gridseg.Point{X: from, Y: e.line}, gridseg.Point{X: to, Y: e.line}
		if axis == 1 {
			a, b = gridseg.Point{X: e.line, Y: from}, gridseg.Point{X: e.line, Y: to}
		}
		w.left = append(w.left, lattice.Edge{A: a, B: b})
	}
}
