package gridseg

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
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

// newForm returns the form of a resolved shape in turn t.
func newForm(polys [][]Point, edges []lattice.EdgePart, t Turn) form {
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
		a, b := t.apply(e.A), t.apply(e.B)
		if t&4 != 0 {
			a, b = b, a
		}
		f.add(a, b, tagOf(0, e.Edge))
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
