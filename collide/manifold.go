package collide

import "github.com/quarry2d/quarry/geom"

// Point is one manifold point.
type Point struct {
	Anchor     geom.Vec // midway between the two surfaces, in A's frame
	Separation float64  // along the normal, units of length; negative = overlap
	ID         FeatureID
}

// Manifold is the contact of two shapes. The zero value is no contact.
type Manifold struct {
	Normal geom.Vec // unit, from A to B, in A's frame; undefined if N is 0
	Points [2]Point // the first N
	N      int
	// Gap is set by Hulls if N is 0. It is a lower bound on the distance of the hulls beyond the margin, in units
	// of length; 0 if none is known.
	Gap float64
}

// add appends a point with core distance s along the normal from a reference core of radius rp to
// the point x of an incident core of radius rq, if the separation is at most margin. n points from
// the reference to the incident core.
func (m *Manifold) add(x, n geom.Vec, s, rp, rq, margin float64, id FeatureID) {
	sep := s - rp - rq
	if !(sep <= margin) {
		return
	}
	m.Points[m.N&1] = Point{Anchor: x.MulAdd(0.5*(rp-rq-s), n), Separation: sep, ID: id}
	m.N++
}

// flip exchanges A and B: the result is in B's frame; t is the frame of B in A's.
func (m *Manifold) flip(t geom.Transform) {
	m.Normal = t.Q.Apply(m.Normal).Neg()
	for i := range m.N {
		p := &m.Points[i&1]
		p.Anchor = t.Apply(p.Anchor)
		p.ID = p.ID.Flip()
	}
}
