package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// approach is a core with edges before a face, in the face's frame.
type approach struct {
	h      Hull
	ground side
	c      geom.Vec // centroid of h
	own    float64  // what the face's normal separates
	s      float64  // what the best of the core's edges separates
	edge   int      // that edge
	vertex int      // the core's vertex that is nearest of all, to an end; or -1
	d      geom.Vec // the direction of the vertex, or against the edge's normal
	dist   float64  // how far off the vertex is
}

// faceHull is FaceHull for a core with edges, whose centroid is c.
func faceHull(m *Manifold, f *Face, t geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	var p approach
	h := &p.h
	h.place(g, hInF)
	n := t.Right()
	reach := h.Radius + margin
	p.own = h.below(f.A, n)
	if p.own > reach {
		return
	}
	p.edge, p.s = h.facingLine(f.A, f.B, reach)
	if p.s > reach {
		return
	}
	p.c = c
	p.ground = side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}
	p.d, p.vertex = h.Nrm[p.edge&7].Neg(), -1

	best := max(p.own, p.s)
	apart := apartSlop
	if h.N == 2 {
		apart = -apartSlop // in line with the face, and so apart from its end unseen by any face
	}
	if h.Radius > 0 && best > apart {
		if i, w, ok := p.nearest(t, best); ok {
			d, dist := w.Unit()
			if dist > reach {
				return
			}
			p.d, p.vertex, p.dist = d, i, dist
		}
	}

	lean := t.Dot(p.d)
	leans := lean != 0 && (p.vertex >= 0 || p.s > p.own)
	var e corner
	if leans {
		if lean < 0 {
			e = f.cornerA(t)
		} else {
			e = f.cornerB(t)
		}
	}
	clear := p.vertex >= 0 || p.s > p.own+bias(best, h.Radius)
	if p.vertex >= 0 && leans && alongFace(p.own, p.dist) {
		// A rounded edge on the face, their ends nearly in line: as in hulls, two
		// points if that is as deep.
		var q side
		h.side(&q, h.facing(n))
		clip(m, &p.ground, &q, margin, sideSlop, false, false)
		if m.N == 2 && min(m.Points[0].Separation, m.Points[1].Separation) <= p.dist-h.Radius+axisSlop {
			return
		}
		m.N = 0
	}
	if leans && clear && p.overEnd(m, &e, margin) {
		return
	}
	var q side
	h.side(&q, h.facing(n))
	clip(m, &p.ground, &q, margin, sideSlop, false, false)
	if m.N == 0 && leans && !clear && p.overEnd(m, &e, margin) {
		return // it was the bias that took n, and nothing is over the face
	}
	if m.N == 0 && best <= 0 {
		p.lowest(m, margin)
	}
}

// overEnd judges the direction p.d, which leans over the corner e, and sets m if
// it is admitted. It reports whether that is all: if not, the face's own normal
// is to be used.
func (p *approach) overEnd(m *Manifold, e *corner, margin float64) bool {
	convex := !e.open && e.convex(p.ground.n)
	switch {
	case e.open && p.d.Dot(p.ground.n) >= -endSine || convex && e.cone(p.d):
		if p.vertex >= 0 {
			w := p.h.V[p.vertex&7]
			m.Normal = p.d
			m.add(w, p.d, p.d.Dot(w.Sub(e.p)), 0, p.h.Radius, margin, pair(e.v, vertex(p.vertex)))
			return true
		}
		p.cornerEdge(m, e, margin)
		return m.N > 0 || p.s > 0
	case convex:
		return e.neighbour(p, p.h.Radius+margin)
	}
	return false
}

// lowest sets m to the lowest point of the core over the face, where the edge
// that faces the ground is nowhere over it although the core crosses it: a
// steep or a deep overlap.
func (p *approach) lowest(m *Manifold, margin float64) {
	ground, h := &p.ground, &p.h
	t := ground.n.Left()
	width := t.Dot(ground.b.Sub(ground.a))
	least := math.MaxFloat64
	var at geom.Vec
	var id FeatureID
	try := func(x geom.Vec, name FeatureID) {
		if s := ground.n.Dot(x.Sub(ground.a)); s < least {
			least, at, id = s, x, name
		}
	}
	for i := range h.N {
		var e side
		h.side(&e, i)
		a, b := t.Dot(e.a.Sub(ground.a)), t.Dot(e.b.Sub(ground.a))
		if a >= 0 && a <= width {
			try(e.a, pair(ground.ie, e.ia))
		}
		if a*b < 0 {
			try(e.a.Lerp(e.b, a/(a-b)), pair(ground.ia, e.ie))
		}
		if (a-width)*(b-width) < 0 {
			try(e.a.Lerp(e.b, (a-width)/(a-b)), pair(ground.ib, e.ie))
		}
	}
	if least < math.MaxFloat64 {
		m.Normal = ground.n
		m.add(at, ground.n, least, 0, h.Radius, margin, id)
	}
}

// cornerEdge sets m to the contact of the core's best edge with the ground at
// the corner e, along the edge's normal.
func (p *approach) cornerEdge(m *Manifold, e *corner, margin float64) {
	ground := &p.ground
	var ref side
	p.h.side(&ref, p.edge)
	if ref.n.Dot(ground.n) < 0 {
		clip(m, &ref, ground, margin, sideSlop, true, false)
		return
	}
	// The ground runs from the corner back under the hull, out of its reach.
	m.Normal = ref.n.Neg()
	x := ref.n.Left().Dot(e.p.Sub(ref.a))
	if x >= -sideSlop && x <= ref.a.Dist(ref.b)+sideSlop {
		m.add(e.p, ref.n, ref.n.Dot(e.p.Sub(ref.a)), ref.r, 0, margin, pair(e.v, ref.ie))
	}
}

// nearest returns the vertex of the core nearest to an end of the face and the
// way from that end to it, if they are the closest points of face and
// core and outside the side planes of the edge that separates by faces.
func (p *approach) nearest(t geom.Vec, faces float64) (at int, d geom.Vec, ok bool) {
	h := &p.h
	best := math.MaxFloat64
	lean := 1.0
	for i := range h.N {
		v := h.V[i&7]
		if w := v.Sub(p.ground.a); w.Len2() < best {
			best, at, d, lean = w.Len2(), i, w, -1
		}
		if w := v.Sub(p.ground.b); w.Len2() < best {
			best, at, d, lean = w.Len2(), i, w, 1
		}
	}
	return at, d, lean*t.Dot(d) >= 0 && h.away(at, d) && aside(d, faces)
}
