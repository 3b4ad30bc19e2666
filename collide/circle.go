package collide

import "github.com/quarry2d/quarry/geom"

// up is the normal of two circles with the same centre. Any unit vector would do; a constant keeps
// the result reproducible.
var up = geom.Vec{Y: 1}

// circles is Hulls for two circles; c is b's centre in a's frame.
func circles(m *Manifold, a, b *Hull, c geom.Vec, margin float64) {
	discs(m, a.V[0], c, a.Radius, b.Radius, margin)
}

// Discs is Hulls for two circles of the radii a and b, of which A's centre is the origin of its frame; c is B's
// centre in that frame.
func Discs(m *Manifold, c geom.Vec, a, b, margin float64) {
	m.N, m.Gap = 0, 0
	discs(m, geom.Vec{}, c, a, b, margin)
}

// discs is Hulls for two circles of the radii a and b with the centres from and c in A's frame.
func discs(m *Manifold, from, c geom.Vec, a, b, margin float64) {
	n, dist := c.Sub(from).Unit()
	if dist == 0 {
		n = up
	}
	m.Normal = n
	m.add(c, n, dist, a, b, margin, pair(vertex(0), vertex(0)))
	if m.N == 0 {
		m.Gap = dist - (a + b + margin)
	}
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
