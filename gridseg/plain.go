package gridseg

import "slices"

// A form is plain if no vertex lies within a side of its cell, so that each side is one whole
// face or has none, and if no corner has more than one piece that starts there and one that
// ends. Among plain forms alone a side is covered or not, and what meets at a vertex follows
// from the four forms round it: see vertexLinks.

// traits tell of a form what its neighbours ask for: one bit for each side that is whole,
// and the following.
type traits uint8

const (
	nonPlainForm traits = 1 << (sides + iota) // not plain
	fullForm                                  // nothing but four whole sides: a block
	innerForm                                 // has a vertex inside of the cell
)

// whole returns 1 if the side is one face all along, else 0.
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

// maxFormSegments bounds the pieces of a plain form: their numbers must be told by the stubs of a
// cell, see cornerStubs.
const maxFormSegments = manyStubs - 1

// formSegment is a segment of a plain form as it is while nothing covers it, with the links that
// no neighbour can change: those at vertices inside of the cell.
type formSegment struct {
	seg  seg
	side traits // the side that it lies on, as a bit; 0 inside of the cell
	a, b uint8  // the corners where it starts and ends, see quadrants; noCorner if it is none
}

const noCorner = 4

// cornerAt returns the number of a corner: from the bottom left, rows first.
func (p spot) cornerAt() uint8 {
	if !p.corner() {
		return noCorner
	}
	return uint8(p.stubShift() >> 3)
}

// formSegments returns the pieces of f, in the order of their keys; ok is false if f is not plain.
func (f *form) formSegments() (ps []formSegment, ok bool) {
	var segs []seg
	for s := range sides {
		p := &f.side[s]
		if !p.plain {
			return nil, false
		}
		segs = appendFaces(segs, s, p, nil, false)
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

// linkWithin finds the radial match at a vertex inside of a cell, see match.
func linkWithin(segs []seg, v, far spot, way int64) link {
	from := vec{int64(far.x() - v.x()), int64(far.y() - v.y())}
	var best link
	var bestDir vec
	for k := range segs {
		near, far := segs[k].a, segs[k].b
		if way < 0 {
			near, far = far, near
		}
		dir := vec{int64(far.x() - v.x()), int64(far.y() - v.y())}
		if near == v && (best == 0 || nearer(from, dir, bestDir, way)) {
			best, bestDir = linkTo(far, 0, 0), dir
		}
	}
	return best
}

// cutPlain puts the segments of a plain form into dst, linked: the pieces that are on none of
// the sides in cover. around is what meets at the four corners of the cell. dst has room for
// all pieces and one more. It returns how many there are and their stubs, see cornerStubs.
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
