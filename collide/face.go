package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Face is a one-sided piece of ground: solid on the left of A-B, normal on the
// right. Ghost1 is the far end of the face that ends at A, Ghost2 of the one
// that starts at B. Without a ghost the end is open. A ghost at the face's own
// other end is a knife edge: the surface turns back all the way.
type Face struct {
	A, B, Ghost1, Ghost2 geom.Vec
	HasGhost1, HasGhost2 bool
}

// FaceHull sets m to the contact of the ground f and h in f's frame, hInF being
// the frame of h there; the normal is from f to h. Points whose surfaces are at
// most margin (units of length) apart are reported; m.N is 0 if there are none.
//
// A hull whose centroid is behind the line of the face does not touch it.
// Else let n be the face's normal and d the direction that separates best: n,
// or against a face of the hull if that is better by the bias that Hulls has, or
// between the closest vertices of the face and a rounded core apart from it. A d
// that leans over an end is judged by the corner there:
//
//   - open: it is admitted, whatever it is;
//   - flat or concave: n is used instead (snapped); a circle is left to the
//     face that its centre is over;
//   - convex: it is admitted if it is in the corner's normal cone, between the
//     two faces' normals. If not, the neighbour has it (skipped) - provided
//     that h touches the neighbour with its centroid before it, and that the
//     neighbour's normal separates better than n. Else n is used. So a
//     corner of a hull right on a corner of the ground, whose best d is in
//     neither's cone, cannot fall between two faces that both skip it.
//
// So the normal is always n, or in the normal cone of a convex corner, or at an
// open end, and never moves h into the surface. It has a component against n
// only at an open end or at a corner of the solid sharper than a right angle.
// Two faces may both report their common corner: see FeatureID.CornerA.
//
// A face of no length touches nothing.
func FaceHull(m *Manifold, f *Face, h *Hull, hInF geom.Transform, margin float64) {
	m.N = 0
	t, length := f.B.Sub(f.A).Unit()
	if length == 0 || h.N == 0 {
		return
	}
	n := t.Right()
	c := hInF.Apply(h.Centroid)
	height := n.Dot(c.Sub(f.A))
	if height < 0 {
		return
	}
	if h.N == 1 {
		if height <= h.Radius+margin {
			faceCircle(m, f, t, length, c, h.Radius, margin)
		}
		return
	}
	faceHull(m, f, t, h, hInF, c, margin)
}

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

// faceCircle is FaceHull for a circle at c, which is before the face and in
// reach of its line.
func faceCircle(m *Manifold, f *Face, t geom.Vec, length float64, c geom.Vec, r, margin float64) {
	n := t.Right()
	ac := c.Sub(f.A)
	x := t.Dot(ac)
	if x >= -sideSlop && x <= length+sideSlop {
		m.Normal = n
		m.add(c, n, n.Dot(ac), 0, r, margin, pair(edge(0), vertex(0)))
		return
	}
	reach := r + margin
	if x < -reach || x > length+reach {
		return
	}
	var e corner
	if x < 0 {
		e = f.cornerA(t)
	} else {
		e = f.cornerB(t)
	}
	d, dist := c.Sub(e.p).Unit()
	if !e.open && (!e.convex(n) || d.Dot(e.g)*dist > sideSlop*e.g.Len()) {
		return // over the neighbour, or in a concave corner, which has no vertex
	}
	m.Normal = d
	m.add(c, d, dist, 0, r, margin, pair(e.v, vertex(0)))
}

// faceHull is FaceHull for a core with edges, whose centroid is c.
func faceHull(m *Manifold, f *Face, t geom.Vec, g *Hull, hInF geom.Transform, c geom.Vec, margin float64) {
	var h Hull
	h.place(g, hInF)
	n := t.Right()
	reach := h.Radius + margin
	own := h.below(f.A, n)
	if own > reach {
		return
	}
	k, s := h.facingLine(f.A, f.B, reach)
	if s > reach {
		return
	}
	ground := side{a: f.A, b: f.B, n: n, ia: vertex(0), ib: vertex(1), ie: edge(0)}

	d, byVertex := h.Nrm[k&7].Neg(), -1
	var tip feature
	apart := apartSlop
	if h.N == 2 {
		apart = -apartSlop // in line with the face, and so apart from its end unseen by any face
	}
	best := max(own, s)
	if h.Radius > 0 && best > apart {
		if j, v, w, ok := nearest(f, t, &h, best); ok {
			if w.Len() > reach {
				return
			}
			d, _ = w.Unit()
			byVertex, tip = j, v
		}
	}
	lean := t.Dot(d)
	if (byVertex >= 0 || s > own+bias(best, h.Radius)) && lean != 0 {
		var e corner
		if lean < 0 {
			e = f.cornerA(t)
		} else {
			e = f.cornerB(t)
		}
		convex := !e.open && e.convex(n)
		switch {
		case e.open || (convex && e.cone(d)):
			if byVertex >= 0 {
				w := h.V[byVertex&7]
				m.Normal = d
				m.add(w, d, d.Dot(w.Sub(e.p)), 0, h.Radius, margin, pair(tip, vertex(byVertex)))
				return
			}
			cornerEdge(m, &e, &ground, &h, k, margin)
			if m.N > 0 || s > 0 {
				return
			}
		case convex && e.neighbour(&h, c, own, reach):
			return
		}
	}
	q := h.side(h.facing(n))
	clip(m, &ground, &q, margin, sideSlop, false)
	if m.N == 0 && best <= 0 {
		lowest(m, &ground, &h, margin)
	}
}

// lowest sets m to the lowest point of the core over the face, where the edge
// that faces the ground is nowhere over it although the core crosses it: a
// steep or a deep overlap.
func lowest(m *Manifold, ground *side, h *Hull, margin float64) {
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
		e := h.side(i)
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

// cornerEdge sets m to the contact of the edge k of h with the ground at the
// corner e, along the edge's normal.
func cornerEdge(m *Manifold, e *corner, ground *side, h *Hull, k int, margin float64) {
	ref := h.side(k)
	if ref.n.Dot(ground.n) < 0 {
		clip(m, &ref, ground, margin, sideSlop, true)
		return
	}
	// The ground runs from the corner back under the hull, out of its reach.
	m.Normal = ref.n.Neg()
	x := ref.n.Left().Dot(e.p.Sub(ref.a))
	if x >= -sideSlop && x <= ref.a.Dist(ref.b)+sideSlop {
		m.add(e.p, ref.n, ref.n.Dot(e.p.Sub(ref.a)), ref.r, 0, margin, pair(e.v, ref.ie))
	}
}

// nearest returns the vertex of h nearest to an end of the face, the end's name
// and the way from it to the vertex, if they are the closest points of face and
// core and outside the side planes of the edge that separates by faces.
func nearest(f *Face, t geom.Vec, h *Hull, faces float64) (at int, tip feature, d geom.Vec, ok bool) {
	best := f.A.Sub(h.V[0]).Len2() + 1
	for i := range h.N {
		v := h.V[i&7]
		if w := v.Sub(f.A); w.Len2() < best {
			best, at, tip, d = w.Len2(), i, vertex(0), w
		}
		if w := v.Sub(f.B); w.Len2() < best {
			best, at, tip, d = w.Len2(), i, vertex(1), w
		}
	}
	lean := t.Dot(d)
	if tip == vertex(0) {
		lean = -lean
	}
	return at, tip, d, lean >= 0 && h.away(at, d) && aside(d, faces)
}
