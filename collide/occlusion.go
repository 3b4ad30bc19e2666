package collide

import "github.com/quarry2d/quarry/geom"

// dropOccluded drops from m what the corners of f hide, and looks at what both leave in
// sight if that is all.
func dropOccluded(m *Manifold, f *Face, t geom.Vec, h *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	n := t.Right()
	a, b := f.cornerA(t), f.cornerB(t)
	byA, byB := a.occludes(n, c), b.occludes(n, c)
	if byA {
		a.dropOccluded(m, n, c)
	}
	if byB {
		b.dropOccluded(m, n, c)
	}
	if m.N == 0 && h.N > 1 {
		addVisible(m, f, byA, byB, n, h, hInF, c, margin)
	}
}

// dropOccluded drops from m, found at a face with the normal n, the points that the other
// face of a concealing corner hides from the hull's centroid c. What counts is the
// point's foot on the face, the place of the surface that it would be pushed off.
// A foot that is seen just past the tip of the other face is in sight, whichever
// way rounding has it.
func (e *corner) dropOccluded(m *Manifold, n, c geom.Vec) {
	h := e.nextNormal.Dot(c.Sub(e.p))
	l := e.toGhost.Len()
	visible := 0
	for k := range m.N {
		p := m.Points[k&1]
		foot := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
		foot = foot.MulAdd(-n.Dot(foot.Sub(e.p)), n)
		f := e.nextNormal.Dot(foot.Sub(e.p)) // from 0, at the corner, up
		at := foot.Lerp(c, max(0, f)/(max(0, f)-h))
		if x := e.toGhost.Dot(at.Sub(e.p)); x >= -sideSlop*l && x < l*(l-sideSlop) {
			continue
		}
		m.Points[visible&1] = p
		visible++
	}
	m.N = visible
}

// occludes reports whether the corner, of a face with the normal n, is a concave
// one whose other face has c behind it: only such a one can hide anything from c.
func (e *corner) occludes(n, c geom.Vec) bool {
	return !e.open && e.nextNormal.Dot(c.Sub(e.p)) < 0 && !e.convex(n)
}

// addVisible sets m to the lowest point of g over the part of the face f that its
// concealing corners do not hide from the centroid c, if the core of g crosses that
// part: then g has come there through air, for the straight way from c is all in g.
func addVisible(m *Manifold, f *Face, byA, byB bool, n geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	p := faceSAT{face: side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}}
	if byA {
		s, ok := f.visibleFrom(f.Ghost1, n, c)
		if !ok {
			return
		}
		p.face.a, p.face.ia = s, edge(0)
	}
	if byB {
		s, ok := f.visibleFrom(f.Ghost2, n, c)
		if !ok {
			return
		}
		p.face.b, p.face.ib = s, edge(0)
	}
	if t := n.Left(); t.Dot(p.face.b.Sub(p.face.a)) <= sideSlop {
		return // the two hide all of it, as where both end in one tip
	}
	p.h.place(g, hInF)
	if _, out := p.h.maxSeparationSegment(p.face.a, p.face.b, 0); out > 0 || p.h.minDistance(f.A, n) > 0 {
		return
	}
	p.lowestPoint(m, margin)
}

// visibleFrom returns where the line from c through the tip of a neighbour meets the line
// of f, or false if the tip hides all of f.
func (f *Face) visibleFrom(tip, n, c geom.Vec) (geom.Vec, bool) {
	high, low := n.Dot(c.Sub(f.A)), n.Dot(tip.Sub(f.A))
	if !(high > low) {
		return geom.Vec{}, false
	}
	return c.Lerp(tip, high/(high-low)), true
}
