package gridseg

import "slices"

// A boolean joins a region with what a cell holds. Edges of both are rounded so that
// they meet in lattice points; then every edge is known by what lies on its two sides,
// and the outline of each result is what has it on one side alone.

// regionEdges returns the outline of the loops' area, that they wind round other than zero
// times, as directed edges of one cell.
func regionEdges(loops [][]Point) ([]multiEdge, error) {
	cut, err := snapRound(appendLoopEdges(nil, loops, 0))
	if err != nil {
		return nil, err
	}
	var out []multiEdge
	eachFace(cut, 1, func(a, b Point, left, right []int) {
		switch l, r := left[0] != 0, right[0] != 0; {
		case l && !r:
			out = append(out, multiEdge{a, b, 0, 1})
		case r && !l:
			out = append(out, multiEdge{b, a, 0, 1})
		}
	})
	return out, nil
}

// joinLoops joins the outline of an area to loops, in canonical form.
func joinLoops(region []multiEdge) [][]Point {
	edges := make([][2]Point, len(region))
	for i, s := range region {
		edges[i] = [2]Point{s.a, s.b}
	}
	return canonical(traceLoops(edges))
}

// hasOutline reports whether loops, in canonical form and without vertices that they pass
// straight, are the outline of p. Those of a tile may have seams between them.
func (p *polygon) hasOutline(loops [][]Point) bool {
	if compareLoops(loops, dropCollinearAll(p.loops)) == 0 {
		return true
	}
	if p.tile.Shape == 0 || len(p.loops) == 1 {
		return false
	}
	region, err := regionEdges(p.loops)
	return err == nil && compareLoops(loops, joinLoops(region)) == 0
}

// unionEdges returns the outline of all polygons together, as directed edges.
func unionEdges(polys []polygon) []multiEdge {
	var all []multiEdge
	for _, p := range polys {
		all = appendLoopEdges(all, p.loops, 0)
	}
	if len(polys) == 1 && len(polys[0].loops) == 1 {
		return all
	}
	var out []multiEdge
	eachFace(cutMultiEdges(all, verticesOf(all)), 1, func(a, b Point, left, right []int) {
		switch l, r := left[0] != 0, right[0] != 0; {
		case l && !r:
			out = append(out, multiEdge{a, b, 0, 1})
		case r && !l:
			out = append(out, multiEdge{b, a, 0, 1})
		}
	})
	return out
}

// changesArea reports whether some of the region is free, or, if it is not to be united, solid.
// The answer is exact: nothing is rounded for it. It is asked where rounding leaves nothing to
// change: a thin part of the polygons may vanish by rounding, and must go. (Cracks were not filled,
// nor thin walls taken away, by strokes that covered them.)
func changesArea(region []multiEdge, polys []polygon, unite bool) bool {
	all := slices.Clone(region)
	for _, s := range unionEdges(polys) {
		s.set = 1
		for k := range region {
			// Where outlines cross there is some of each on either side.
			if edgesCross(s.a, s.b, region[k].a, region[k].b) {
				return true
			}
		}
		all = append(all, s)
	}
	found := false
	eachFace(cutMultiEdges(all, verticesOf(all)), 2, func(_, _ Point, left, right []int) {
		for _, w := range [2][]int{left, right} {
			found = found || w[0] != 0 && unite == (w[1] == 0)
		}
	})
	return found
}

// minLengthLoss (lattice steps) is more than the rounding of one vertex takes from the girth.
const minLengthLoss = 12

// manhattanLength is the length of all outlines, in x and in y, in lattice steps. A thin part that goes
// makes it less by twice the length of the part, a vertex that rounding moves to the next
// lattice point by 8 at most: by 2 for each of two edges, of each of two polygons.
//
// So a stroke that only takes a thin part must make the girth less by minLengthLoss. Else a stroke
// that is repeated would move a vertex one step each time, along an edge as long as the cell.
func manhattanLength(polys []polygon) (n int64) {
	for _, p := range polys {
		for _, loop := range p.loops {
			for i, a := range loop {
				d := sub(loop[(i+1)%len(loop)], a)
				n += max(d.X, -d.X) + max(d.Y, -d.Y)
			}
		}
	}
	return n
}

// combine returns what a cell that holds polys has after the region is taken away from
// it, or, with an attr, the part of it that is free is made solid: one polygon with all
// that is there of these attributes. changed is false if nothing is to be done. A
// polygon that keeps its outline stays as it is; no other keeps vertices that its
// outline passes straight. What has too many vertices for a cell is thinned.
func combine(polys []polygon, loops [][]Point, unite bool, a Attr) (now []polygon, changed bool, err error) {
	region, err := regionEdges(loops)
	if err != nil || len(region) == 0 {
		return nil, false, err
	}
	n := len(polys)
	if n == 0 {
		if !unite {
			return nil, false, nil
		}
		return []polygon{{a.tile(), joinLoops(region)}}, true, nil
	}
	welded := weld(region, polys)
	all := make([]multiEdge, 0, len(welded)+countVertices(polys))
	for _, s := range welded {
		s.set = n
		all = append(all, s)
	}
	// into tells the result that a polygon goes into; the last is the region's.
	into := make([]int, n+1)
	into[n] = n
	for k, p := range polys {
		all = appendLoopEdges(all, p.loops, k)
		into[k] = k
		if unite && p.tile.attr() == a.tile().attr() {
			into[k] = n
		}
	}
	cut, err := snapRound(all)
	if err != nil {
		return nil, false, err
	}
	// of tells which result the place with these winding numbers goes to, -1 for none.
	of := func(w []int) int {
		there := slices.IndexFunc(w[:n], func(w int) bool { return w != 0 })
		switch {
		case w[n] != 0 && unite == (there < 0): // to be made solid, or to be taken away
			changed = true
			if unite {
				return n
			}
			return -1
		case there < 0:
			return -1
		}
		return into[there]
	}
	outlines := make([][][2]Point, n+1)
	eachFace(cut, n+1, func(a, b Point, left, right []int) {
		l, r := of(left), of(right)
		if l == r {
			return
		}
		if l >= 0 {
			outlines[l] = append(outlines[l], [2]Point{a, b})
		}
		if r >= 0 {
			outlines[r] = append(outlines[r], [2]Point{b, a})
		}
	})
	if !changed && !changesArea(region, polys, unite) {
		return nil, false, nil
	}
	for k, edges := range outlines {
		if len(edges) == 0 {
			continue
		}
		loops := canonical(traceLoops(edges))
		if k == n {
			now = append(now, polygon{a.tile(), loops})
		} else if p := polys[k]; p.hasOutline(loops) {
			now = append(now, p)
		} else {
			t := p.tile
			t.Shape, t.Turn = 0, 0
			now = append(now, polygon{t, loops})
		}
	}
	if !changed && manhattanLength(polys)-manhattanLength(now) < minLengthLoss {
		return nil, false, nil // no thin part goes: rounding would move outlines for nothing
	}
	if now, err = simplify(now, len(region)); err != nil {
		return nil, false, err
	}
	return now, true, nil
}
