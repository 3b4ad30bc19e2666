package collide

import "github.com/quarry2d/quarry/geom"

// corner is one end of a face, seen from the face.
type corner struct {
	p      geom.Vec // the end
	g      geom.Vec // from the end to the ghost
	out    geom.Vec // unit, along the face and off its end
	beyond geom.Vec // normal of the face beyond, not of unit length
	open   bool
	v      feature
}

// cornerA returns the corner at A of a face with the tangent t.
func (f *Face) cornerA(t geom.Vec) corner {
	g := f.Ghost1.Sub(f.A)
	return corner{p: f.A, g: g, out: t.Neg(), beyond: g.Left(), open: !f.HasGhost1, v: vertex(0)}
}

// cornerB returns the corner at B.
func (f *Face) cornerB(t geom.Vec) corner {
	g := f.Ghost2.Sub(f.B)
	return corner{p: f.B, g: g, out: t, beyond: g.Right(), open: !f.HasGhost2, v: vertex(1)}
}

// convex reports whether the solid turns away at the corner of a face with the
// normal n: the ghost is behind the face, or back along it (a whole turn).
func (e *corner) convex(n geom.Vec) bool {
	h := n.Dot(e.g)
	flat := flatSine * e.g.Len()
	return h < -flat || (h <= flat && e.out.Dot(e.g) < 0)
}

// cone reports whether d, which leans over the corner, is in the normal cone of
// the (convex) corner: whether no edge leads from it along d.
func (e *corner) cone(d geom.Vec) bool { return d.Dot(e.g) <= flatSine*e.g.Len() }

// neighbour reports whether the face beyond the corner is the better one to
// push h out, along its own normal: own is what the face's own normal comes to.
// Of two neighbours at most one thinks so of the other, and the one so chosen is
// in touch with h, so that it will not leave h to nobody.
func (e *corner) neighbour(h *Hull, c geom.Vec, own, reach float64) bool {
	n, l := e.beyond.Unit()
	if l == 0 || n.Dot(c.Sub(e.p)) < 0 {
		return false
	}
	if s := h.below(e.p, n); s <= own+axisSlop || s > reach {
		return false
	}
	_, s := h.facingLine(e.p, e.p.Add(e.g), reach)
	return s <= reach
}

// hide drops from m, found at a face with the normal n, the points that a
// concave corner's other face hides from the hull's centroid c, and reports
// whether there were any. What is hidden is the point's foot on the face: the
// surface that it would be pushed off.
func (e *corner) hide(m *Manifold, n, c geom.Vec) bool {
	h := e.beyond.Dot(c.Sub(e.p))
	if h >= 0 || m.N == 0 || e.convex(n) {
		return false
	}
	kept := 0
	for k := range m.N {
		p := m.Points[k&1]
		foot := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
		foot = foot.MulAdd(-n.Dot(foot.Sub(e.p)), n)
		f := e.beyond.Dot(foot.Sub(e.p)) // from 0, at the corner, up
		at := foot.Lerp(c, max(0, f)/(max(0, f)-h))
		if x := e.g.Dot(at.Sub(e.p)); x >= -sideSlop*e.g.Len() && x <= e.g.Len2() {
			continue
		}
		m.Points[kept&1] = p
		kept++
	}
	hidden := kept < m.N
	m.N = kept
	return hidden
}

// inSight sets m to the lowest point of g over the part of the face f that the
// corner e does not hide from the centroid c, if the core of g crosses that
// part. The way there from c is all in g and all in the air.
func inSight(m *Manifold, f *Face, e *corner, n geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	// Where the line from c over the tip of the neighbour meets the face.
	tip := e.p.Add(e.g)
	high, low := n.Dot(c.Sub(e.p)), n.Dot(tip.Sub(e.p))
	if !(high > low) {
		return // the tip hides all of it
	}
	s := c.Lerp(tip, high/(high-low))
	p := approach{ground: side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}}
	if e.v == vertex(0) {
		p.ground.a, p.ground.ia = s, edge(0)
	} else {
		p.ground.b, p.ground.ib = s, edge(0)
	}
	t := n.Left()
	if !(t.Dot(p.ground.b.Sub(p.ground.a)) > 0) {
		return
	}
	p.h.place(g, hInF)
	if _, out := p.h.facingLine(p.ground.a, p.ground.b, 0); out > 0 || p.h.below(f.A, n) > 0 {
		return
	}
	p.lowest(m, margin)
}
