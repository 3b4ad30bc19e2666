package sandbox

import "github.com/quarry2d/quarry"

// setBreaks lets the parts of standing grounds that nothing holds fall, or hang. Anchors stay as the scene has them.
func (s *begun) setBreaks(on bool) {
	s.breaks, s.held = on, nil
	for g := range s.in.World.Grounds() {
		if d := g.Def(); g.Body().Type() != quarry.Dynamic && d.Breaks != on {
			if on && s.strokes > 0 {
				s.held = append(s.held, g.ID())
			} else {
				g.SetBreaks(on, d.Anchors, d.AnchorBits)
			}
		}
	}
}

// hold begins or continues a stroke of a client. Until its end no standing ground breaks, so that the stroke is one
// edit: parts of it that touch nothing yet do not fall before the others come.
func (s *sim) hold(c *client) {
	if c == nil || c.heldIn == s.epoch {
		return
	}
	c.heldIn = s.epoch
	if s.strokes++; s.strokes > 1 {
		return
	}
	for g := range s.in.World.Grounds() {
		if d := g.Def(); g.Body().Type() != quarry.Dynamic && d.Breaks {
			g.SetBreaks(false, d.Anchors, d.AnchorBits)
			s.held = append(s.held, g.ID())
		}
	}
}

// letGo ends a client's stroke. After the last one the grounds that hold kept break where nothing holds them.
func (s *sim) letGo(c *client) {
	if c.heldIn != s.epoch {
		return
	}
	c.heldIn = 0
	if s.strokes--; s.strokes > 0 || s.stopped != "" {
		return
	}
	for _, id := range s.held {
		if g, ok := s.in.World.Ground(id); ok {
			d := g.Def()
			g.SetBreaks(true, d.Anchors, d.AnchorBits)
		}
	}
	s.held = nil
}
