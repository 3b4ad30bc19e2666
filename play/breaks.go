package play

import "github.com/quarry2d/quarry"

// setBreaks lets the parts of standing grounds that nothing holds fall, or hang. Anchors stay as the scene has them.
func (w *World) setBreaks(_ *player, c Command) error {
	w.breaks, w.held = c.All, nil
	for g := range w.in.World.Grounds() {
		if d := g.Def(); g.Body().Type() != quarry.Dynamic && d.Breaks != c.All {
			if c.All && w.strokes > 0 {
				w.held = append(w.held, g.ID())
			} else {
				g.SetBreaks(c.All, d.Anchors, d.AnchorBits)
			}
		}
	}
	return nil
}

// hold begins or continues a stroke of a player. Until its end no standing ground breaks, so that the stroke is one
// edit: parts of it that touch nothing yet do not fall before the others come.
func (w *World) hold(p *player) {
	if p.strokes {
		return
	}
	p.strokes = true
	if w.strokes++; w.strokes > 1 {
		return
	}
	for g := range w.in.World.Grounds() {
		if d := g.Def(); g.Body().Type() != quarry.Dynamic && d.Breaks {
			g.SetBreaks(false, d.Anchors, d.AnchorBits)
			w.held = append(w.held, g.ID())
		}
	}
}

// letGo ends a player's stroke. After the last one the grounds that hold kept break where nothing holds them.
func (w *World) letGo(p *player) {
	if !p.strokes {
		return
	}
	p.strokes = false
	w.history.close(w.by)
	if w.strokes--; w.strokes > 0 {
		return
	}
	for _, id := range w.held {
		if g, ok := w.in.World.Ground(id); ok {
			d := g.Def()
			g.SetBreaks(true, d.Anchors, d.AnchorBits)
		}
	}
	w.held = nil
}
