package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

// The radial match among the segments that are left when some have been taken out and
// others put in: the ground's own rule (see gridseg.RadialMatch, which does it for all
// at once), asked for the few ends that have changed.

// linkEnd links the end of s anew; where nothing goes on from there its link stays.
func (sq *surfaceQuery) linkEnd(s *gridseg.Segment) {
	if j := sq.radialMatch(s.B, s.A, false); j >= 0 {
		s.Next, s.Ghost2, s.HasGhost2 = sq.segments[j].ID, sq.segments[j].B, true
	}
}

// linkStart links the start of s anew; where nothing leads to it its link stays.
func (sq *surfaceQuery) linkStart(s *gridseg.Segment) {
	if j := sq.radialMatch(s.A, s.B, true); j >= 0 {
		s.Prev, s.Ghost1, s.HasGhost1 = sq.segments[j].ID, sq.segments[j].A, true
	}
}

// radialMatch returns the segment first met when one looks from the vertex p towards
// the point q and turns: counter-clockwise to one that begins at p, or clockwise,
// if incoming, to one that ends there. It returns -1 when there is none. A turn
// of nothing counts as a whole one.
func (sq *surfaceQuery) radialMatch(p, q gridseg.Point, incoming bool) int {
	m := radialSearch{p: p, q: q, incoming: incoming, best: -1}
	for _, k := range sq.segmentsAt(p) {
		for j := k.from; j < k.to; j++ {
			m.consider(j, &sq.segments[j])
		}
	}
	return m.best
}

// indexRange is a range of indices, from included, to not.
type indexRange struct{ from, to int }

// segmentsAt returns where among the segments all are that begin or end at the vertex p. They
// are in the order of their cells, and p is in four of these at most, in two rows.
func (sq *surfaceQuery) segmentsAt(p gridseg.Point) (rows [2]indexRange) {
	if len(sq.segments) <= fewSegments {
		rows[0].to = len(sq.segments)
		sq.tally.segments += len(sq.segments)
		return rows
	}
	cell := func(v int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, v>>latticeBits))) }
	x0, x1, y0, y1 := cell(p.X-1), cell(p.X), cell(p.Y-1), cell(p.Y)
	rows[0] = sq.segmentsOfCells(x0, x1, y0)
	if y1 > y0 {
		rows[1] = sq.segmentsOfCells(x0, x1, y1)
	}
	return rows
}

// segmentsOfCells returns where among the segments those of the cells from x0 to x1 of the row y
// are.
func (sq *surfaceQuery) segmentsOfCells(x0, x1, y int32) indexRange {
	i := sq.firstInCell(x0, y)
	j := i
	for j < len(sq.segments) && sq.segments[j].ID.Cell.Y == y && sq.segments[j].ID.Cell.X <= x1 {
		j++
	}
	sq.tally.segments += j - i
	return indexRange{i, j}
}

// fewSegments is how many are looked through quicker than found by their cells.
const fewSegments = 32

// radialSearch is a match in work.
type radialSearch struct {
	p, q     gridseg.Point
	incoming bool
	best     int
	turn     spoke
}

// consider compares segment j, which is s, with the best so far.
func (m *radialSearch) consider(j int, s *gridseg.Segment) {
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
