package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// A form is plain if no vertex lies within a side of its cell, so that each side is one whole face
// or faceless, and if at most one segment starts and at most one ends at each corner. Between plain
// forms a side is covered as a whole or not at all, and the links at a vertex follow from the four
// forms around it: see vertexLinks.

// traits are the properties of a form that neighbours need: one bit for each whole side, and the
// following.
type traits uint8

const (
	nonPlainForm traits = 1 << (sides + iota) // not plain
	fullForm                                  // four whole sides and nothing else: a block
	innerForm                                 // has a vertex inside of the cell
)

// whole returns 1 if the side is one whole face, otherwise 0.
func (t traits) whole(side int) traits { return t >> side & 1 }

// traits returns the traits of f.
func (f *form) traits() traits {
	var t traits
	for s := range sides {
		if f.side[s].whole {
			t |= 1 << s
		}
	}
	if f.full {
		t |= fullForm
	}
	for _, e := range f.inner {
		if !e.a.corner() || !e.b.corner() {
			t |= innerForm
		}
	}
	return t
}

// maxFormSegments bounds the segments of a plain form, so that corner stubs can hold their numbers.
const maxFormSegments = manyStubs - 1

// formSegment is a segment of a plain form, uncovered, with its links at vertices inside of the
// cell, which no neighbour can change.
type formSegment struct {
	seg  seg
	side traits // the side that it lies on, as a bit; 0 if inside of the cell
	a, b uint8  // the corners where it starts and ends, see quadrants; noCorner if an end is no corner
}

const noCorner = 4

// cornerAt returns the number of a corner, from the bottom left by row, or noCorner.
func (p spot) cornerAt() uint8 {
	if !p.corner() {
		return noCorner
	}
	return uint8(p.stubShift() >> 3)
}

// formSegments returns the segments of f, in the order of their keys; ok is false if f is not
// plain.
func (f *form) formSegments() (ps []formSegment, ok bool) {
	var segs []seg
	for s := range sides {
		p := &f.side[s]
		if !p.plain {
			return nil, false
		}
		segs = appendFaces(segs, s, p, nil, nil)
	}
	for _, e := range f.inner {
		segs = append(segs, seg{a: e.a, b: e.b, edge: e.edge.edge(), owner: e.edge.owner()})
	}
	if len(segs) > maxFormSegments {
		return nil, false
	}
	sortSegs(segs)
	var starts, ends [noCorner]int
	for k := range segs {
		s := &segs[k]
		p := formSegment{seg: *s, side: traits(s.onSides()), a: s.a.cornerAt(), b: s.b.cornerAt()}
		if p.a < noCorner {
			starts[p.a]++
		} else {
			p.seg.prev = linkWithin(segs, s.a, s.b, -1)
		}
		if p.b < noCorner {
			ends[p.b]++
		} else {
			p.seg.next = linkWithin(segs, s.b, s.a, 1)
		}
		ps = append(ps, p)
	}
	if max(slices.Max(starts[:]), slices.Max(ends[:])) > 1 {
		return nil, false
	}
	return ps, true
}

// linkWithin returns the radial match at a vertex inside of a cell, see match.
func linkWithin(segs []seg, v, far spot, way int64) link {
	from := vec{X: int64(far.x() - v.x()), Y: int64(far.y() - v.y())}
	var best link
	var bestDir vec
	for k := range segs {
		near, far := segs[k].a, segs[k].b
		if way < 0 {
			near, far = far, near
		}
		dir := vec{X: int64(far.x() - v.x()), Y: int64(far.y() - v.y())}
		if near == v && (best == 0 || lattice.Nearer(from, dir, bestDir, way)) {
			best, bestDir = linkTo(far, 0, 0), dir
		}
	}
	return best
}

// cutPlain writes the linked segments of a plain form to dst, without those on the covered sides.
// around holds the vertex links at the four corners of the cell. dst has room for one element more
// than ps. cutPlain returns the number of segments and their stubs, see cornerStubs.
func cutPlain(dst *[maxFormSegments + 1]seg, ps []formSegment, covered traits, around *[4]*vertexLinks) (int, uint32) {
	n, stubs := 0, uint32(0)
	for k := range ps {
		p := &ps[k]
		s := &dst[n&15]
		*s = p.seg
		kept := 1
		if p.side&covered != 0 {
			kept = 0
		}
		n += kept
		t := uint32(n) & -uint32(kept)
		if p.a < noCorner {
			s.prev = around[p.a].prev[p.a]
			stubs |= t << (p.a<<3 + 4)
		}
		if p.b < noCorner {
			s.next = around[p.b].next[p.b]
			stubs |= t << (p.b << 3)
		}
	}
	return n, stubs
}

// vertexLinks are the links at one vertex between the segments of the four cells around it, if all
// four forms are plain. A cell has the number of its own corner at the vertex: corners are
// numbered from the bottom left, by row, so cell 3 lies at the lower left.
//
// The links are a function of the four forms, and most worlds have few combinations of them. So the
// radial match is done once for each combination, and the result is cached by the forms.
type vertexLinks struct {
	prev [4]link // of the segment of the cell that starts at the vertex
	next [4]link // of the segment of the cell that ends at the vertex
}
