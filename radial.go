package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

// The radial match among the segments that are left when some have been taken out and
// others put in: the ground's own rule (see gridseg.RadialMatch, which does it for all
// at once), asked for the few ends that have changed.

// linkEnd links the end of s anew; where nothing goes on from there its link stays.
func (ga *gather) linkEnd(s *gridseg.Segment) {
	if j := ga.match(s.B, s.A, false); j >= 0 {
		s.Next, s.Ghost2, s.HasGhost2 = ga.segments[j].ID, ga.segments[j].B, true
	}
}

// linkStart links the start of s anew; where nothing leads to it its link stays.
func (ga *gather) linkStart(s *gridseg.Segment) {
	if j := ga.match(s.A, s.B, true); j >= 0 {
		s.Prev, s.Ghost1, s.HasGhost1 = ga.segments[j].ID, ga.segments[j].A, true
	}
}

// match returns the segment first met when one looks from the vertex p towards
// the point q and turns: counter-clockwise to one that begins at p, or clockwise,
// if incoming, to one that ends there. It returns -1 when there is none. A turn
// of nothing counts as a whole one.
func (ga *gather) match(p, q gridseg.Point, incoming bool) int {
	m := matching{p: p, q: q, incoming: incoming, best: -1}
	for _, k := range ga.around(p) {
		for j := k.from; j < k.to; j++ {
			m.meet(j, &ga.segments[j])
		}
	}
	return m.best
}

// span is a range of indices, from included, to not.
type span struct{ from, to int }

// around returns where among the segments all are that begin or end at the vertex p. They
// are in the order of their cells, and p is in four of these at most, in two rows.
func (ga *gather) around(p gridseg.Point) (rows [2]span) {
	if len(ga.segments) <= fewSegments {
		rows[0].to = len(ga.segments)
		ga.tally.segments += len(ga.segments)
		return rows
	}
	cell := func(v int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, v>>latticeBits))) }
	x0, x1, y0, y1 := cell(p.X-1), cell(p.X), cell(p.Y-1), cell(p.Y)
	rows[0] = ga.cellsOf(x0, x1, y0)
	if y1 > y0 {
		rows[1] = ga.cellsOf(x0, x1, y1)
	}
	return rows
}

// cellsOf returns where among the segments those of the cells from x0 to x1 of the row y
// are.
func (ga *gather) cellsOf(x0, x1, y int32) span {
	i := ga.from(x0, y)
	j := i
	for j < len(ga.segments) && ga.segments[j].ID.Cell.Y == y && ga.segments[j].ID.Cell.X <= x1 {
		j++
	}
	ga.tally.segments += j - i
	return span{i, j}
}

// fewSegments is how many are looked through quicker than found by their cells.
const fewSegments = 32

// matching is a match in work.
type matching struct {
	p, q     gridseg.Point
	incoming bool
	best     int
	turn     spoke
}

// meet compares segment j, which is s, with the best so far.
func (m *matching) meet(j int, s *gridseg.Segment) {
	end, other := s.A, s.B
	if m.incoming {
		end, other = s.B, s.A
	}
	if end != m.p {
		return
	}
	u := gridseg.Point{X: m.q.X - m.p.X, Y: m.q.Y - m.p.Y}
	v := gridseg.Point{X: other.X - m.p.X, Y: other.Y - m.p.Y}
	if m.incoming { // a clockwise turn is one counter-clockwise in the mirror
		u.X, v.X = -u.X, -v.X
	}
	if k := spokeOf(u, v); m.best < 0 || k.before(m.turn) {
		m.best, m.turn = j, k
	}
}

// spoke is a direction as met by a turn counter-clockwise from another: in which
// part of the turn, and which way.
type spoke struct {
	part int // 0: less than a half turn; 1: a half; 2: more; 3: a whole
	v    gridseg.Point
}

// spokeOf returns v as met by a turn from u.
func spokeOf(u, v gridseg.Point) spoke {
	c, d := u.X*v.Y-u.Y*v.X, u.X*v.X+u.Y*v.Y
	switch {
	case c > 0:
		return spoke{0, v}
	case c < 0:
		return spoke{2, v}
	case d < 0:
		return spoke{1, v}
	}
	return spoke{3, v}
}

// before reports whether a is met before b. (Of two in one part, less than a half turn
// apart, their cross product tells.)
func (a spoke) before(b spoke) bool {
	if a.part != b.part {
		return a.part < b.part
	}
	return a.v.X*b.v.Y-a.v.Y*b.v.X > 0
}
