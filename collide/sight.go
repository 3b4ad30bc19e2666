package collide

import "github.com/quarry2d/quarry/geom"

// hidden drops from m what the corners of f hide, and looks at what both leave in
// sight if that is all.
func hidden(m *Manifold, f *Face, t geom.Vec, h *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	n := t.Right()
	a, b := f.cornerA(t), f.cornerB(t)
	byA, byB := a.concealing(n, c), b.concealing(n, c)
	if byA {
		a.hide(m, n, c)
	}
	if byB {
		b.hide(m, n, c)
	}
	if m.N == 0 && h.N > 1 {
		inSight(m, f, byA, byB, n, h, hInF, c, margin)
	}
}

// hide drops from m, found at a face with the normal n, the points that the other
// face of a concealing corner hides from the hull's centroid c. What counts is the
// point's foot on the face, the place of the surface that it would be pushed off.
// A foot that is seen just past the tip of the other face is in sight, whichever
// way rounding has it.
func (e *corner) hide(m *Manifold, n, c geom.Vec) {
	h := e.beyond.Dot(c.Sub(e.p))
	l := e.g.Len()
	kept := 0
	for k := range m.N {
		p := m.Points[k&1]
		foot := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
		foot = foot.MulAdd(-n.Dot(foot.Sub(e.p)), n)
		f := e.beyond.Dot(foot.Sub(e.p)) // from 0, at the corner, up
		at := foot.Lerp(c, max(0, f)/(max(0, f)-h))
		if x := e.g.Dot(at.Sub(e.p)); x >= -sideSlop*l && x < l*(l-sideSlop) {
			continue
		}
		m.Points[kept&1] = p
		kept++
	}
	m.N = kept
}

// concealing reports whether the corner, of a face with the normal n, is a concave
// one whose other face has c behind it: only such a one can hide anything from c.
func (e *corner) concealing(n, c geom.Vec) bool {
	return !e.open && e.beyond.Dot(c.Sub(e.p)) < 0 && !e.convex(n)
}

// inSight sets m to the lowest point of g over the part of the face f that its
// concealing corners do not hide from the centroid c, if the core of g crosses that
// part: then g has come there through air, for the straight way from c is all in g.
func inSight(m *Manifold, f *Face, byA, byB bool, n geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	p := approach{ground: side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}}
	if byA {
		s, ok := f.past(f.Ghost1, n, c)
		if !ok {
			return
		}
		p.ground.a, p.ground.ia = s, edge(0)
	}
	if byB {
		s, ok := f.past(f.Ghost2, n, c)
		if !ok {
			return
		}
		p.ground.b, p.ground.ib = s, edge(0)
	}
	if t := n.Left(); t.Dot(p.ground.b.Sub(p.ground.a)) <= sideSlop {
		return // the two hide all of it, as where both end in one tip
	}
	p.h.place(g, hInF)
	if _, out := p.h.facingLine(p.ground.a, p.ground.b, 0); out > 0 || p.h.below(f.A, n) > 0 {
		return
	}
	p.lowest(m, margin)
}

// past returns where the line from c through the tip of a neighbour meets the line
// of f, or false if the tip hides all of f.
func (f *Face) past(tip, n, c geom.Vec) (geom.Vec, bool) {
	high, low := n.Dot(c.Sub(f.A)), n.Dot(tip.Sub(f.A))
	if !(high > low) {
		return geom.Vec{}, false
	}
	return c.Lerp(tip, high/(high-low)), true
}
