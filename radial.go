package quarry

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
)

// The radial match at the few ends where segments were removed or added: the rule of the
// ground (see gridseg.RadialMatch, which matches all ends at once).

// linkEnd links the end of s again; it keeps its link if no segment starts there.
func (sq *surfaceQuery) linkEnd(s *gridseg.Segment) {
	if j := sq.radialMatch(s.B, s.A, false); j >= 0 {
		s.Next, s.Ghost2, s.HasGhost2 = sq.segments[j].ID, sq.segments[j].B, true
	}
}

// linkStart links the start of s again; it keeps its link if no segment ends there.
func (sq *surfaceQuery) linkStart(s *gridseg.Segment) {
	if j := sq.radialMatch(s.A, s.B, true); j >= 0 {
		s.Prev, s.Ghost1, s.HasGhost1 = sq.segments[j].ID, sq.segments[j].A, true
	}
}

// radialMatch returns the first segment met by a turn about the vertex p that starts in the
// direction of q: counter-clockwise, a segment that starts at p; with incoming, clockwise,
// one that ends there. It returns -1 if there is none. A turn of zero counts as a whole
// turn.
func (sq *surfaceQuery) radialMatch(p, q gridseg.Point, incoming bool) int {
	m := radialSearch{p: p, q: q, incoming: incoming, best: -1}
	for _, k := range sq.segmentsAt(p) {
		for j := k.from; j < k.to; j++ {
			m.consider(j, &sq.segments[j])
		}
	}
	return m.best
}

// indexRange holds the indices from from up to, but without, to.
type indexRange struct{ from, to int }

// segmentsAt returns the ranges of the segments that may begin or end at the vertex p. The
// segments are sorted by cell, and p is in at most four cells, in two rows.
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

// segmentsOfCells returns the range of the segments of the cells from x0 to x1 of the row y.
func (sq *surfaceQuery) segmentsOfCells(x0, x1, y int32) indexRange {
	i := sq.firstInCell(x0, y)
	j := i
	for j < len(sq.segments) && sq.segments[j].ID.Cell.Y == y && sq.segments[j].ID.Cell.X <= x1 {
		j++
	}
	sq.tally.segments += j - i
	return indexRange{i, j}
}

// fewSegments is the number of segments up to which a linear search is faster than one by
// cells.
const fewSegments = 32

// radialSearch is a radial match in progress.
type radialSearch struct {
	p, q     gridseg.Point
	incoming bool
	best     int
	dir      gridseg.Point // from p along the best
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
	if m.best < 0 || gridseg.MetFirst(u, v, m.dir, m.incoming) {
		m.best, m.dir = j, v
	}
}
