package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Hulls sets m to the contact of a and b in a's frame; bInA is the frame of b in a's. A contact has
// at least one point with a separation of at most margin (units of length, the speculative
// distance); m.N is 0 if there is none. Two edges in contact give two points if one of them is
// within margin: the second may be at any separation, and only limits how fast that end approaches.
//
// The normal is the normal of the face, of either core, with the largest separation. A's faces are
// preferred within a tenth of LinearSlop (and, if a hull is rounded, a twentieth of the
// separation). If the cores are separate, one is rounded, and their closest points are two
// vertices, it is the direction between those vertices, unless that is within about a degree of the
// face's normal and clipping gives two points: rounded boxes in a stack rest on their edges. Sharp
// hulls whose cores are separate corner to corner give no points.
//
// Exchanging a and b mirrors the result, to rounding, except where the best faces of both hulls
// have equal separation within A's preference: then the normal may be either one's. Transforming
// both hulls transforms the result.
//
// Two circles with one centre have the normal (0, 1) in A's frame; a circle whose centre is on the
// core of a capsule is pushed to the capsule's right.
func Hulls(m *Manifold, a, b *Hull, bInA geom.Transform, margin float64) {
	m.N, m.Gap = 0, 0
	switch {
	case a.N == 0 || b.N == 0:
	case b.N > 1 && a.N > 1:
		hulls(m, a, b, bInA, margin)
	case b.N > 1:
		hullCircle(m, b, bInA.Inv(a.V[0]), a.Radius, margin)
		m.flip(bInA)
	case a.N > 1:
		hullCircle(m, a, bInA.Apply(b.V[0]), b.Radius, margin)
	default:
		circles(m, a, b, bInA.Apply(b.V[0]), margin)
	}
}

// hulls is Hulls for cores with edges.
func hulls(m *Manifold, a, g *Hull, t geom.Transform, margin float64) {
	var b Hull
	b.place(g, t)
	r := a.Radius + b.Radius
	maxDist := r + margin
	i, sa := maxSeparation(a, &b, -math.MaxFloat64, maxDist)
	if sa > maxDist {
		m.Gap = sa - maxDist
		return
	}
	j, sb := maxSeparation(&b, a, sa, maxDist)
	if sb > maxDist {
		m.Gap = sb - maxDist
		return
	}
	best := max(sa, sb)
	tryVertices := best > minCoreDistance && r > 0
	if a.N+b.N == 4 {
		// Two segments have no faces at their ends: collinear ones can be separate without a
		// separating face normal, with or without a radius.
		tryVertices = best > -minCoreDistance
	}
	if tryVertices && vertices(m, a, &b, best, margin) {
		if m.N == 0 || !nearFaceNormal(best, m.Points[0].Separation+r) {
			return
		}
		// Two rounded edges lie on each other with their ends nearly aligned, as in a stack of
		// equal boxes. As the boxes jitter, a corner is closest to a corner at one time and to an
		// edge at another; a stable rest needs two points of the edges.
		corner := *m
		clipFaces(m, a, &b, i, j, sa, sb, r, margin)
		if m.N == 2 && min(m.Points[0].Separation, m.Points[1].Separation) <= corner.Points[0].Separation+axisSlop {
			return
		}
		*m = corner
		return
	}
	clipFaces(m, a, &b, i, j, sa, sb, r, margin)
	if m.N == 0 && tryVertices {
		vertices(m, a, &b, 0, margin)
	}
}

// nearFaceNormal reports whether the direction between two vertices at distance dist is within
// leanSine of the normal of the face with separation s.
func nearFaceNormal(s, dist float64) bool {
	return float64(s*s) > float64((1-leanSine*leanSine)*float64(dist*dist))
}

// clipFaces sets m by clipping against the better of edge i of a, with separation sa, and edge j of
// b, with separation sb.
func clipFaces(m *Manifold, a, b *Hull, i, j int, sa, sb, r, margin float64) {
	best := max(sa, sb)
	slack := sideSlop
	if best <= 0 || r > 0 {
		// The chosen axis may be axisSlop worse than the best, and only the points of the best are
		// certain to lie between the side planes. The slack also keeps the feature ids in a stack
		// of equal boxes, rounded or not, stable as it jitters.
		slack = axisSlop
	}
	if flipped := sb > sa+axisBias(best, r); flipped {
		clipHulls(m, b, j, a, margin, slack, true)
		return
	}
	clipHulls(m, a, i, b, margin, slack, false)
	if m.N == 0 && sb > sa {
		clipHulls(m, b, j, a, margin, slack, true)
	}
}

// clipHulls clips the incident edge of q against edge i of p.
func clipHulls(m *Manifold, p *Hull, i int, q *Hull, margin, slack float64, flipped bool) {
	var ref, inc side
	p.side(&ref, i)
	q.side(&inc, q.incidentEdge(ref.n))
	clip(m, &ref, &inc, margin, slack, flipped, true)
}

// maxSeparation returns the edge of p with the largest separation from q, and that separation (the
// smallest over q's vertices); edge 0 and least if none is above least. It stops at the first above maxDist. Of equal
// edges it returns the first.
func maxSeparation(p, q *Hull, least, maxDist float64) (at int, s float64) {
	s = least
	// One vertex of q that is no farther than s shows that an edge is no better than the best so far: in most cases one
	// of two opposite vertices. For other edges, four vertices at once, since a chain of minima takes longer than the
	// products. Of fewer, the last takes the place of those that are missing.
	last := q.N - 1
	first, across := q.V[0], &q.V[min(2, last)&7]
	b, e := &q.V[min(1, last)&7], &q.V[min(3, last)&7]
	for i := range p.N {
		v, n := &p.V[i&7], &p.Nrm[i&7]
		d := n.Dot(first.Sub(*v))
		if d <= s {
			continue
		}
		c := n.Dot(across.Sub(*v))
		if c <= s {
			continue
		}
		d = min(min(d, n.Dot(b.Sub(*v))), min(c, n.Dot(e.Sub(*v))))
		for k := 4; k < q.N; k++ {
			d = min(d, n.Dot(q.V[k&7].Sub(*v)))
		}
		if d > s {
			at, s = i, d
			if s > maxDist {
				break
			}
		}
	}
	return at, s
}

// vertices sets m to the closest vertices of a and b, and returns true, if they are the closest
// points of the two cores and outside of the side planes of the edge with separation faces.
// (Otherwise that edge gives the whole distance, and clipping gives two points.)
func vertices(m *Manifold, a, b *Hull, faces, margin float64) bool {
	best := math.MaxFloat64
	at, bt := 0, 0
	for i := range a.N {
		v := a.V[i&7]
		for j := range b.N {
			if d := b.V[j&7].Sub(v).Len2(); d < best {
				best, at, bt = d, i, j
			}
		}
	}
	v, w := a.V[at&7], b.V[bt&7]
	d := w.Sub(v)
	// Since the cores are convex, a pair of vertices is closest if no edge leads closer.
	if !b.isSupport(bt, d) || !a.isSupport(at, d.Neg()) || !outsidePlanes(d, faces) {
		return false
	}
	n, dist := d.Unit()
	m.Normal = n
	m.add(w, n, dist, a.Radius, b.Radius, margin, pair(vertex(at), vertex(bt)))
	return true
}

// outsidePlanes reports whether the vector d between two vertices extends more than sideSlop along
// the edge whose normal separates them by s, so that clipping against that edge would miss them.
func outsidePlanes(d geom.Vec, s float64) bool {
	s = max(s, 0)
	return d.Len2()-float64(s*s) > sideSlop*sideSlop
}
