package quarry

// Stats counts the contents of a world.
type Stats struct {
	Bodies, Awake, Shapes int
	// Contacts is the number of pairs of shapes, and of shapes and grounds or chains, whose
	// boxes in the broad phase overlap; Touching of those with a contact point; Points of
	// their contact points.
	Contacts, Touching, Points int
	// Dropped is the number of pairs of shapes that overlap, or nearly, without a contact,
	// because the boxes of each overlap those of more than 64 shapes of other dynamic bodies
	// and the pair is not among the 8 deepest of either shape, or not among the 16 deepest
	// that a body keeps. It is 0 in most worlds.
	Dropped int
	// Segments and Tiles are the totals of all grounds.
	Segments, Tiles int
	// Chains is the number of chains, ChainSegments the total of their segments.
	Chains, ChainSegments int
}

// Stats counts the present contents of the world.
func (w *World) Stats() Stats {
	s := Stats{Bodies: w.bodies.Len(), Shapes: w.shapes.Len()}
	for i := range w.bodies.Slots() {
		if b := w.bodies.At(i); w.bodies.Used(i) && b.kind != Static && b.awake {
			s.Awake++
		}
	}
	for i := range w.contacts.Slots() {
		c := w.contacts.At(i)
		if !w.contacts.Used(i) {
			continue
		}
		s.Contacts++
		n := 0
		for k := range c.manifolds {
			n += c.manifolds[k].N
		}
		if n > 0 {
			s.Touching++
			s.Points += n
		}
	}
	for i := range w.shapes.Slots() {
		if w.shapes.Used(i) {
			s.Dropped += int(w.shapes.At(i).dropped)
		}
	}
	s.Dropped /= 2 // each pair is counted at both shapes
	for i := range w.grounds.Slots() {
		if w.grounds.Used(i) {
			tiles, segments := w.grounds.At(i).tiles.Grid.Count()
			s.Tiles += tiles
			s.Segments += segments
		}
	}
	for i := range w.chains.Slots() {
		if w.chains.Used(i) {
			s.Chains++
			s.ChainSegments += w.chains.At(i).Segments()
		}
	}
	return s
}
