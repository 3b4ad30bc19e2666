package gridseg

import "slices"

// Boolean operations combine a region with the polygons of a cell. Both are snap-rounded, so that their edges meet
// only in lattice points. Winding numbers then determine which polygons are on the two sides of every edge; an edge
// belongs to the outline of a result that is on only one side.

// regionEdges returns the outline, as directed edges, of the area with a non-zero winding number of
// the loops of one cell.
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

// joinLoops joins directed edges to loops, in canonical form.
func joinLoops(region []multiEdge) [][]Point {
	edges := make([][2]Point, len(region))
	for i, s := range region {
		edges[i] = [2]Point{s.a, s.b}
	}
	return canonical(traceLoops(edges))
}

// hasOutline reports whether loops, in canonical form and without collinear vertices, are the
// outline of p. The polygons of a registered tile may share seams.
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

// unionEdges returns the outline of the union of all polygons, as directed edges.
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

// changesArea reports whether the operation changes any area: for Unite, whether part of the region
// is free; for Subtract, whether part of it is solid. The test is exact, without rounding. combine
// calls it when the rounded polygons show no change, because a thin part of the polygons may have
// collapsed by rounding and must be removed. (Otherwise cracks are not filled, and thin walls not
// removed, by strokes that cover them.)
func changesArea(region []multiEdge, polys []polygon, unite bool) bool {
	all := slices.Clone(region)
	for _, s := range unionEdges(polys) {
		s.set = 1
		for k := range region {
			// Where outlines cross, both sides have some area of each.
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

// minLengthLoss is more than rounding one vertex can take from manhattanLength, in lattice steps.
const minLengthLoss = 12

// manhattanLength returns the length of all outlines, in lattice steps, each edge counted as |dx| +
// |dy|. Removing a thin part shortens it by twice the length of the part; moving a vertex to the
// next lattice point shortens it by at most 8: by 2 for each of two edges of each of two polygons.
//
// A stroke whose only effect is to remove a thin part must therefore shorten it by minLengthLoss.
// Otherwise repeating the stroke would move a vertex by one step each time, along an edge as long
// as the cell.
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

// combine returns the polygons of a cell after a region is subtracted from polys or, if unite is set, after its
// free part is added with the attributes a. The added area and all polygons of the same attributes become one
// polygon. changed is false if the cell stays as it is. A polygon whose outline does not change keeps its vertices;
// all others lose their collinear vertices. A result with too many vertices for a cell is simplified. If a region
// is subtracted, the polygons with kept set stay; kept may be nil.
func combine(polys []polygon, loops [][]Point, unite bool, a Attr, kept []bool) (now []polygon, changed bool, err error) {
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
	// into[k] is the index of the result that polygon k becomes part of; into[n] is that of the
	// region.
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
	// of returns the index of the result that an area with these winding numbers belongs to; -1 if
	// empty.
	of := func(w []int) int {
		there := slices.IndexFunc(w[:n], func(w int) bool { return w != 0 })
		switch {
		case there >= 0 && kept != nil && kept[there]:
			return there
		case w[n] != 0 && unite == (there < 0): // free area to fill, or solid area to remove
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
	if !changed && (kept != nil || !changesArea(region, polys, unite)) {
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
		return nil, false, nil // no thin part is removed: the change would only be a rounding of outlines
	}
	if now, err = simplify(now, len(region)); err != nil {
		return nil, false, err
	}
	return now, true, nil
}
