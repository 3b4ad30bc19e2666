package gridseg

import (
	"cmp"
	"fmt"
	"slices"
)

// The sides of a cell, in counter-clockwise order, with the direction of a counter-clockwise
// outline along them.
const (
	bottom = iota // +x at y = 0
	right         // +y at x = Unit
	top           // -x at y = Unit
	left          // -y at x = 0
	sides
)

// form is a shape in one turn, or a patch, split into the parts that Resolve needs.
type form struct {
	side  [sides]profile
	faced []uint8 // the sides with a face, in an order that leaves little to sort
	inner []innerEdge
	polys [][]Point
	full  bool // four whole sides and nothing else: a block

	pieces *pieces // of a patch: nil until Parts asks for them
}

// profile describes the border of a form on one side of its cell. Positions increase along +x or
// +y, whichever way the edges run, so that the profiles of two neighbours can be compared.
type profile struct {
	at       []uint16 // positions of all polygon vertices on the side, increasing
	edge     []tag    // of the face between at[i] and at[i+1], or noFace
	whole    bool     // one face along the whole side, without vertices between its ends
	faceless bool     // no face
	plain    bool     // no vertex between the ends of the side: whole or faceless
	one      seg      // the face of a whole side
}

// innerEdge is a part of a polygon edge that lies on no side of the cell. Neighbours cannot cover
// it.
type innerEdge struct {
	a, b spot
	edge tag
}

// tag identifies an edge: its number in the shape or polygon, and above that the number of the
// polygon in a patch.
type tag int32

// noFace is the tag of a part of a side without a face.
const noFace tag = -1

func tagOf(owner, edge int) tag { return tag(owner<<16 | edge) }

func (t tag) owner() uint8 { return uint8(t >> 16) }
func (t tag) edge() uint16 { return uint16(t) }

// shapeEdge is a part of a polygon edge between neighbouring vertices on that edge.
type shapeEdge struct {
	a, b Point
	edge int // number in the shape, counted through all polygons
	poly int // index of the polygon in the shape or patch
}

// resolveShape cuts every edge at every vertex on it, refuses overlapping polygons and drops the
// parts that two polygons share. On refusal it also returns the polygon and vertex.
func resolveShape(polys [][]Point) (edges []shapeEdge, poly, vertex int, err error) {
	var all []Point
	for _, ps := range polys {
		all = append(all, ps...)
	}
	slices.SortFunc(all, comparePoints)
	number := 0
	for i, ps := range polys {
		for k, a := range ps {
			b := ps[(k+1)%len(ps)]
			cuts := cutEdge(a, b, all)
			for c := range len(cuts) - 1 {
				e := shapeEdge{cuts[c], cuts[c+1], number, i}
				if j, bad := overlapped(polys, e); bad {
					return nil, i, k, fmt.Errorf("%w: its edge crosses or enters polygon %d", ErrOverlap, j)
				}
				edges = append(edges, e)
			}
			number++
		}
	}
	return dropShared(edges, func(a, b int) bool { return false }), -1, -1, nil
}

// cutEdge returns a, then the points inside the edge a-b in order, each once, then b. The points
// must be sorted.
func cutEdge(a, b Point, points []Point) []Point {
	return appendEdge(nil, a, b, points)
}

