package collide

import "github.com/quarry2d/quarry/geom"

// corner is one end of a face, seen from the face.
type corner struct {
	p          geom.Vec // the end
	toGhost    geom.Vec // from the end to the ghost
	out        geom.Vec // unit, along the face and off its end
	nextNormal geom.Vec // normal of the face beyond, not of unit length
	open       bool
	v          feature
}

// cornerA returns the corner at A of a face with the tangent t.
func (f *Face) cornerA(t geom.Vec) corner {
	g := f.Ghost1.Sub(f.A)
	return corner{p: f.A, toGhost: g, out: t.Neg(), nextNormal: g.Left(), open: !f.HasGhost1, v: vertex(0)}
}

// cornerB returns the corner at B.
func (f *Face) cornerB(t geom.Vec) corner {
	g := f.Ghost2.Sub(f.B)
	return corner{p: f.B, toGhost: g, out: t, nextNormal: g.Right(), open: !f.HasGhost2, v: vertex(1)}
}

// convex reports whether the solid turns away at the corner of a face with the
// normal n: the ghost is behind the face, or back along it (a whole turn).
func (e *corner) convex(n geom.Vec) bool {
	h := n.Dot(e.toGhost)
	flat := flatSine * e.toGhost.Len()
	return h < -flat || (h <= flat && e.out.Dot(e.toGhost) < 0)
}

// inCone reports whether d, which leans over the corner, is in the normal cone of
// the (convex) corner: whether no edge leads from it along d.
func (e *corner) inCone(d geom.Vec) bool { return d.Dot(e.toGhost) <= flatSine*e.toGhost.Len() }

// nextIsBetter reports whether the face beyond the corner is the better one to
// push h out, along its own normal: own is what the face's own normal comes to.
// Of two neighbours at most one thinks so of the other, and the one so chosen is
// in touch with h, so that it will not leave h to nobody.
func (e *corner) nextIsBetter(h *Hull, c geom.Vec, faceSep, maxDist float64) bool {
	n, l := e.nextNormal.Unit()
	if l == 0 || n.Dot(c.Sub(e.p)) < 0 {
		return false
	}
	if s := h.minDistance(e.p, n); s <= faceSep+axisSlop || s > maxDist {
		return false
	}
	_, s := h.maxSeparationSegment(e.p, e.p.Add(e.toGhost), maxDist)
	return s <= maxDist
}
