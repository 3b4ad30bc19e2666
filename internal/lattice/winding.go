package lattice

import (
	"cmp"
	"slices"
)

// Winding numbers of the two sides of every edge: for each of several sets of closed loops, how
// often the set winds around the points there. They require that edges meet only in their ends, and
// are exact then for any loops: simple or not, overlapping, with holes.

// multiEdge is a directed edge of one of the sets, with a multiplicity.
type multiEdge struct {
	a, b  Point
	set   int
	count int // multiplicity; negative for edges from b to a
}

// appendLoopEdges appends the edges of loops, as edges of a set.
func appendLoopEdges(dst []multiEdge, loops [][]Point, set int) []multiEdge {
	for _, loop := range loops {
		for i, a := range loop {
			if b := loop[(i+1)%len(loop)]; a != b {
				dst = append(dst, multiEdge{a, b, set, 1})
			}
		}
	}
	return dst
}

// verticesOf returns the ends of edges, sorted and without duplicates.
func verticesOf(edges []multiEdge) []Point {
	ps := make([]Point, 0, 2*len(edges))
	for _, s := range edges {
		ps = append(ps, s.a, s.b)
	}
	slices.SortFunc(ps, ComparePoints)
	return slices.Compact(ps)
}

// cutMultiEdges cuts edges at every vertex on them and merges edges of one set between the same two
// points. The result runs from the lesser to the greater end, is sorted by ends, and has no edges
// with count 0.
func cutMultiEdges(edges []multiEdge, vertices []Point) []multiEdge {
	out := make([]multiEdge, 0, len(edges)+8)
	var cuts []Point
	for _, s := range edges {
		cuts = AppendEdge(cuts[:0], s.a, s.b, vertices)
		for k := range len(cuts) - 1 {
			p := multiEdge{cuts[k], cuts[k+1], s.set, s.count}
			if ComparePoints(p.b, p.a) < 0 {
				p = multiEdge{p.b, p.a, p.set, -p.count}
			}
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(p, q multiEdge) int {
		return cmp.Or(ComparePoints(p.a, q.a), ComparePoints(p.b, q.b), cmp.Compare(p.set, q.set))
	})
	n := 0
	for i := 0; i < len(out); {
		p := out[i]
		for i++; i < len(out) && out[i].a == p.a && out[i].b == p.b && out[i].set == p.set; i++ {
			p.count += out[i].count
		}
		if p.count != 0 {
			out[n] = p
			n++
		}
	}
	return out[:n]
}

// eachFace calls do for every cut edge, with the winding numbers of the sets on its left and right.
// The slices are only valid during the call.
func eachFace(cut []multiEdge, sets int, do func(a, b Point, left, right []int)) {
	left, right := make([]int, sets), make([]int, sets)
	for i := 0; i < len(cut); {
		a, b := cut[i].a, cut[i].b
		end := i + 1
		for end < len(cut) && cut[end].a == a && cut[end].b == b {
			end++
		}
		clear(left)
		clear(right)
		// A ray from the middle of the edge counts the crossed edges: to +x, if the edge runs
		// upwards, which gives the winding numbers on its right; to +y, if it runs along x, which
		// gives those on its left. In doubled coordinates the middle is a lattice point. No other
		// edge passes through it.
		mid := Point{a.X + b.X, a.Y + b.Y}
		flat := a.Y == b.Y
		side := right
		if flat {
			side = left
		}
		for k := range cut {
			p := &cut[k]
			lo, hi, at := 2*p.a.Y, 2*p.b.Y, mid.Y
			if flat {
				lo, hi, at = 2*min(p.a.X, p.b.X), 2*max(p.a.X, p.b.X), mid.X
			} else if at < lo {
				break // all others begin higher
			}
			if at < lo || hi <= at || i <= k && k < end {
				continue
			}
			d := Sub(p.b, p.a)
			turn := Cross(d, Vec{mid.X - 2*p.a.X, mid.Y - 2*p.a.Y})
			switch {
			case !flat && turn > 0: // mid is on the left of p, which runs upwards
				side[p.set] += p.count
			case flat && d.X > 0 && turn < 0: // below p, which runs to +x
				side[p.set] -= p.count
			case flat && d.X < 0 && turn > 0:
				side[p.set] += p.count
			}
		}
		if flat {
			copy(right, left)
		} else {
			copy(left, right)
		}
		for _, p := range cut[i:end] {
			if flat {
				right[p.set] -= p.count
			} else {
				left[p.set] += p.count
			}
		}
		do(a, b, left, right)
		i = end
	}
}
