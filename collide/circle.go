package collide

import "github.com/quarry2d/quarry/geom"

// up is the normal of two circles with the same centre. Any unit vector would do; a constant keeps
// the result reproducible.
var up = geom.Vec{Y: 1}

// circles is Hulls for two circles; c is b's centre in a's frame.
func circles(m *Manifold, a, b *Hull, c geom.Vec, margin float64) {
	n, dist := Discs(c.Sub(a.V[0]))
	m.Normal = n
	m.add(c, n, dist, a.Radius, b.Radius, margin, Centres)
	if m.N == 0 {
		m.Gap = dist - (a.Radius + b.Radius + margin)
	}
}

// Centres is the id of the point of two circles: vertex 0 of each.
const Centres = FeatureID(1<<8 | 1)

// Discs is Hulls for two circles of which A's centre is the origin of its frame; c is B's centre in that frame. It
// returns the distance of the centres, and the normal of their point, Centres.
func Discs(c geom.Vec) (normal geom.Vec, dist float64) {
	normal, dist = c.Unit()
	if dist == 0 {
		normal = up
	}
	return normal, dist
}

// hullCircle is Hulls for a hull of two or more vertices and a circle with centre c in the hull's
// frame.
func hullCircle(m *Manifold, h *Hull, c geom.Vec, r, margin float64) {
	// Find the face with the largest separation from c. If c is in a vertex's Voronoi region, this
	// is a face of that vertex, because the direction to c lies between the normals of its two
	// faces and no other normal is closer to it.
	maxDist := h.Radius + r + margin
	k, s := 0, h.Nrm[0].Dot(c.Sub(h.V[0]))
	for i := 1; i < h.N; i++ {
		if d := h.Nrm[i&7].Dot(c.Sub(h.V[i&7])); d > s {
			k, s = i, d
		}
	}
	if s > maxDist {
		m.Gap = s - maxDist
		return
	}
	n := h.Nrm[k&7]
	id := pair(edge(k), vertex(0))
	if s > 0 || h.N == 2 { // otherwise c is inside the core, and the nearest face gives the normal
		j := h.next(k)
		a, b := h.V[k&7], h.V[j&7]
		t := n.Left()
		at, v := -1, a
		if t.Dot(c.Sub(a)) < 0 {
			at = k
		} else if t.Dot(c.Sub(b)) > 0 {
			at, v = j, b
		}
		if at >= 0 {
			d, dist := c.Sub(v).Unit()
			if dist > minCoreDistance { // otherwise the direction is noise; use the face's normal
				n, s, id = d, dist, pair(vertex(at), vertex(0))
			}
		}
	}
	m.Normal = n
	m.add(c, n, s, h.Radius, r, margin, id)
}
