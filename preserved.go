package quarry

// Where preserved layers meet, both keep their faces (see gridseg.Grid.Preserve),
// and no surface is linked over the seam. To a body such a pair is nothing: there
// is solid on both sides. Were it let be, every border of two layers would be a
// corner in a straight surface, and what slides over it would trip.

// cancelPreserved drops the pairs of kept faces, and links what they were between as
// it would be without them: by the radial match (see gridseg.RadialMatch).
func (sq *surfaceQuery) cancelPreserved() {
	all := sq.segments
	sq.joined = sq.joined[:0] // here, which are dropped; join, which comes later, makes it anew
	for range all {
		sq.joined = append(sq.joined, false)
	}
	gone := 0
	for i := range all {
		if sq.joined[i] {
			continue
		}
		s := &all[i]
		// The other face is in the same cell or in one beside it.
		for y := s.ID.Cell.Y - 1; y <= s.ID.Cell.Y+1; y++ {
			for j := sq.firstInCell(s.ID.Cell.X-1, y); j < len(all); j++ {
				t := &all[j]
				if t.ID.Cell.Y != y || t.ID.Cell.X > s.ID.Cell.X+1 {
					break
				}
				if t.A == s.B && t.B == s.A {
					sq.joined[i], sq.joined[j] = true, true
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
		if !sq.joined[i] {
			left = append(left, all[i])
		}
	}
	sq.segments = left
	// Where what goes on is not among what was gathered the link stays: no body is
	// there.
	for i := range left {
		sq.linkEnd(&left[i])
		sq.linkStart(&left[i])
	}
}
