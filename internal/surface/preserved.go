package surface

// Where preserved layers meet, both keep their faces (see gridseg.Grid.Preserve), and no
// surface is linked across the seam. For a body there is solid on both sides of such a pair
// of faces. If the pair stayed, every border of two layers would be a corner in a straight
// surface, and a sliding body would trip over it.

// CancelPreserved removes the pairs of preserved faces, and links the segments around them
// as if the pairs did not exist: by the radial match (see lattice.RadialMatch).
func (sq *Query) CancelPreserved() {
	all := sq.Segments
	sq.joined = sq.joined[:0] // here: segments to be removed; join resets it
	for range all {
		sq.joined = append(sq.joined, false)
	}
	gone := 0
	for i := range all {
		if sq.joined[i] {
			continue
		}
		s := &all[i]
		// The other face is in the same cell or in an adjacent one.
		x, y := int64(s.ID.Cell.X), int64(s.ID.Cell.Y)
		for row := y - 1; row <= y+1; row++ {
			for j := sq.firstInCell(x-1, row); j < len(all); j++ {
				t := &all[j]
				if int64(t.ID.Cell.Y) != row || int64(t.ID.Cell.X) > x+1 {
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
	sq.Segments = left
	// A segment whose neighbour was not gathered keeps its link: no body is there.
	for i := range left {
		sq.LinkEnd(&left[i])
		sq.LinkStart(&left[i])
	}
}
