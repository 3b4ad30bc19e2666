package collide

import "github.com/quarry2d/quarry/geom"

// corner is one end of a face.
type corner struct {
	p          geom.Vec // position
	toGhost    geom.Vec // from the corner to the ghost vertex
	out        geom.Vec // unit vector along the face, away from it
	nextNormal geom.Vec // normal of the next face, not normalised
	open       bool
	v          feature
}

// cornerA returns the corner at A of a face with tangent t.
func (f *Face) cornerA(t geom.Vec) corner {
	g := f.Ghost1.Sub(f.A)
	return corner{p: f.A, toGhost: g, out: t.Neg(), nextNormal: g.Left(), open: !f.HasGhost1, v: vertex(0)}
}

// cornerB returns the corner at B of a face with tangent t.
func (f *Face) cornerB(t geom.Vec) corner {
	g := f.Ghost2.Sub(f.B)
	return corner{p: f.B, toGhost: g, out: t, nextNormal: g.Right(), open: !f.HasGhost2, v: vertex(1)}
}

// convex reports whether the corner is convex, for a face with normal n: the ghost is behind the
// face, or straight back along it (a whole turn).
func (e *corner) convex(n geom.Vec) bool {
	h := n.Dot(e.toGhost)
	flat := flatSine * e.toGhost.Len()
	return h < -flat || (h <= flat && e.out.Dot(e.toGhost) < 0)
}

// inCone reports whether d, which points past the corner, is in the normal cone of the convex
// corner: no edge leads from the corner along d.
func (e *corner) inCone(d geom.Vec) bool { return d.Dot(e.toGhost) <= flatSine*e.toGhost.Len() }

// nextIsBetter reports whether the next face at the corner should push h out instead, along its own
// normal; faceSep is the separation along the normal of this face. Of two adjacent faces at most
// one defers to the other, and the other face is in contact with h, so h always has one of the two.
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
