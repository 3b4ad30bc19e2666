package surface

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// The radial match at the few ends where segments were removed or added: the rule of the
// ground (see lattice.RadialMatch, which matches all ends at once).

// LinkEnd links the end of s again; it keeps its link if no segment starts there.
func (sq *Query) LinkEnd(s *gridseg.Segment) {
	if j := sq.RadialMatch(s.B, s.A, false); j >= 0 {
		s.Next, s.Ghost2, s.HasGhost2 = sq.Segments[j].ID, sq.Segments[j].B, true
	}
}

// LinkStart links the start of s again; it keeps its link if no segment ends there.
func (sq *Query) LinkStart(s *gridseg.Segment) {
	if j := sq.RadialMatch(s.A, s.B, true); j >= 0 {
		s.Prev, s.Ghost1, s.HasGhost1 = sq.Segments[j].ID, sq.Segments[j].A, true
	}
}

// RadialMatch returns the first segment met by a turn about the vertex p that starts in the
// direction of q: counter-clockwise, a segment that starts at p; with incoming, clockwise,
// one that ends there. It returns -1 if there is none. A turn of zero counts as a whole
// turn.
func (sq *Query) RadialMatch(p, q gridseg.Point, incoming bool) int {
	m := RadialSearch{P: p, Q: q, Incoming: incoming, Best: -1}
	for _, k := range sq.SegmentsAt(p) {
		for j := k.From; j < k.To; j++ {
			m.Consider(j, &sq.Segments[j])
		}
	}
	return m.Best
}

// indexRange holds the indices from from up to, but without, to.
type indexRange struct{ From, To int }

// SegmentsAt returns the ranges of the segments that may begin or end at the vertex p. The
// segments are sorted by cell, and p is in at most four cells, in two rows.
func (sq *Query) SegmentsAt(p gridseg.Point) (rows [2]indexRange) {
	if len(sq.Segments) <= FewSegments {
		rows[0].To = len(sq.Segments)
		sq.Tally.Segments += len(sq.Segments)
		return rows
	}
	cell := func(v int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, v>>LatticeBits))) }
	x0, x1, y0, y1 := cell(p.X-1), cell(p.X), cell(p.Y-1), cell(p.Y)
	rows[0] = sq.segmentsOfCells(x0, x1, y0)
	if y1 > y0 {
		rows[1] = sq.segmentsOfCells(x0, x1, y1)
	}
	return rows
}

// segmentsOfCells returns the range of the segments of the cells from x0 to x1 of the row y.
func (sq *Query) segmentsOfCells(x0, x1, y int32) indexRange {
	i := sq.firstInCell(int64(x0), int64(y))
	j := i
	for j < len(sq.Segments) && sq.Segments[j].ID.Cell.Y == y && sq.Segments[j].ID.Cell.X <= x1 {
		j++
	}
	sq.Tally.Segments += j - i
	return indexRange{i, j}
}

// FewSegments is the number of segments up to which a linear search is faster than one by
// cells.
const FewSegments = 32

// RadialSearch is a radial match in progress.
type RadialSearch struct {
	P, Q     gridseg.Point
	Incoming bool
	Best     int
	dir      gridseg.Point // from p along the best
}

// Consider compares segment j, which is s, with the best so far.
func (m *RadialSearch) Consider(j int, s *gridseg.Segment) {
	end, other := s.A, s.B
	if m.Incoming {
		end, other = s.B, s.A
	}
	if end != m.P {
		return
	}
	u := gridseg.Point{X: m.Q.X - m.P.X, Y: m.Q.Y - m.P.Y}
	v := gridseg.Point{X: other.X - m.P.X, Y: other.Y - m.P.Y}
	if m.Best < 0 || lattice.MetFirst(u, v, m.dir, m.Incoming) {
		m.Best, m.dir = j, v
	}
}
