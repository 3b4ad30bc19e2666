package quarry

import "github.com/quarry2d/quarry/gridseg"

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
	best, turn := -1, spoke{}
	for j := range ga.segments {
		s := &ga.segments[j]
		end, other := s.A, s.B
		if incoming {
			end, other = s.B, s.A
		}
		if end != p {
			continue
		}
		u := gridseg.Point{X: q.X - p.X, Y: q.Y - p.Y}
		v := gridseg.Point{X: other.X - p.X, Y: other.Y - p.Y}
		if incoming { // a clockwise turn is one counter-clockwise in the mirror
			u.X, v.X = -u.X, -v.X
		}
		k := spokeOf(u, v)
		if best < 0 || k.before(turn) {
			best, turn = j, k
		}
	}
	return best
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
