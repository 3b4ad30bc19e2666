package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// setPieces computes the pieces of f, whose polygons have the given loops.
func (f *form) setPieces(polys [][][]Point) {
	p := &pieces{}
	f.pieces = p
	if len(polys) == 1 && len(polys[0]) == 1 {
		p.area = []Area{lattice.AreaOf(polys[0])} // a loop passes no vertex twice
		return
	}
	var edges pieceEdges
	edges.join(polys)
	for _, e := range edges.list {
		if e.piece == len(p.area) {
			p.area = append(p.area, 0)
		}
	}
	twice := make([]int64, len(p.area))
	for _, e := range edges.list {
		twice[e.piece] += lattice.Cross(vec(e.a), vec(e.b))
	}
	for k, a := range twice {
		p.area[k] = Area(a)
	}
	if p.onePiece() {
		return
	}
	for s := range sides {
		p.side[s] = make([]uint16, len(f.side[s].edge))
	}
	for _, e := range edges.list {
		for s := range sides {
			from, ok := sideOf(e.a, s)
			to, ok2 := sideOf(e.b, s)
			if ok && ok2 {
				i, _ := slices.BinarySearch(f.side[s].at, min(from, to))
				p.side[s][i] = uint16(e.piece)
			}
		}
	}
}

// pieceEdge is a directed edge of a polygon, cut at all vertices of the cell.
type pieceEdge struct {
	a, b  Point
	poly  int
	piece int
}

// pieceEdges finds the pieces of polygons. An edge is followed by the next edge of the outline of the
// same solid: these cycles are the boundaries of the polygon's parts. A cycle around a hole belongs
// to the smallest cycle around it; two polygons that share an edge belong together.
type pieceEdges struct {
	list []pieceEdge
	up   sets // of indices in list
}

// from returns the range of the edges that start in v.
func (s *pieceEdges) from(v Point) (first, end int) {
	first, _ = slices.BinarySearchFunc(s.list, v, func(e pieceEdge, v Point) int {
		return lattice.ComparePoints(e.a, v)
	})
	for end = first; end < len(s.list) && s.list[end].a == v; end++ {
	}
	return first, end
}

// join sets the list for the loops of polygons, and numbers the pieces in the order of their first edges.
func (s *pieceEdges) join(polys [][][]Point) {
	var vertices []Point
	for _, loops := range polys {
		for _, loop := range loops {
			vertices = append(vertices, loop...)
		}
	}
	slices.SortFunc(vertices, lattice.ComparePoints)
	var cuts []Point
	for poly, loops := range polys {
		for _, loop := range loops {
			for k, a := range loop {
				cuts = lattice.AppendEdge(cuts[:0], a, loop[(k+1)%len(loop)], vertices)
				for i := range len(cuts) - 1 {
					s.list = append(s.list, pieceEdge{a: cuts[i], b: cuts[i+1], poly: poly})
				}
			}
		}
	}
	slices.SortFunc(s.list, func(p, q pieceEdge) int {
		if c := lattice.ComparePoints(p.a, q.a); c != 0 {
			return c
		}
		if c := lattice.ComparePoints(p.b, q.b); c != 0 {
			return c
		}
		return p.poly - q.poly
	})
	s.up = s.up.reset(len(s.list))
	for i, e := range s.list {
		first, end := s.from(e.b)
		next := -1
		for k := first; k < end; k++ {
			if o := &s.list[k]; o.poly == e.poly && (next < 0 || lattice.Nearer(lattice.Sub(e.a, e.b),
				lattice.Sub(o.b, e.b),
				lattice.Sub(s.list[next].b, e.b), -1)) {
				next = k
			}
		}
		s.up.unite(int32(i), int32(next))
	}
	s.fillHoles()
	for i, e := range s.list {
		for k, end := s.from(e.b); k < end; k++ {
			if s.list[k].b == e.a {
				s.up.unite(int32(i), int32(k))
			}
		}
	}
	n := 0
	for i := range s.list {
		if s.up.root(int32(i)) == int32(i) {
			s.list[i].piece = n
			n++
		} else {
			s.list[i].piece = s.list[s.up.root(int32(i))].piece // a root is the lowest of its set
		}
	}
}

// fillHoles unites the cycles around holes with the smallest cycle around them, of the same polygon.
func (s *pieceEdges) fillHoles() {
	twice := make([]int64, len(s.list)) // area, by root
	for i, e := range s.list {
		twice[s.up.root(int32(i))] += lattice.Cross(vec(e.a), vec(e.b))
	}
	cycle := make([]int, len(s.list))
	for i := range s.list {
		cycle[i] = int(s.up.root(int32(i)))
	}
	for h := range s.list {
		if cycle[h] != h || twice[h] > 0 {
			continue
		}
		hole, best := s.list[h], -1
		mid := Point{X: hole.a.X + hole.b.X, Y: hole.a.Y + hole.b.Y} // doubled; on no other edge of the polygon
		for c := range s.list {
			if cycle[c] == c && twice[c] > 0 && s.list[c].poly == hole.poly &&
				(best < 0 || twice[c] < twice[best]) && s.around(cycle, c, mid) {
				best = c
			}
		}
		if best >= 0 {
			s.up.unite(int32(h), int32(best))
		}
	}
}

// around reports whether cycle c winds round a point, which is doubled.
func (s *pieceEdges) around(cycle []int, c int, p Point) bool {
	in := false
	for i, e := range s.list {
		if cycle[i] != c {
			continue
		}
		a, b := Point{X: 2 * e.a.X, Y: 2 * e.a.Y}, Point{X: 2 * e.b.X, Y: 2 * e.b.Y}
		if (a.Y <= p.Y) != (b.Y <= p.Y) {
			if left := lattice.Cross(lattice.Sub(b, a), lattice.Sub(p, a)) > 0; left == (b.Y > a.Y) {
				in = !in
			}
		}
	}
	return in
}

// inside reports whether e is a seam between two loops of one polygon, as a registered shape may have.
func (s *pieceEdges) inside(e pieceEdge) bool {
	for k, end := s.from(e.b); k < end; k++ {
		if o := &s.list[k]; o.b == e.a && o.poly == e.poly {
			return true
		}
	}
	return false
}

// splitPieces divides the polygons of a cell by piece: piece k goes to out[into[k]]. A polygon whose pieces all go
// to one place stays unchanged; the parts of other polygons lose their collinear vertices, and are no tiles.
func splitPieces(polys []polygon, into []int, out [][]polygon) {
	var edges pieceEdges
	edges.join(polyLoops(polys))
	outlines := make([][][2]Point, len(out))
	for k, p := range polys {
		places, last := 0, 0
		for _, e := range edges.list {
			if e.poly != k || edges.inside(e) {
				continue
			}
			last = into[e.piece]
			if len(outlines[last]) == 0 {
				places++
			}
			outlines[last] = append(outlines[last], [2]Point{e.a, e.b})
		}
		if places == 1 {
			out[last], outlines[last] = append(out[last], p), outlines[last][:0]
			continue
		}
		p.tile.Shape, p.tile.Turn = 0, 0
		for i, outline := range outlines {
			if len(outline) > 0 {
				out[i], outlines[i] = append(out[i], polygon{p.tile, lattice.Canonical(lattice.TraceLoops(outline))}),
					outline[:0]
			}
		}
	}
}
