package gridseg

// layers holds the pairs of layers that preserve their faces against each other.
type layers struct {
	any      bool
	preserve [256][4]uint64
}

func (l *layers) preserved(a, b uint8) bool { return l.preserve[a][b>>6]>>(b&63)&1 != 0 }
