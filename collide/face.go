package collide

import "github.com/quarry2d/quarry/geom"

// Face is a one-sided edge of the ground: solid on the left of A-B, normal on the right. Ghost1 is
// the far end of the face that ends at A, Ghost2 of the face that starts at B. An end without a
// ghost is open. A ghost at the face's own other end means a knife edge: the surface turns back all
// the way.
type Face struct {
	A, B, Ghost1, Ghost2 geom.Vec
	HasGhost1, HasGhost2 bool
}

// FaceHull sets m to the contact of the face f and the hull h in f's frame; hInF is the frame of h
// in f's frame, and the normal points from f to h. Points with a separation of at most margin
// (units of length) are reported; m.N is 0 if there are none.
//
// There is no contact if the hull's centroid is behind the line of the face. Otherwise let n be the
// face's normal and d the direction of largest separation: n; or the reversed normal of a hull
// face, if its separation is larger by the bias of Hulls; or the direction between the closest
// vertices of the face and a rounded, separate core. If d points past an end, the corner there
// decides:
//
//   - open: d is admitted, unless it is closer to -n than to the direction off the end;
//     then n is used;
//   - flat or concave: n is used (snapped); a circle is left to the
//     face below its centre;
//   - convex: d is admitted if it is in the corner's normal cone, between the
//     normals of the two faces. Otherwise the face is skipped in favour of its neighbour, provided
//     that h touches the neighbour, its centroid is in front of the neighbour, and d points to the
//     front of the neighbour and to the back of this face, or else the neighbour's normal
//     separates better than n. Otherwise n is used. So a hull whose corner meets a corner of the
//     ground exactly, with d in neither face's cone, cannot be skipped by both faces.
//
// So the normal is n, or in the normal cone of a convex corner, or at an open end, and never pushes
// h into the surface. It has a component against n only at an open end or at a corner of the solid
// sharper than a right angle. Two faces may both report their common corner: see FeatureID.CornerA.
//
// A point that the neighbour at a concave corner occludes from the centroid is dropped, because the
// hull is then on the other side of solid that is thin there, or where two tiles meet in a point.
// The exception is a hull that crosses the part of the face visible from the centroid: a needle
// that entered there.
//
// A face of zero length has no contact.
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
	if h.N > 1 {
		faceHull(m, f, t, h, hInF, c, margin)
	} else if height <= h.Radius+margin {
		faceCircle(m, f, t, length, c, h.Radius, margin)
	}
	if m.N == 0 {
		return
	}
	// Only a neighbour with the centroid behind its line can occlude.
	behindA := f.HasGhost1 && f.Ghost1.Sub(f.A).Left().Dot(c.Sub(f.A)) < 0
	behindB := f.HasGhost2 && f.Ghost2.Sub(f.B).Right().Dot(c.Sub(f.B)) < 0
	if behindA || behindB {
		dropOccluded(m, f, t, h, hInF, c, margin)
	}
}

// faceCircle is FaceHull for a circle with centre c, in front of the face and within r+margin of its
// line.
func faceCircle(m *Manifold, f *Face, t geom.Vec, length float64, c geom.Vec, r, margin float64) {
	n := t.Right()
	ac := c.Sub(f.A)
	x := t.Dot(ac)
	if x >= -sideSlop && x <= length+sideSlop {
		m.Normal = n
		m.add(c, n, n.Dot(ac), 0, r, margin, pair(edge(0), vertex(0)))
		return
	}
	maxDist := r + margin
	if x < -maxDist || x > length+maxDist {
		return
	}
	var e corner
	if x < 0 {
		e = f.cornerA(t)
	} else {
		e = f.cornerB(t)
	}
	d, dist := c.Sub(e.p).Unit()
	if !e.open && (!e.convex(n) || d.Dot(e.toGhost)*dist > sideSlop*e.toGhost.Len()) {
		return // over the neighbour, or in a concave corner, which has no vertex contact
	}
	m.Normal = d
	m.add(c, d, dist, 0, r, margin, pair(e.v, vertex(0)))
}
