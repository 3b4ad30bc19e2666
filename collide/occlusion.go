package collide

import "github.com/quarry2d/quarry/geom"

// dropOccluded drops the points of m that the corners of f occlude. If none is left, it tests the
// part of f that both corners leave visible.
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

// dropOccluded drops from m, computed for a face with normal n, the points that the next face at an occluding
// corner hides from the hull's centroid c. The test uses the point's projection on the face, the place of the
// surface that pushes the hull. A projection visible just past the far end of the next face counts as visible, also
// under rounding.
func (e *corner) dropOccluded(m *Manifold, n, c geom.Vec) {
	h := e.nextNormal.Dot(c.Sub(e.p))
	l := e.toGhost.Len()
	visible := 0
	for k := range m.N {
		p := m.Points[k&1]
		foot := p.Anchor.MulAdd(-0.5*p.Separation, m.Normal)
		foot = foot.MulAdd(-n.Dot(foot.Sub(e.p)), n)
		f := e.nextNormal.Dot(foot.Sub(e.p)) // >= 0 from the corner on
		at := foot.Lerp(c, max(0, f)/(max(0, f)-h))
		if x := e.toGhost.Dot(at.Sub(e.p)); x >= -sideSlop*l && x < l*(l-sideSlop) {
			continue
		}
		m.Points[visible&1] = p
		visible++
	}
	m.N = visible
}

// occludes reports whether the corner, of a face with normal n, is concave and c is behind its next
// face: only then can the next face occlude anything from c.
func (e *corner) occludes(n, c geom.Vec) bool {
	return !e.open && e.nextNormal.Dot(c.Sub(e.p)) < 0 && !e.convex(n)
}

// addVisible sets m to the lowest point of g over the part of the face f that is visible from the
// centroid c, if the core of g crosses that part. Then g has come there through air: the line of
// sight from c is inside of g.
func addVisible(m *Manifold, f *Face, byA, byB bool, n geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec,
	margin float64,
) {
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
		return // nothing is visible, as where both neighbours end in one point
	}
	p.h.place(g, hInF)
	if _, out := p.h.maxSeparationSegment(p.face.a, p.face.b, 0); out > 0 || p.h.minDistance(f.A, n) > 0 {
		return
	}
	p.lowestPoint(m, margin)
}

// visibleFrom returns the intersection of the line from c through the far end of a neighbour with
// the line of f; false if the neighbour occludes all of f.
func (f *Face) visibleFrom(tip, n, c geom.Vec) (geom.Vec, bool) {
	high, low := n.Dot(c.Sub(f.A)), n.Dot(tip.Sub(f.A))
	if !(high > low) {
		return geom.Vec{}, false
	}
	return c.Lerp(tip, high/(high-low)), true
}
