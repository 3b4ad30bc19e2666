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

// nextIsBetter reports whether the contact is left to the next face at the corner, which touches
// the hull, too. If the best axis of both faces comes from the same edge or vertex of the hull, and
// points to the back of one face and to the front of the other, the face in front has the contact:
// a long hull is beyond the other face, however deep that face's line cuts it. Otherwise the face
// with the larger separation along its normal has it. Of two adjacent faces at most one defers to
// the other, so the hull always has one of the two.
func (e *corner) nextIsBetter(p *faceSAT, maxDist float64) bool {
	n, l := e.nextNormal.Unit()
	if l == 0 || n.Dot(p.c.Sub(e.p)) < 0 {
		return false
	}
	nextSep := p.h.minDistance(e.p, n)
	if nextSep > maxDist {
		return false
	}
	edge, hullSep := p.h.maxSeparationSegment(e.p, e.p.Add(e.toGhost), maxDist)
	if hullSep > maxDist {
		return false
	}
	if p.vertex >= 0 || edge == p.edge {
		switch here, next := p.axis.Dot(p.face.n), p.axis.Dot(n); {
		case here < 0 && next > 0:
			return true
		case here > 0 && next < 0:
			return false
		}
	}
	return nextSep > p.faceSep+axisSlop
}
