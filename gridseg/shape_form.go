package gridseg

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
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

// layOut makes the profiles of f from the vertices of its polygons, without faces.
func (f *form) layOut() {
	var on [sides][]int32
	for _, ps := range f.polys {
		for _, v := range ps {
			for s := range sides {
				if at, ok := sideOf(v, s); ok {
					on[s] = append(on[s], int32(at))
				}
			}
		}
	}
	for s := range sides {
		slices.Sort(on[s])
		p := &f.side[s]
		p.at = nil
		for _, at := range slices.Compact(on[s]) {
			p.at = append(p.at, uint16(at))
		}
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

// cellMoments are the moments of the content of a cell about its lower left corner, in lattice units, times factors
// that make them whole: 2 for the area, 6 for the first moments, 12 for the polar second moment. For a patch of
// 1024 vertices they are below 2^61.
type cellMoments struct{ area, x, y, polar int64 }

// momentsOf returns the moments of non-overlapping polygons of a cell: holes, which are clockwise, are negative.
func momentsOf(polys [][]Point) (m cellMoments) {
	for _, ps := range polys {
		a := ps[len(ps)-1]
		for _, b := range ps {
			c := lattice.Cross(vec(a), vec(b))
			m.area += c
			m.x += c * (a.X + b.X)
			m.y += c * (a.Y + b.Y)
			m.polar += c * (lattice.Dot(vec(a), vec(a)) + lattice.Dot(vec(a), vec(b)) + lattice.Dot(vec(b), vec(b)))
			a = b
		}
	}
	return m
}

// pieces are the parts of the content of one cell that hold together by themselves: through edges
// that two polygons share, or through the inside of a polygon. A polygon may have several, such as
// two loops that touch in a vertex.
type pieces struct {
	area []Area          // by piece
	side [sides][]uint16 // by the intervals of form.side: the piece whose face it is
}

// onePiece reports whether the content of a cell is one piece. A patch that is a block may have nil.
func (p *pieces) onePiece() bool { return p == nil || len(p.area) == 1 }

// of returns the piece of interval i of side s.
func (p *pieces) of(s, i int) int32 {
	if p.onePiece() {
		return 0
	}
	return int32(p.side[s][i])
}
