package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// faceSAT is the separating axis test of a face and a core with edges, in the face's frame.
type faceSAT struct {
	h       Hull
	face    side
	c       geom.Vec // centroid of h
	faceSep float64  // separation along the face's normal
	hullSep float64  // largest separation along a normal of the core
	edge    int      // the core's edge with that separation
	vertex  int      // the core's vertex closest to an end of the face, or -1
	axis    geom.Vec // from the end to that vertex, or the reversed normal of edge
	dist    float64  // distance of the vertex
}

// faceHull is FaceHull for a core with edges; c is its centroid.
func faceHull(m *Manifold, f *Face, t geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	var p faceSAT
	h := &p.h
	h.place(g, hInF)
	n := t.Right()
	maxDist := h.Radius + margin
	p.faceSep = h.minDistance(f.A, n)
	if p.faceSep > maxDist {
		return
	}
	p.edge, p.hullSep = h.maxSeparationSegment(f.A, f.B, maxDist)
	if p.hullSep > maxDist {
		return
	}
	p.c = c
	p.face = side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}
	p.axis, p.vertex = h.Nrm[p.edge&7].Neg(), -1

	best := max(p.faceSep, p.hullSep)
	minDist := minCoreDistance
	if h.N == 2 {
		// a segment in line with the face is separate from its end without a face normal that shows it
		minDist = -minCoreDistance
	}
	if h.Radius > 0 && best > minDist {
		if i, w, ok := p.closestVertex(t, best); ok {
			d, dist := w.Unit()
			if dist > maxDist {
				return
			}
			p.axis, p.vertex, p.dist = d, i, dist
		}
	}

	axisAlong := t.Dot(p.axis)
	pastEnd := axisAlong != 0 && (p.vertex >= 0 || p.hullSep > p.faceSep)
	var e corner
	if pastEnd {
		if axisAlong < 0 {
			e = f.cornerA(t)
		} else {
			e = f.cornerB(t)
		}
	}
	hullBetter := p.vertex >= 0 || p.hullSep > p.faceSep+axisBias(best, h.Radius)
	if p.vertex >= 0 && pastEnd && nearFaceNormal(p.faceSep, p.dist) {
		// A rounded edge lies on the face with their ends nearly aligned. As in hulls, two points
		// are better than a corner contact of the same depth.
		var q side
		h.side(&q, h.incidentEdge(n))
		clip(m, &p.face, &q, margin, sideSlop, false, false)
		if m.N == 2 && min(m.Points[0].Separation, m.Points[1].Separation) <= p.dist-h.Radius+axisSlop {
			return
		}
		m.N = 0
	}
	if pastEnd && hullBetter && p.admitAtEnd(m, &e, margin) {
		return
	}
	var q side
	h.side(&q, h.incidentEdge(n))
	clip(m, &p.face, &q, margin, sideSlop, false, false)
	if m.N == 0 && pastEnd && !hullBetter && p.admitAtEnd(m, &e, margin) {
		return // n was chosen by the bias only, and no point is over the face
	}
	if m.N == 0 && best <= 0 {
		p.lowestPoint(m, margin)
	}
}

// admitAtEnd handles the direction p.axis, which points past the corner e, and sets m if the
// direction is admitted. It returns false if the face's own normal must be used.
func (p *faceSAT) admitAtEnd(m *Manifold, e *corner, margin float64) bool {
	convex := !e.open && e.convex(p.face.n)
	switch {
	case e.open && p.axis.Dot(p.face.n) >= -endSine || convex && e.inCone(p.axis):
		if p.vertex >= 0 {
			w := p.h.V[p.vertex&7]
			m.Normal = p.axis
			m.add(w, p.axis, p.axis.Dot(w.Sub(e.p)), 0, p.h.Radius, margin, pair(e.v, vertex(p.vertex)))
			return true
		}
		p.edgeAtCorner(m, e, margin)
		return m.N > 0 || p.hullSep > 0
	case convex:
		return e.nextIsBetter(p, p.h.Radius+margin)
	}
	return false
}

// lowestPoint sets m to the lowest point of the core over the face. It is needed where the edge
// facing the ground lies nowhere over the face, although the core crosses it: in a steep or deep
// overlap.
func (p *faceSAT) lowestPoint(m *Manifold, margin float64) {
	face, h := &p.face, &p.h
	t := face.n.Left()
	width := t.Dot(face.b.Sub(face.a))
	least := math.MaxFloat64
	var at geom.Vec
	var id FeatureID
	try := func(x geom.Vec, name FeatureID) {
		if s := face.n.Dot(x.Sub(face.a)); s < least {
			least, at, id = s, x, name
		}
	}
	for i := range h.N {
		var e side
		h.side(&e, i)
		a, b := t.Dot(e.a.Sub(face.a)), t.Dot(e.b.Sub(face.a))
		if a >= 0 && a <= width {
			try(e.a, pair(face.ie, e.ia))
		}
		if a*b < 0 {
			try(e.a.Lerp(e.b, a/(a-b)), pair(face.ia, e.ie))
		}
		if (a-width)*(b-width) < 0 {
			try(e.a.Lerp(e.b, (a-width)/(a-b)), pair(face.ib, e.ie))
		}
	}
	if least < math.MaxFloat64 {
		m.Normal = face.n
		m.add(at, face.n, least, 0, h.Radius, margin, id)
	}
}

// edgeAtCorner sets m to the contact of the core's best edge with the ground at the corner e, along
// the edge's normal.
func (p *faceSAT) edgeAtCorner(m *Manifold, e *corner, margin float64) {
	face := &p.face
	var ref side
	p.h.side(&ref, p.edge)
	if ref.n.Dot(face.n) < 0 {
		clip(m, &ref, face, margin, sideSlop, true, false)
		return
	}
	// The ground turns back below the hull at the corner, out of its reach, so only the corner
	// counts.
	m.Normal = ref.n.Neg()
	x := ref.n.Left().Dot(e.p.Sub(ref.a))
	if x >= -sideSlop && x <= ref.a.Dist(ref.b)+sideSlop {
		m.add(e.p, ref.n, ref.n.Dot(e.p.Sub(ref.a)), ref.r, 0, margin, pair(e.v, ref.ie))
	}
}

// closestVertex returns the vertex of the core closest to an end of the face, and the vector from
// that end to the vertex. ok is false unless they are the closest points of face and core, and
// outside of the side planes of the edge with separation faces.
func (p *faceSAT) closestVertex(t geom.Vec, faces float64) (at int, d geom.Vec, ok bool) {
	h := &p.h
	best := math.MaxFloat64
	lean := 1.0
	for i := range h.N {
		v := h.V[i&7]
		if w := v.Sub(p.face.a); w.Len2() < best {
			best, at, d, lean = w.Len2(), i, w, -1
		}
		if w := v.Sub(p.face.b); w.Len2() < best {
			best, at, d, lean = w.Len2(), i, w, 1
		}
	}
	return at, d, lean*t.Dot(d) >= 0 && h.isSupport(at, d) && outsidePlanes(d, faces)
}
