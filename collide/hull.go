package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Hull is a convex core with a radius: one vertex is a circle, two are a capsule or (with radius 0)
// a segment, three to eight a polygon, in counter-clockwise order. It has an edge from each vertex
// to the next, so the core of a capsule has two edges, one for each side. A Hull without vertices
// never has a contact.
type Hull struct {
	N        int // vertices in use
	Radius   float64
	Centroid geom.Vec                   // of the core; it decides on which side of a one-sided face the hull is
	V, Nrm   [geom.MaxVertices]geom.Vec // Nrm[i] is the unit outward normal of edge i
}

// NewHull returns the hull of a shape in the shape's frame. The shape must be Valid, and one of
// geom's types, given by value; for any other the hull is empty.
func NewHull(s geom.Shape) Hull {
	switch s := s.(type) {
	case geom.Circle:
		h := Hull{N: 1, Radius: s.Radius, Centroid: s.Center}
		h.V[0] = s.Center
		return h
	case geom.Capsule:
		return line(s.A, s.B, s.Radius)
	case geom.Segment:
		return line(s.A, s.B, 0)
	case geom.Polygon:
		return Hull{V: s.Vertices, Nrm: s.Normals, N: s.N, Radius: s.Radius, Centroid: s.Centroid}
	}
	return Hull{}
}

func line(a, b geom.Vec, radius float64) Hull {
	h := Hull{N: 2, Radius: radius, Centroid: a.Lerp(b, 0.5)}
	h.V[0], h.V[1] = a, b
	h.Nrm[0], _ = b.Sub(a).Right().Unit()
	h.Nrm[1] = h.Nrm[0].Neg()
	return h
}

// Bounds returns the box of the hull in the frame t; a box at t's origin if it has no vertex.
func (h *Hull) Bounds(t geom.Transform) geom.AABB {
	p := t.Q.Apply(h.V[0])
	x0, y0, x1, y1 := p.X, p.Y, p.X, p.Y
	for i := 1; i < h.N; i++ {
		p := t.Q.Apply(h.V[i&7])
		// Faster than min and max. If one coordinate is NaN, all are.
		if p.X < x0 {
			x0 = p.X
		}
		if p.X > x1 {
			x1 = p.X
		}
		if p.Y < y0 {
			y0 = p.Y
		}
		if p.Y > y1 {
			y1 = p.Y
		}
	}
	// Addition is monotonic, so the minimum of the sums is the sum with the minimum.
	r, o := h.Radius, t.P
	return geom.AABB{Min: geom.Vec{X: x0 + o.X - r, Y: y0 + o.Y - r}, Max: geom.Vec{X: x1 + o.X + r, Y: y1 + o.Y + r}}
}

// Extent returns the largest distance of a point of the shape of h from p.
func (h *Hull) Extent(p geom.Vec) float64 {
	far := 0.0
	for i := range h.N {
		far = max(far, h.V[i].Dist(p))
	}
	return far + h.Radius
}

// InnerRadius returns the radius of the largest disc about the centroid in the shape of h.
func (h *Hull) InnerRadius() float64 {
	if h.N < 3 {
		return h.Radius
	}
	least := math.MaxFloat64
	for i := range h.N {
		least = min(least, h.V[i].Sub(h.Centroid).Dot(h.Nrm[i]))
	}
	return max(0, least) + h.Radius
}

// Nearest returns the point of the hull's outline nearest to p, the unit normal there, and the distance of p, which is
// negative inside: at is p - separation*n, except that at the centre of a disc, and on a line without radius, n is
// (0, 1) or a normal of the line. The hull has at least one vertex.
func (h *Hull) Nearest(p geom.Vec) (at, n geom.Vec, separation float64) {
	dist, n := -math.MaxFloat64, geom.V(0, 1)
	for i := range h.N {
		if s := h.Nrm[i].Dot(p.Sub(h.V[i])); h.N > 1 && s > dist {
			dist, n = s, h.Nrm[i]
		}
	}
	if h.N > 2 && dist <= 0 { // inside the core: the nearest edge has the largest separation
		return p.MulAdd(h.Radius-dist, n), n, dist - h.Radius
	}
	dist, at, _ = geom.Distance(h.V[:h.N], []geom.Vec{p})
	if u, l := p.Sub(at).Unit(); l > 0 {
		n = u
	}
	return at.MulAdd(h.Radius, n), n, dist - h.Radius
}

// place makes h the hull g transformed by t, without the centroid.
func (h *Hull) place(g *Hull, t geom.Transform) {
	h.N, h.Radius = g.N, g.Radius
	for i := range g.N {
		h.V[i&7] = t.Apply(g.V[i&7])
		h.Nrm[i&7] = t.Q.Apply(g.Nrm[i&7])
	}
}

// next returns the vertex after i.
func (h *Hull) next(i int) int {
	if i+1 < h.N {
		return i + 1
	}
	return 0
}

// prev returns the vertex before i.
func (h *Hull) prev(i int) int {
	if i > 0 {
		return i - 1
	}
	return h.N - 1
}

// side sets s to edge i.
func (h *Hull) side(s *side, i int) {
	j := h.next(i)
	s.a, s.b, s.n, s.r = h.V[i&7], h.V[j&7], h.Nrm[i&7], h.Radius
	s.ia, s.ib, s.ie = vertex(i), vertex(j), edge(i)
}

// minDistance returns the smallest n.(v - p) over the core's vertices v.
func (h *Hull) minDistance(p, n geom.Vec) float64 {
	s := n.Dot(h.V[0].Sub(p))
	for i := 1; i < h.N; i++ {
		s = min(s, n.Dot(h.V[i&7].Sub(p)))
	}
	return s
}

// maxSeparationSegment returns the edge with the largest separation from the segment a-b, and that
// separation. It stops at the first above maxDist.
func (h *Hull) maxSeparationSegment(a, b geom.Vec, maxDist float64) (at int, s float64) {
	s = -math.MaxFloat64
	for i := range h.N {
		v, n := h.V[i&7], h.Nrm[i&7]
		if d := min(n.Dot(a.Sub(v)), n.Dot(b.Sub(v))); d > s {
			at, s = i, d
			if s > maxDist {
				break
			}
		}
	}
	return at, s
}

// incidentEdge returns the edge whose normal is most opposed to n.
func (h *Hull) incidentEdge(n geom.Vec) int {
	at, least := 0, n.Dot(h.Nrm[0])
	for i := 1; i < h.N; i++ {
		if s := n.Dot(h.Nrm[i&7]); s < least {
			at, least = i, s
		}
	}
	return at
}

// isSupport reports whether vertex i is the support vertex in direction -d: no edge leads from it
// against d.
func (h *Hull) isSupport(i int, d geom.Vec) bool {
	v := h.V[i&7]
	return d.Dot(h.V[h.next(i)&7].Sub(v)) >= 0 && d.Dot(h.V[h.prev(i)&7].Sub(v)) >= 0
}
