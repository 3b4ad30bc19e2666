package play

import "github.com/quarry2d/quarry"

// setBreaks lets the parts of standing grounds that nothing holds fall, or hang. Anchors stay as the scene has them.
func (w *World) setBreaks(_ *player, c Command) error {
	w.breaks = c.All
	for g := range w.in.World.Grounds() {
		if d := g.Def(); g.Body().Type() != quarry.Dynamic && d.Breaks != c.All {
			g.SetBreaks(c.All, d.Anchors, d.AnchorBits)
		}
	}
	return nil
}

// hold begins or continues a stroke of a player. Until its end no ground breaks, so that the stroke is one edit: parts
// of it that touch nothing yet do not fall before the others come.
func (w *World) hold(p *player) {
	if p.strokes {
		return
	}
	p.strokes = true
	if w.strokes++; w.strokes == 1 {
		w.setWhole(true)
	}
}

// letGo ends a player's stroke. After the last one the grounds break where nothing holds them.
func (w *World) letGo(p *player) {
	if !p.strokes {
		return
	}
	p.strokes = false
	w.history.close(w.by)
	if w.strokes--; w.strokes == 0 {
		w.setWhole(false)
	}
}

func (w *World) setWhole(on bool) {
	for g := range w.in.World.Grounds() {
		g.SetWhole(on)
	}
}
