package lattice

import "slices"

// Boolean operations combine a stroke with the polygons of a cell. Both are snap-rounded, so that their edges meet
// only in lattice points. Winding numbers then determine which polygons are on the two sides of every edge; an edge
// belongs to the outline of a result that is on only one side.

// There is a polygon that a stroke meets in its cell.
type There struct {
	Loops [][]Point
	Seams bool // two of the loops may run along each other, as in a registered shape
	Joins bool // a stroke that adds becomes one polygon with it
	Kept  bool // a stroke that removes leaves it
}

// Result is a polygon of a cell after a stroke.
type Result struct {
	From  int  // the index of the polygon that it was, or Stroke
	Same  bool // it is that polygon, unchanged, and Loops are its loops
	Loops [][]Point
}

// Stroke is the From of the area that a stroke adds, with the polygons that it joins.
const Stroke = -1

// Combine returns the polygons of a cell after a stroke is subtracted from there or, if unite is set, after its free
// part is added. changed is false if the cell stays as it is. A polygon whose outline does not change keeps its
// vertices; all others lose their collinear vertices. A result with too many vertices for a cell is simplified.
func Combine(there []There, stroke [][]Point, unite bool) (now []Result, changed bool, err error) {
	region, err := regionEdges(stroke)
	if err != nil || len(region) == 0 {
		return nil, false, err
	}
	n := len(there)
	if n == 0 {
		if !unite {
			return nil, false, nil
		}
		return []Result{{From: Stroke, Loops: joinLoops(region)}}, true, nil
	}
	polys := make([][][]Point, n)
	keeps := false
	// into[k] is the index of the result that polygon k becomes part of; into[n] is for the stroke.
	into := make([]int, n+1)
	into[n] = n
	for k, p := range there {
		polys[k], into[k] = p.Loops, k
		if unite && p.Joins {
			into[k] = n
		}
		keeps = keeps || p.Kept
	}
	welded := weld(region, polys)
	all := make([]multiEdge, 0, len(welded)+countVertices(polys))
	for _, s := range welded {
		s.set = n
		all = append(all, s)
	}
	for k, loops := range polys {
		all = appendLoopEdges(all, loops, k)
	}
	cut, err := snapRound(all)
	if err != nil {
		return nil, false, err
	}
	// of returns the index of the result that an area with these winding numbers belongs to; -1 if
	// empty.
	of := func(w []int) int {
		at := slices.IndexFunc(w[:n], func(w int) bool { return w != 0 })
		switch {
		case at >= 0 && there[at].Kept:
			return at
		case w[n] != 0 && unite == (at < 0): // free area to fill, or solid area to remove
			changed = true
			if unite {
				return n
			}
			return -1
		case at < 0:
			return -1
		}
		return into[at]
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
	if !changed && (keeps || !changesArea(region, polys, unite)) {
		return nil, false, nil
	}
	for k, edges := range outlines {
		if len(edges) == 0 {
			continue
		}
		loops := Canonical(TraceLoops(edges))
		switch {
		case k == n:
			now = append(now, Result{From: Stroke, Loops: loops})
		case there[k].hasOutline(loops):
			now = append(now, Result{From: k, Same: true, Loops: polys[k]})
		default:
			now = append(now, Result{From: k, Loops: loops})
		}
	}
	if !changed && manhattanLength(polys)-manhattanLength(loopsOf(now)) < minLengthLoss {
		return nil, false, nil // no thin part is removed: the change would only be a rounding of outlines
	}
	if now, err = simplify(now, len(region)); err != nil {
		return nil, false, err
	}
	return now, true, nil
}

// regionEdges returns the outline, as directed edges, of the area with a non-zero winding number of
// the loops of one cell.
func regionEdges(loops [][]Point) ([]multiEdge, error) {
	cut, err := snapRound(appendLoopEdges(nil, loops, 0))
	if err != nil {
		return nil, err
	}
	return outlineOf(cut), nil
}

// outlineOf returns the outline, as directed edges, of the area with a non-zero winding number of cut edges of one set.
func outlineOf(cut []multiEdge) (out []multiEdge) {
	eachFace(cut, 1, func(a, b Point, left, right []int) {
		switch l, r := left[0] != 0, right[0] != 0; {
		case l && !r:
			out = append(out, multiEdge{a, b, 0, 1})
		case r && !l:
			out = append(out, multiEdge{b, a, 0, 1})
		}
	})
	return out
}

// joinLoops joins directed edges to loops, in canonical form.
func joinLoops(region []multiEdge) [][]Point {
	edges := make([][2]Point, len(region))
	for i, s := range region {
		edges[i] = [2]Point{s.a, s.b}
	}
	return Canonical(TraceLoops(edges))
}

// hasOutline reports whether loops, in canonical form and without collinear vertices, are the
// outline of p.
func (p *There) hasOutline(loops [][]Point) bool {
	if CompareLoops(loops, dropCollinearAll(p.Loops)) == 0 {
		return true
	}
	if !p.Seams || len(p.Loops) == 1 {
		return false
	}
	region, err := regionEdges(p.Loops)
	return err == nil && CompareLoops(loops, joinLoops(region)) == 0
}

// unionEdges returns the outline of the union of all polygons, as directed edges.
func unionEdges(polys [][][]Point) []multiEdge {
	var all []multiEdge
	for _, loops := range polys {
		all = appendLoopEdges(all, loops, 0)
	}
	if len(polys) == 1 && len(polys[0]) == 1 {
		return all
	}
	return outlineOf(cutMultiEdges(all, verticesOf(all)))
}

// changesArea reports whether the operation changes any area: if it unites, whether part of the region
// is free; otherwise, whether part of it is solid. The test is exact, without rounding. Combine
// calls it when the rounded polygons show no change, because a thin part of the polygons may have
// collapsed by rounding and must be removed. (Otherwise cracks are not filled, and thin walls not
// removed, by strokes that cover them.)
func changesArea(region []multiEdge, polys [][][]Point, unite bool) bool {
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
func manhattanLength(polys [][][]Point) (n int64) {
	for _, loops := range polys {
		for _, loop := range loops {
			for i, a := range loop {
				d := Sub(loop[(i+1)%len(loop)], a)
				n += max(d.X, -d.X) + max(d.Y, -d.Y)
			}
		}
	}
	return n
}

// loopsOf returns the loops of each polygon.
func loopsOf(polys []Result) [][][]Point {
	loops := make([][][]Point, len(polys))
	for k := range polys {
		loops[k] = polys[k].Loops
	}
	return loops
}
