package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// polygonUnion computes the outline of the union of all polygons of a world, as a game without local edits does after
// each edit: the baseline of the article on grid segmentation, which has a polygon clipping library for it. It knows
// nothing of cells: polygons may lie anywhere, overlap, hold each other and have any slopes, but their edges may not
// cross within both.
//
// A line sweeps over the vertices from left to right (Bentley and Ottmann, 1979), and keeps the edges that it meets
// from bottom to top, with the number of polygons below and above each. At a vertex, edges through it are cut, edges
// that lie on each other become one, and an edge with solid on one side only is a segment of the outline. That takes
// O(n log n) for n edges, but for the insertion into the list of edges, which has about as many as a column of the
// world.
type polygonUnion struct {
	vertices []gridseg.Point
	starts   []unionEdge // by from, in the order of vertices
	begun    int         // of starts
	status   []unionEdge // along the line, from bottom to top
	at       []unionEdge // that begin at the current vertex
	rest     []unionEdge // of edges that lay on shorter ones, to begin again at their ends
	outline  []lattice.Edge
}

// unionEdge is an edge or its unfinished part, from the left or lower end to the right or upper end.
type unionEdge struct {
	from, to gridseg.Point
	up       int // by which the number of polygons grows from below the edge to above it, or from its right to its left
	below    int // number of polygons below it
}

// compute returns the segments of the outline, cut at each vertex on them, with the segments before and after each.
// The slice is valid until the next compute.
func (u *polygonUnion) compute(polygons [][]gridseg.Point) (segments []lattice.Edge, prev, next []int, err error) {
	u.vertices, u.starts, u.status, u.outline = u.vertices[:0], u.starts[:0], u.status[:0], u.outline[:0]
	u.rest, u.begun = u.rest[:0], 0
	for _, p := range polygons {
		u.vertices = append(u.vertices, p...)
		for i, a := range p {
			if b := p[(i+1)%len(p)]; leftFirst(a, b) < 0 {
				u.starts = append(u.starts, unionEdge{from: a, to: b, up: 1})
			} else {
				u.starts = append(u.starts, unionEdge{from: b, to: a, up: -1})
			}
		}
	}
	slices.SortFunc(u.vertices, leftFirst)
	u.vertices = slices.Compact(u.vertices)
	slices.SortFunc(u.starts, func(a, b unionEdge) int { return leftFirst(a.from, b.from) })
	for _, p := range u.vertices {
		if err := u.visit(p); err != nil {
			return nil, nil, nil, err
		}
	}
	prev, next, err = lattice.RadialMatch(u.outline)
	return u.outline, prev, next, err
}

// leftFirst orders points as the line meets them.
func leftFirst(p, q gridseg.Point) int { return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) }

// side returns on which side of the edge p is: 1 above or to the left of it, -1 below, 0 on it.
func (e *unionEdge) side(p gridseg.Point) int {
	return lattice.Sign(lattice.Cross(lattice.Sub(e.to, e.from), lattice.Sub(p, e.from)))
}

// visit moves the line to the vertex p.
func (u *polygonUnion) visit(p gridseg.Point) error {
	first, _ := slices.BinarySearchFunc(u.status, p, func(e unionEdge, p gridseg.Point) int {
		if e.side(p) > 0 {
			return -1
		}
		return 1
	})
	last := first
	for u.at = u.at[:0]; last < len(u.status) && u.status[last].side(p) == 0; last++ {
		e := u.status[last]
		u.keep(e, p)
		if e.to != p {
			u.at = append(u.at, unionEdge{from: p, to: e.to, up: e.up})
		}
	}
	for ; u.begun < len(u.starts) && u.starts[u.begun].from == p; u.begun++ {
		u.at = append(u.at, u.starts[u.begun])
	}
	u.rest = slices.DeleteFunc(u.rest, func(e unionEdge) bool {
		if e.from == p {
			u.at = append(u.at, e)
		}
		return e.from == p
	})
	// From bottom to top; of edges that lie on each other, the shortest first.
	slices.SortFunc(u.at, func(a, b unionEdge) int {
		return cmp.Or(-lattice.Sign(lattice.Cross(lattice.Sub(a.to, p), lattice.Sub(b.to, p))), leftFirst(a.to, b.to))
	})
	n, below := 0, 0
	if first > 0 {
		below = u.status[first-1].below + u.status[first-1].up
	}
	for _, e := range u.at {
		if n > 0 && u.at[n-1].side(e.to) == 0 {
			if one := &u.at[n-1]; e.to != one.to {
				u.rest = append(u.rest, unionEdge{from: one.to, to: e.to, up: e.up})
			}
			u.at[n-1].up += e.up
			below += e.up
			continue
		}
		e.below = below
		u.at[n], below = e, below+e.up
		n++
	}
	u.status = slices.Replace(u.status, first, last, u.at[:n]...)
	for _, k := range [2]int{first, first + n} { // the new neighbours
		if k > 0 && k < len(u.status) && cross(&u.status[k-1], &u.status[k]) {
			return fmt.Errorf("edges cross: %v and %v", u.status[k-1], u.status[k])
		}
	}
	return nil
}

// cross reports whether two edges have a point in common that is an end of neither.
func cross(a, b *unionEdge) bool {
	return a.side(b.from)*a.side(b.to) < 0 && b.side(a.from)*b.side(a.to) < 0
}

// keep adds the edge, up to p, to the outline if solid is on one side of it only: on the left.
func (u *polygonUnion) keep(e unionEdge, p gridseg.Point) {
	switch above := e.below + e.up; {
	case e.below > 0 && above == 0:
		u.outline = append(u.outline, lattice.Edge{A: p, B: e.from})
	case e.below == 0 && above > 0:
		u.outline = append(u.outline, lattice.Edge{A: e.from, B: p})
	}
}
