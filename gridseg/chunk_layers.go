package gridseg

// layers holds the pairs of layers that preserve their faces against each other. Few grids have any, and the table has
// 8 KB, so the parts of a grid share it.
type layers struct {
	table  *[256][4]uint64 // nil: no pairs
	shared bool            // the table must be copied before a change
}

// any reports whether there are pairs.
func (l *layers) any() bool { return l.table != nil }

func (l *layers) preserved(a, b uint8) bool { return l.table != nil && l.table[a][b>>6]>>(b&63)&1 != 0 }

// preserve adds the pair of a and b.
func (l *layers) preserve(a, b uint8) {
	if l.table == nil || l.shared {
		t := new([256][4]uint64)
		if l.table != nil {
			*t = *l.table
		}
		l.table, l.shared = t, false
	}
	l.table[a][b>>6] |= 1 << (b & 63)
	l.table[b][a>>6] |= 1 << (a & 63)
}

// share returns a copy of l with the same table, which both copy before they change it.
func (l *layers) share() layers {
	l.shared = true
	return *l
}