// appendEdge appends the result of cutEdge.
func appendEdge(dst []Point, a, b Point, points []Point) []Point {
	from := len(dst)
	dst = append(dst, a)
	for _, p := range besideEdge(points, a, b) {
		if p != a && p != b && onEdge(p, a, b) {
			dst = append(dst, p)
		}
	}
	if within := dst[from+1:]; len(within) > 1 {
		d := sub(b, a)
		slices.SortFunc(within, func(p, q Point) int { return sign(dot(d, sub(p, q))) })
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

// dropShared drops the edges that two polygons share in opposite directions, unless preserved
// reports true for the two polygons.
func dropShared(edges []shapeEdge, preserved func(a, b int) bool) []shapeEdge {
	at := make(map[[2]Point]int, len(edges)) // the polygon with this directed edge; there is at most one
	for _, e := range edges {
		at[[2]Point{e.a, e.b}] = e.poly
	}
	out := edges[:0:0]
	for _, e := range edges {
		if o, shared := at[[2]Point{e.b, e.a}]; !shared || preserved(e.poly, o) {
			out = append(out, e)
		}
	}
	return out
}

// overlapped returns a polygon other than e's own that contains the solid along the left of e, or
// whose edge crosses e. Two polygons overlap if and only if there is such a cut edge of one of
// them: without crossings, a common area is bounded by whole cut edges.
func overlapped(polys [][]Point, e shapeEdge) (int, bool) {
	mid := Point{e.a.X + e.b.X, e.a.Y + e.b.Y}
	for j, ps := range polys {
		if j == e.poly {
			continue
		}
		for k, c := range ps {
			d := ps[(k+1)%len(ps)]
			if edgesCross(e.a, e.b, c, d) {
				return j, true
			}
			c2, d2 := Point{2 * c.X, 2 * c.Y}, Point{2 * d.X, 2 * d.Y}
			if onEdge(mid, c2, d2) && dot(sub(e.b, e.a), sub(d, c)) > 0 && cross(sub(e.b, e.a), sub(d, c)) == 0 {
				return j, true
			}
		}
		if locate(ps, mid, 2) == inside {
			return j, true
		}
	}
	return 0, false
}

// newForm returns the form of a resolved shape in turn t.
func newForm(polys [][]Point, edges []shapeEdge, t Turn) form {
	turned := make([][]Point, len(polys))
	for k, ps := range polys {
		q := make([]Point, len(ps))
		for i, p := range ps {
			q[i] = t.apply(p)
		}
		if t&4 != 0 {
			slices.Reverse(q) // a mirror image winds the other way
		}
		turned[k] = q
	}
	f := form{polys: turned}
	f.layOut()
	for _, e := range edges {
		a, b := t.apply(e.a), t.apply(e.b)
		if t&4 != 0 {
			a, b = b, a
		}
		f.add(a, b, tagOf(0, e.edge))
	}
	f.finish()
	f.setPieces([][][]Point{turned})
	return f
}

// layOut makes the profiles of f from the vertices of its polygons, without faces.
func (f *form) layOut() {
	var on [sides][]uint16
	for _, ps := range f.polys {
		for _, v := range ps {
			for s := range sides {
				if at, ok := sideOf(v, s); ok {
					on[s] = append(on[s], at)
				}
			}
		}
	}
	for s := range sides {
		slices.Sort(on[s])
		p := &f.side[s]
		p.at = slices.Compact(on[s])
		p.edge = make([]tag, max(0, len(p.at)-1))
		for i := range p.edge {
			p.edge[i] = noFace
		}
		p.faceless = true
	}
}

// add adds the edge a-b, which is cut at all vertices.
func (f *form) add(a, b Point, t tag) {
	if !f.addFace(a, b, t) {
		f.inner = append(f.inner, innerEdge{spotAt(uint16(a.X), uint16(a.Y)), spotAt(uint16(b.X), uint16(b.Y)), t})
	}
}

// finish derives the remaining fields of f after all edges have been added.
func (f *form) finish() {
	slices.SortFunc(f.inner, func(a, b innerEdge) int {
		return cmp.Or(cmp.Compare(a.a, b.a), cmp.Compare(a.b, b.b))
	})
	f.full = len(f.inner) == 0
	for s := range sides {
		p := &f.side[s]
		p.whole = len(p.at) == 2 && p.edge[0] >= 0 && p.at[1]-p.at[0] == Unit
		p.plain = !slices.ContainsFunc(p.at, func(at uint16) bool { return at != 0 && at != Unit })
		f.full = f.full && p.whole
		if p.whole {
			p.one = face(s, 0, Unit, p.edge[0])
		}
	}
	f.faced = f.faced[:0]
	for _, s := range nearOrder {
		if !f.side[s].faceless {
			f.faced = append(f.faced, uint8(s))
		}
	}
}

// addFace adds the edge a-b to the profile of the side that it lies on. It returns false if the
// ends do not lie on one side.
func (f *form) addFace(a, b Point, t tag) bool {
	for s := range sides {
		from, ok := sideOf(a, s)
		to, ok2 := sideOf(b, s)
		if !ok || !ok2 {
			continue
		}
		p := &f.side[s]
		i, _ := slices.BinarySearch(p.at, min(from, to))
		p.edge[i] = t
		p.faceless = false
		return true
	}
	return false
}

// sideOf returns the position of p along side s; ok is false if p is not on that side.
func sideOf(p Point, s int) (uint16, bool) {
	switch s {
	case bottom:
		return uint16(p.X), p.Y == 0
	case right:
		return uint16(p.Y), p.X == Unit
	case top:
		return uint16(p.X), p.Y == Unit
	default:
		return uint16(p.Y), p.X == 0
	}
}
