package quarry

// Where preserved layers meet, both keep their faces (see gridseg.Grid.Preserve),
// and no surface is linked over the seam. To a body such a pair is nothing: there
// is solid on both sides. Were it let be, every border of two layers would be a
// corner in a straight surface, and what slides over it would trip.

// forgetKept drops the pairs of kept faces, and links what they were between as
// it would be without them: by the radial match (see gridseg.RadialMatch).
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
	// Where what goes on is not among what was gathered the link stays: no body is
	// there.
	for i := range left {
		ga.linkEnd(&left[i])
		ga.linkStart(&left[i])
	}
}
