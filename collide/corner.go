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

// neighbour reports whether the contact is left to the face beyond the corner, which touches
// the hull, too. If both faces see the hull off the same edge or vertex, and its direction
// points to the back of one face and to the front of the other, the latter has the contact:
// a long hull is beyond the former, however deep that face's line cuts it. Else the face
// whose normal separates better has it. Of two neighbours at most one leaves it to the
// other.
func (e *corner) neighbour(p *approach, reach float64) bool {
	n, l := e.beyond.Unit()
	if l == 0 || n.Dot(p.c.Sub(e.p)) < 0 {
		return false
	}
	s := p.h.below(e.p, n)
	if s > reach {
		return false
	}
	edge, gap := p.h.facingLine(e.p, e.p.Add(e.g), reach)
	if gap > reach {
		return false
	}
	if p.vertex >= 0 || edge == p.edge {
		switch here, beyond := p.d.Dot(p.ground.n), p.d.Dot(n); {
		case here < 0 && beyond > 0:
			return true
		case here > 0 && beyond < 0:
			return false
		}
	}
	return s > p.own+axisSlop
}
