package gridseg

import (
	"math/bits"
	"slices"
)

// Outline is a chain of segments along the surface: a whole loop, or the part of
// one that lies in a region.
type Outline struct {
	// Segments are the ids in the order of the surface, solid on the left. A loop
	// begins with its first by row, column and N; an open chain where it enters.
	Segments []SegmentID
	// Points are the ends of the segments in that order: the start of each and, of an
	// open chain, the end of the last. Where runs are merged, see Tracer, only
	// those at which the surface turns are left, and the two ends of an open chain.
	Points []Point
	// Closed says that this is a whole loop. An open chain leaves the region at both
	// ends; with preserved layers it may also end where the links do, see Preserve.
	Closed bool
	// Hole says of a loop that it runs clockwise, round air that is enclosed by
	// solid. The others run round solid.
	Hole bool
	// Area is what a loop encloses: solid or air, and whatever lies in there. It is
	// the greatest Area where that is too small, beyond 2^39 cells.
	Area Area
}

// Outlines returns the outlines in r, see Tracer.Trace; they belong to the caller.
func (g *Grid) Outlines(r Rect) []Outline {
	var t Tracer
	return t.Trace(g, r)
}

// Tracer finds outlines and keeps the memory for it. The zero value is ready. It
// must not be used by two goroutines at once; two Tracers may read one grid.
type Tracer struct {
	// Merge leaves the points out at which the surface goes straight on: the seams
	// between tiles and the cuts where corners of others touch.
	Merge bool

	segs  []Segment
	links []mate // of segs
	list  []Outline
	ids   []SegmentID
	pts   []Point
}

// mate tells how a segment is linked within the region. Links that are not mutual,
// which preserved layers have, count as none, so that chains never join.
type mate struct {
	prev, next int32 // indices, or -1
	done       bool
}

// Trace returns the outlines that the segments in the cells of r form, as of the
// last Resolve: those that lie wholly in r as loops, those that leave it as open
// chains, cut where they go over into a cell beyond r, one for each stay in r. Every
// segment of AppendSegments(nil, r) is in one of them, once.
//
// They are in the order of their lowest segments by row, column and N, so that they
// are a function of tiles and r alone. The result belongs to t and is valid until its
// next Trace. It costs in proportion to the segments in r, and allocates nothing that the
// Trace before did not need too, but for a list of chunks if r has more than 16.
func (t *Tracer) Trace(g *Grid, r Rect) []Outline {
	t.segs = g.AppendSegments(t.segs[:0], r)
	t.link()
	n := len(t.segs)
	t.list = t.list[:0]
	// Outlines fraction two arrays: each has at most one point more than segments.
	t.ids = slices.Grow(t.ids[:0], n)
	t.pts = slices.Grow(t.pts[:0], 2*n)
	for i := range t.segs {
		if !t.links[i].done {
			t.walk(t.start(i)) // i is the lowest of its outline, so these are in order
		}
	}
	return t.list
}

// link fills t.links. A segment is linked within the 3x3 cells round its own, so
// while the segments pass in their order, three marks that move along with them, a
// row below, in the row and a row above, stand just before all that it may be linked to.
func (t *Tracer) link() {
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
		for k < len(t.segs) && t.segs[k].ID != s.Next && t.segs[k].ID.Cell.Y == s.Next.Cell.Y && t.segs[k].ID.Cell.X <= s.Next.Cell.X {
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

// start returns the segment that the outline of segment i begins with: i itself if
// that is a loop, or the first of the chain.
func (t *Tracer) start(i int) int {
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
func (t *Tracer) walk(i int) {
	ids, pts := len(t.ids), len(t.pts)
	var twice sum128
	first := t.segs[i].A
	k, last := i, i
	for {
		s := &t.segs[k]
		t.links[k].done = true
		t.ids = append(t.ids, s.ID)
		if !t.Merge || k == i || !straight(&t.segs[last], s) {
			t.pts = append(t.pts, s.A)
		}
		// A start is less than 2^45 from another, and a segment is no longer than a
		// cell on either axis, so one term is below 2^59. Their sum may be beyond 63
		// bits for loops of more than a million segments.
		twice.add(cross(sub(s.A, first), sub(s.B, s.A)))
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
		o.Hole = twice.negative()
		o.Area = twice.area()
		if t.Merge && straight(&t.segs[last], &t.segs[i]) {
			t.pts = slices.Delete(t.pts, pts, pts+1)
		}
	}
	o.Segments = t.ids[ids:len(t.ids):len(t.ids)]
	o.Points = t.pts[pts:len(t.pts):len(t.pts)]
	t.list = append(t.list, o)
}

// straight reports whether q goes on in the direction of p.
func straight(p, q *Segment) bool {
	d, e := sub(p.B, p.A), sub(q.B, q.A)
	return cross(d, e) == 0 && dot(d, e) > 0
}

// sum128 is a signed sum in two words.
type sum128 struct{ lo, hi uint64 }

func (s *sum128) add(x int64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, uint64(x), 0)
	s.hi += uint64(x>>63) + carry
}

func (s *sum128) negative() bool { return int64(s.hi) < 0 }

// area returns the magnitude, or the greatest Area below it.
func (s *sum128) area() Area {
	lo, hi := s.lo, s.hi
	if s.negative() {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	if hi != 0 {
		return 1<<64 - 1
	}
	return Area(lo)
}
