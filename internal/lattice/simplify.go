package lattice

import (
	"cmp"
	"fmt"
	"slices"
)

// Many small strokes in one cell add up to more than MaxPatch vertices. Further strokes must not
// fail, so the cell is simplified: the removable vertex with the smallest change of the outline is
// removed, again and again, until the rest fits. (Visvalingam and Whyatt, "Line generalisation by
// repeated elimination of points", 1993.) The measure is the area of the triangle of the vertex and
// its neighbours, which becomes solid or free. It is at most maxDetail, so that no large part of a
// cell changes away from a stroke.

// maxDetail bounds the triangle of a removed vertex: 1/1024 of a cell, a square of 128 by 128
// lattice steps.
const maxDetail = CellArea / 1024

// vertexTriangle is a vertex v of an outline and its neighbours.
type vertexTriangle struct{ u, v, w Point }

// area returns the area of the triangle.
func (b vertexTriangle) area() Area {
	c := Cross(Sub(b.v, b.u), Sub(b.w, b.u))
	return Area(max(c, -c))
}

// simplify removes vertices from the polygons of a cell if they have more than MaxPatch. edges is
// the number of edges of the stroke in the cell. It fails if the stroke has too many, or too many
// vertices are left.
func simplify(polys []Result, edges int) ([]Result, error) {
	n := countVertices(loopsOf(polys))
	if n <= MaxPatch {
		return polys, nil
	}
	if edges > MaxPatch {
		return nil, fmt.Errorf("%w: the stroke has %d edges in the cell, at most %d: simplify or split the stroke",
			ErrTooLarge, edges, MaxPatch)
	}
	polys = slices.Clone(polys)
	for n > MaxPatch {
		before := n
		candidates := removableVertices(polys)
		var touched []Point
		for _, b := range candidates {
			if n <= MaxPatch || b.area() > maxDetail {
				break
			}
			// A vertex removed in this round has changed its neighbours' triangles.
			if slices.Contains(touched, b.u) || slices.Contains(touched, b.v) || slices.Contains(touched, b.w) ||
				!canRemove(polys, b) {
				continue
			}
			removeVertex(polys, b)
			touched = append(touched, b.u, b.v, b.w)
			n = countVertices(loopsOf(polys))
		}
		polys = slices.DeleteFunc(polys, func(p Result) bool { return len(p.Loops) == 0 })
		if n == before {
			return nil, fmt.Errorf("%w: %d vertices in the cell, at most %d, and none small enough to be removed: "+
				"clear the cell, or subtract more of it", ErrTooLarge, n, MaxPatch)
		}
	}
	for k := range polys {
		polys[k].Loops = Canonical(polys[k].Loops)
	}
	return polys, nil
}

func countVertices(polys [][][]Point) (n int) {
	for _, loops := range polys {
		for _, loop := range loops {
			n += len(loop)
		}
	}
	return n
}

// removableVertices returns the vertices inside of the cell that belong to one outline, or to two
// outlines with the same neighbours, in order of area.
func removableVertices(polys []Result) []vertexTriangle {
	var all []vertexTriangle
	for _, p := range polys {
		for _, loop := range p.Loops {
			for i, v := range loop {
				b := vertexTriangle{loop[(i+len(loop)-1)%len(loop)], v, loop[(i+1)%len(loop)]}
				if ComparePoints(b.w, b.u) < 0 {
					b.u, b.w = b.w, b.u
				}
				all = append(all, b)
			}
		}
	}
	slices.SortFunc(all, func(p, q vertexTriangle) int { return ComparePoints(p.v, q.v) })
	removable := all[:0:0]
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].v == all[0].v {
			n++
		}
		if !onSide(all[0].v) && (n == 1 || n == 2 && all[0] == all[1]) {
			removable = append(removable, all[0])
		}
		all = all[n:]
	}
	slices.SortFunc(removable, func(p, q vertexTriangle) int {
		return cmp.Or(cmp.Compare(p.area(), q.area()), ComparePoints(p.v, q.v))
	})
	return removable
}

// canRemove reports whether the outlines through b.v may go straight from b.u to b.w without
// crossing or touching another outline or vertex. A loop of three vertices may be removed if it
// shares none of them.
func canRemove(polys []Result, b vertexTriangle) bool {
	side := Sign(Cross(Sub(b.w, b.u), Sub(b.v, b.u)))
	within := func(p Point) bool {
		return side*Sign(Cross(Sub(b.w, b.u), Sub(p, b.u))) >= 0 &&
			side*Sign(Cross(Sub(b.v, b.w), Sub(p, b.w))) >= 0 &&
			side*Sign(Cross(Sub(b.u, b.v), Sub(p, b.v))) >= 0
	}
	uses := 0 // uses of the three points in all loops
	whole := false
	for _, p := range polys {
		for _, loop := range p.Loops {
			for i, from := range loop {
				to := loop[(i+1)%len(loop)]
				if from == b.u || from == b.v || from == b.w {
					uses++
				} else if within(from) {
					return false
				}
				switch {
				case from == b.v || to == b.v:
				case from == b.u && to == b.w || from == b.w && to == b.u:
					if len(loop) != 3 {
						return false
					}
					whole = true
				case edgesCross(from, to, b.u, b.w) || onEdge(b.v, from, to) || onEdge(b.u, from, to) && onEdge(b.w,
					from, to):
					return false
				}
			}
		}
	}
	return !whole || uses == 3
}

// removeVertex removes the vertex of b from the outlines, and drops loops without area.
func removeVertex(polys []Result, b vertexTriangle) {
	for k := range polys {
		p := &polys[k]
		if !slices.ContainsFunc(p.Loops, func(loop []Point) bool { return slices.Contains(loop, b.v) }) {
			continue
		}
		var loops [][]Point
		for _, loop := range p.Loops {
			loop = slices.DeleteFunc(slices.Clone(loop), func(v Point) bool { return v == b.v })
			if loop = dropCollinear(loop); len(loop) >= 3 {
				loops = append(loops, loop)
			}
		}
		p.Loops = loops
		p.Same = false
	}
}
