package quarry

import (
	"sort"

	"github.com/quarry2d/quarry/gridseg"
)

// Where preserved layers meet, both keep their faces (see gridseg.Grid.Preserve),
// and no surface is linked over the seam. To a body such a pair is nothing: there
// is solid on both sides. Were it let be, every border of two layers would be a
// corner in a straight surface, and what slides over it would trip.

// forgetKept drops the pairs of kept faces, and links what they were between as
// it would be without them.
func (ga *gather) forgetKept() {
	all := ga.segments
	ga.joined = ga.joined[:0] // here, which are dropped; join, which comes later, makes it anew
	for range all {
		ga.joined = append(ga.joined, false)
	}
	gone := 0
	for i := range all {
		if ga.joined[i] {
			continue
		}
		s := &all[i]
		// The other face is in the same cell or in one beside it.
		for y := s.ID.Cell.Y - 1; y <= s.ID.Cell.Y+1; y++ {
			for j := ga.from(s.ID.Cell.X-1, y); j < len(all); j++ {
				t := &all[j]
				if t.ID.Cell.Y != y || t.ID.Cell.X > s.ID.Cell.X+1 {
					break
				}
				if t.A == s.B && t.B == s.A {
					ga.joined[i], ga.joined[j] = true, true
					gone += 2
					break
				}
			}
		}
	}
	if gone == 0 {
		return
	}
	left := all[:0]
	for i := range all {
		if !ga.joined[i] {
			left = append(left, all[i])
		}
	}
	ga.segments = left
	for i := range left {
		s := &left[i]
		next, prev := false, false
		for j := range left {
			// The radial match: see gridseg.RadialMatch. Where what goes on is
			// not among what was gathered the link stays: no body is there.
			t := &left[j]
			if t.A == s.B && (!next || sooner(s.B, s.A, t.B, s.Ghost2)) {
				s.Ghost2, s.Next, s.HasGhost2, next = t.B, t.ID, true, true
			}
			if t.B == s.A && (!prev || sooner(s.A, s.B, s.Ghost1, t.A)) {
				s.Ghost1, s.Prev, s.HasGhost1, prev = t.A, t.ID, true, true
			}
		}
	}
}

// from returns the index of the first segment of the cell (x, y), or of what
// comes after it.
func (ga *gather) from(x, y int32) int {
	return sort.Search(len(ga.segments), func(i int) bool {
		c := ga.segments[i].ID.Cell
		return c.Y > y || c.Y == y && c.X >= x
	})
}

// sooner reports whether p is met before q by who stands at o, looks at the point
// from, and turns counter-clockwise; what is in the direction of from is met last.
func sooner(o, from, p, q gridseg.Point) bool {
	hp, hq := half(o, from, p), half(o, from, q)
	if hp != hq {
		return hp < hq
	}
	return cross(o, p, q) > 0
}

// half returns where p is in the turn from the direction of from: 0 in its first
// half, the half turn included, 1 in the second, 2 at the end.
func half(o, from, p gridseg.Point) int {
	c := cross(o, from, p)
	switch {
	case c > 0:
		return 0
	case c < 0:
		return 1
	case (from.X-o.X)*(p.X-o.X)+(from.Y-o.Y)*(p.Y-o.Y) < 0:
		return 0
	}
	return 2
}

func cross(o, p, q gridseg.Point) int64 {
	return (p.X-o.X)*(q.Y-o.Y) - (p.Y-o.Y)*(q.X-o.X)
}
