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
	s := Stats{Bodies: w.bodies.len(), Shapes: w.shapes.len()}
	for i := range w.bodies.items {
		if b := &w.bodies.items[i]; w.bodies.used(int32(i)) && b.kind != Static && b.awake {
			s.Awake++
		}
	}
	for i := range w.contacts.items {
		c := &w.contacts.items[i]
		if !w.contacts.used(int32(i)) {
			continue
		}
		s.Contacts++
		n := 0
		for k := range c.manifolds {
			n += c.manifolds[k].n
		}
		if n > 0 {
			s.Touching++
			s.Points += n
		}
	}
	for i := range w.shapes.items {
		if w.shapes.used(int32(i)) {
			s.Dropped += int(w.shapes.items[i].dropped)
		}
	}
	s.Dropped /= 2 // each pair is counted at both shapes
	for i := range w.grounds.items {
		if w.grounds.used(int32(i)) {
			tiles, segments := w.grounds.items[i].grid.Count()
			s.Tiles += tiles
			s.Segments += segments
		}
	}
	for i := range w.chains.items {
		if w.chains.used(int32(i)) {
			s.Chains++
			s.ChainSegments += w.chains.items[i].segments()
		}
	}
	return s
}
