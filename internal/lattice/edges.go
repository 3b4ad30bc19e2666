package lattice

import (
	"cmp"
	"fmt"
	"slices"
)

// EdgePart is a part of a polygon edge between neighbouring vertices on that edge.
type EdgePart struct {
	A, B Point
	Edge int // number in the shape, counted through all polygons
	Poly int // index of the polygon in the shape or cell
}

// ResolveShape cuts every edge at every vertex on it, refuses overlapping polygons and drops the
// parts that two polygons share. On refusal it also returns the polygon and vertex.
func ResolveShape(polys [][]Point) (edges []EdgePart, poly, vertex int, err error) {
	var all []Point
	for _, ps := range polys {
		all = append(all, ps...)
	}
	slices.SortFunc(all, ComparePoints)
	number := 0
	for i, ps := range polys {
		for k, a := range ps {
			b := ps[(k+1)%len(ps)]
			cuts := CutEdge(a, b, all)
			for c := range len(cuts) - 1 {
				e := EdgePart{cuts[c], cuts[c+1], number, i}
				if j, bad := overlapped(polys, e); bad {
					return nil, i, k, fmt.Errorf("%w: its edge crosses or enters polygon %d", ErrOverlap, j)
				}
				edges = append(edges, e)
			}
			number++
		}
	}
	return DropShared(edges, func(a, b int) bool { return false }), -1, -1, nil
}

// CutEdge returns a, then the points inside the edge a-b in order, each once, then b. The points
// must be sorted.
func CutEdge(a, b Point, points []Point) []Point {
	return AppendEdge(nil, a, b, points)
}

// AppendEdge appends the result of CutEdge.
func AppendEdge(dst []Point, a, b Point, points []Point) []Point {
	from := len(dst)
	dst = append(dst, a)
	for _, p := range besideEdge(points, a, b) {
		if p != a && p != b && onEdge(p, a, b) {
			dst = append(dst, p)
		}
	}
	if within := dst[from+1:]; len(within) > 1 {
		d := Sub(b, a)
		slices.SortFunc(within, func(p, q Point) int { return Sign(Dot(d, Sub(p, q))) })
		dst = dst[:from+1+len(slices.Compact(within))]
	}
	return append(dst, b)
}

// besideEdge returns the sorted points with a y in the range of the edge a-b.
func besideEdge(points []Point, a, b Point) []Point { return nearRows(points, a, b, 0) }

// nearRows is besideEdge with the range of y extended by margin on both sides.
func nearRows(points []Point, a, b Point, margin int64) []Point {
	byY := func(p Point, y int64) int { return cmp.Compare(p.Y, y) }
	from, _ := slices.BinarySearchFunc(points, min(a.Y, b.Y)-margin, byY)
	to, _ := slices.BinarySearchFunc(points[from:], max(a.Y, b.Y)+margin+1, byY)
	return points[from : from+to]
}

// DropShared drops the edges that two polygons share in opposite directions, unless preserved
// reports true for the two polygons.
func DropShared(edges []EdgePart, preserved func(a, b int) bool) []EdgePart {
	at := make(map[[2]Point]int, len(edges)) // the polygon with this directed edge; there is at most one
	for _, e := range edges {
		at[[2]Point{e.A, e.B}] = e.Poly
	}
	out := edges[:0:0]
	for _, e := range edges {
		if o, shared := at[[2]Point{e.B, e.A}]; !shared || preserved(e.Poly, o) {
			out = append(out, e)
		}
	}
	return out
}

// overlapped returns a polygon other than e's own that contains the solid along the left of e, or
// whose edge crosses e. Two polygons overlap if and only if there is such a cut edge of one of
// them: without crossings, a common area is bounded by whole cut edges.
func overlapped(polys [][]Point, e EdgePart) (int, bool) {
	mid := Point{e.A.X + e.B.X, e.A.Y + e.B.Y}
	for j, ps := range polys {
		if j == e.Poly {
			continue
		}
		for k, c := range ps {
			d := ps[(k+1)%len(ps)]
			if edgesCross(e.A, e.B, c, d) {
				return j, true
			}
			c2, d2 := Point{2 * c.X, 2 * c.Y}, Point{2 * d.X, 2 * d.Y}
			if onEdge(mid, c2, d2) && Dot(Sub(e.B, e.A), Sub(d, c)) > 0 && Cross(Sub(e.B, e.A), Sub(d, c)) == 0 {
				return j, true
			}
		}
		if Locate(ps, mid, 2) == Inside {
			return j, true
		}
	}
	return 0, false
}
