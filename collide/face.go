package collide

import "github.com/quarry2d/quarry/geom"

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
//   - open: it is admitted, unless it is nearer to against n than to off the end:
//     then n is used;
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
// A point that the neighbour at a concave corner hides from the centroid is not
// reported: the hull is then on the other side of a wedge of solid that is thin
// there, or where two tiles meet in a point. Unless h crosses the rest of the
// face, which the centroid sees: a needle, that went in there.
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
	if h.N > 1 {
		faceHull(m, f, t, h, hInF, c, margin)
	} else if height <= h.Radius+margin {
		faceCircle(m, f, t, length, c, h.Radius, margin)
	}
	if m.N == 0 {
		return
	}
	// Only what is behind a neighbour's line can be hidden by it.
	behindA := f.HasGhost1 && f.Ghost1.Sub(f.A).Left().Dot(c.Sub(f.A)) < 0
	behindB := f.HasGhost2 && f.Ghost2.Sub(f.B).Right().Dot(c.Sub(f.B)) < 0
	if behindA || behindB {
		dropOccluded(m, f, t, h, hInF, c, margin)
	}
}

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
		return // over the neighbour, or in a concave corner, which has no vertex
	}
	m.Normal = d
	m.add(c, d, dist, 0, r, margin, pair(e.v, vertex(0)))
}
