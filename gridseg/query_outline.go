package gridseg

import (
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// Outline is a sequence of linked segments along the surface: a whole loop, or the part of a loop
// inside a region.
type Outline struct {
	// Segments are the ids in surface order, solid on the left. A loop begins with its lowest
	// segment by row, column and N; an open outline where it enters the region.
	Segments []SegmentID
	// Points are the start of each segment in that order and, for an open outline, the end of the
	// last.
	Points []Point
	// Closed is true for a whole loop. An open outline leaves the region at both ends; with
	// preserved layers it may also end at a segment without a link, see Preserve.
	Closed bool
	// Hole is true for a clockwise loop, around enclosed air. Other loops run around solid.
	Hole bool
	// Area is the area inside a loop, including any loops within. It is clamped to the maximum
	// Area, beyond 2^39 cells. It is 0 for an open outline.
	Area Area
}

// Outlines returns the outlines formed by the segments in the cells of r, as of the last Resolve. A
// loop inside r is closed. A loop that leaves r gives one open outline for each stay in r, cut at
// the last segment whose cell lies in r. Every segment of AppendSegments(nil, r) is in exactly one
// outline.
//
// Outlines are ordered by their lowest segments by row, column and N, so that the result is a
// function of tiles and r alone. The cost is proportional to the segments in r.
func (g *reader) Outlines(r Rect) []Outline {
	var t tracer
	return t.trace(g, r)
}

// tracer finds outlines and keeps its memory for reuse.
type tracer struct {
	segs  []Segment
	links []mate // of segs, by index
	list  []Outline
	ids   []SegmentID
	pts   []Point
}

// mate holds the links of a segment within the region. Links that are not mutual, as with preserved
// layers, are left out, so that outlines never merge.
type mate struct {
	prev, next int32 // indices, or -1
	done       bool
}

// trace returns the outlines in r, valid until the next trace.
func (t *tracer) trace(g *reader, r Rect) []Outline {
	t.segs = g.AppendSegments(t.segs[:0], r)
	t.link()
	n := len(t.segs)
	t.list = t.list[:0]
	// Outlines share two arrays: each has at most one point more than segments.
	t.ids = slices.Grow(t.ids[:0], n)
	t.pts = slices.Grow(t.pts[:0], 2*n)
	for i := range t.segs {
		if !t.links[i].done {
			t.walk(t.start(i)) // i is the lowest segment of its outline, so outlines are in order
		}
	}
	return t.list
}

// link fills t.links. A segment links only within the 3x3 cells around its own. As the segments are
// visited in order, three marks (for the row below, the same row and the row above) advance to just
// before the possible link targets.
func (t *tracer) link() {
	t.links = slices.Grow(t.links[:0], len(t.segs))[:len(t.segs)]
	for i := range t.links {
		t.links[i] = mate{prev: -1, next: -1}
	}
	var marks [3]int
	for i := range t.segs {
		s := &t.segs[i]
		if !s.HasGhost2 {
			continue
		}
		at := s.ID.Cell
		row := int(s.Next.Cell.Y - at.Y + 1)
		k := marks[row]
		for k < len(t.segs) && cellBefore(t.segs[k].ID.Cell, int64(at.X)-1, s.Next.Cell.Y) {
			k++
		}
		marks[row] = k
		for k < len(t.segs) && t.segs[k].ID != s.Next && t.segs[k].ID.Cell.Y == s.Next.Cell.Y &&
			t.segs[k].ID.Cell.X <= s.Next.Cell.X {
			k++
		}
		if k < len(t.segs) && t.segs[k].ID == s.Next && t.segs[k].HasGhost1 && t.segs[k].Prev == s.ID {
			t.links[i].next = int32(k)
			t.links[k].prev = int32(i)
		}
	}
}

// cellBefore reports whether c comes before cell (x, y) by row, then column.
func cellBefore(c Cell, x int64, y int32) bool { return c.Y < y || c.Y == y && int64(c.X) < x }

// start returns the first segment of the outline of segment i: i itself for a loop.
func (t *tracer) start(i int) int {
	for k := i; ; {
		p := int(t.links[k].prev)
		if p == i {
			return i
		}
		if p < 0 {
			return k
		}
		k = p
	}
}

// walk appends the outline that begins with segment i.
func (t *tracer) walk(i int) {
	ids, pts := len(t.ids), len(t.pts)
	var twice int128
	first := t.segs[i].A
	k, last := i, i
	for {
		s := &t.segs[k]
		t.links[k].done = true
		t.ids = append(t.ids, s.ID)
		t.pts = append(t.pts, s.A)
		// Starts differ by less than 2^45, and a segment is at most a cell long on either axis, so
		// one term is below 2^59. The sum may exceed 63 bits for loops of more than a million
		// segments.
		twice = twice.add(wide(lattice.Cross(lattice.Sub(s.A, first), lattice.Sub(s.B, s.A))))
		last = k
		k = int(t.links[k].next)
		if k < 0 || k == i {
			break
		}
	}
	o := Outline{Closed: k == i}
	if !o.Closed {
		t.pts = append(t.pts, t.segs[last].B)
	} else {
		o.Area, o.Hole = magnitude(twice)
	}
	o.Segments = t.ids[ids:len(t.ids):len(t.ids)]
	o.Points = t.pts[pts:len(t.pts):len(t.pts)]
	t.list = append(t.list, o)
}

// magnitude returns the area of a loop, clamped to the maximum Area, and whether the sum is negative.
func magnitude(twice int128) (a Area, negative bool) {
	if negative = int64(twice.high) < 0; negative {
		twice = int128{}.sub(twice)
	}
	if twice.high != 0 {
		return 1<<64 - 1, negative
	}
	return Area(twice.low), negative
}
