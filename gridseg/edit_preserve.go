package gridseg

// Preserve makes layers a and b keep both faces wherever their tiles are neighbours; both faces are
// still cut at every vertex on the border. A segment then links only to segments of its own tile or
// polygon and of layers that it does not preserve against, and may have no link at an end. With a
// == b every tile of the layer keeps its whole outline. The polygons of one cell count as
// neighbours of each other. Preserve is symmetric and lasts for the life of g.
//
// It must come before the first tile: on a grid with tiles, or with segments before the Resolve
// that removes them, it fails with an *Error and changes nothing.
func (g *Grid) Preserve(a, b uint8) error {
	if err := g.refuseOwned("Preserve", Cell{}); err != nil {
		return err
	}
	if g.tiles > 0 || g.segments > 0 || g.away.n > 0 {
		return &Error{"Preserve", Cell{}, errNotEmpty}
	}
	g.saved = nil
	g.layers.preserve(a, b)
	return nil
}

// Preserves reports whether Preserve has been called. Only then segments may lie on one another or
// have no link.
func (g engine) Preserves() bool { return g.layers.any() }

// AppendPreserved appends the pairs of layers given to Preserve, in ascending order, each once with
// the lower layer first.
func (g *reader) AppendPreserved(dst [][2]uint8) [][2]uint8 {
	if !g.layers.any() {
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
