package gridseg

// layers says which layers keep their faces where they meet.
type layers struct {
	any      bool
	preserve [256][4]uint64
}

func (l *layers) preserved(a, b uint8) bool { return l.preserve[a][b>>6]>>(b&63)&1 != 0 }

// Preserve makes layers a and b keep both faces wherever tiles of them are
// neighbours; both are still cut at every vertex on the border. A segment is then
// linked only to segments of its own tile or polygon and of those that it does not preserve
// against, and may have no link at an end. With a == b every tile of the layer
// keeps its whole outline. Polygons of one cell are to each other as neighbours are.
//
// It is symmetric, lasts for the life of g, and must come before the first tile:
// on a grid that holds tiles, or segments still to be resolved away, it fails with
// an *Error of ErrNotEmpty and changes nothing.
func (g *Grid) Preserve(a, b uint8) error {
	if g.tiles > 0 || g.segments > 0 {
		return &Error{"Preserve", Cell{}, ErrNotEmpty}
	}
	g.layers.any = true
	g.layers.preserve[a][b>>6] |= 1 << (b & 63)
	g.layers.preserve[b][a>>6] |= 1 << (a & 63)
	return nil
}

// Preserves reports whether Preserve has been called: whether there may be
// segments that lie on one another, and segments without a link.
func (g *Grid) Preserves() bool { return g.layers.any }

// AppendPreserved appends the pairs of layers that keep their faces where they meet, each
// once, the lower layer first, in order.
func (g *Grid) AppendPreserved(dst [][2]uint8) [][2]uint8 {
	if !g.layers.any {
		return dst
	}
	for a := range 256 {
		for b := a; b < 256; b++ {
			if g.layers.preserved(uint8(a), uint8(b)) {
				dst = append(dst, [2]uint8{uint8(a), uint8(b)})
			}
		}
	}
	return dst
}
