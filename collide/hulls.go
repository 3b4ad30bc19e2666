package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Hulls sets m to the contact of a and b in a's frame, bInA being the frame of b
// there. A contact has at least one point whose surfaces are at most margin (units of
// length, the speculative distance) apart; m.N is 0 if there is none. Two edges that
// meet give two points as long as one of them is that near: the second may be at any
// distance, and only limits how fast that end comes down.
//
// The normal is that of the face, of either core, that separates best, A's
// being preferred to within a tenth of LinearSlop (and, if one is rounded, a
// twentieth of the distance). Where the cores are apart and one is rounded, and
// their closest points are two vertices, it is the line between those, unless
// that is within a degree of the face's normal and clipping gives two points:
// rounded boxes in a stack rest on their edges. Cores of sharp hulls that are
// apart corner to corner give no points.
//
// Exchanging a and b mirrors the result, to rounding, but where the two hulls'
// best faces separate equally to within the preference given to A's: there the
// normal is that of the one or the other. Moving both by one frame moves it.
//
// Two circles with one centre have the normal (0, 1) in A's frame; a circle
// whose centre is on the core of a capsule is pushed to the capsule's right.
func Hulls(m *Manifold, a, b *Hull, bInA geom.Transform, margin float64) {
	m.N = 0
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

// hulls is Hulls for cores that have edges.
func hulls(m *Manifold, a, g *Hull, t geom.Transform, margin float64) {
	var b Hull
	b.place(g, t)
	r := a.Radius + b.Radius
	maxDist := r + margin
	i, sa := maxSeparation(a, &b, maxDist)
	if sa > maxDist {
		return
	}
	j, sb := maxSeparation(&b, a, maxDist)
	if sb > maxDist {
		return
	}
	best := max(sa, sb)
	tryVertices := best > minCoreDistance && r > 0
	if a.N+b.N == 4 {
		// Two segments have no faces at their ends: in one line they are apart
		// although no face tells, and with or without a radius.
		tryVertices = best > -minCoreDistance
	}
	if tryVertices && vertices(m, a, &b, best, margin) {
		if m.N == 0 || !nearFaceNormal(best, m.Points[0].Separation+r) {
			return
		}
		// Two rounded edges on each other with their ends nearly in line, as in a
		// stack of equal boxes. Now a corner is nearest to a corner and now to an
		// edge, as they tremble; the edges need two points to rest.
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

// nearFaceNormal reports whether the way between two vertices dist apart is hardly
// off the normal of the face that separates by s.
func nearFaceNormal(s, dist float64) bool {
	return float64(s*s) > float64((1-leanSine*leanSine)*float64(dist*dist))
}

// clipFaces sets m to what clipping gives by the better of edge i of a, which
// separates by sa, and edge j of b.
func clipFaces(m *Manifold, a, b *Hull, i, j int, sa, sb, r, margin float64) {
	best := max(sa, sb)
	slack := sideSlop
	if best <= 0 || r > 0 {
		// The axis taken may be axisSlop worse than the best, whose points are
		// certain to lie between the side planes. And the names in a stack of
		// equal boxes, rounded or not, do not turn as it trembles.
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

// clipHulls clips q against edge i of p.
func clipHulls(m *Manifold, p *Hull, i int, q *Hull, margin, slack float64, flipped bool) {
	var ref, inc side
	p.side(&ref, i)
	q.side(&inc, q.incidentEdge(ref.n))
	clip(m, &ref, &inc, margin, slack, flipped, true)
}

// maxSeparation returns the edge of p that has q furthest in front of it, and how
// far that is (the least over q's vertices). It stops at the first beyond
// reach. Of equals it is the first.
func maxSeparation(p, q *Hull, maxDist float64) (at int, s float64) {
	s = -math.MaxFloat64
	first, rest := q.V[0], q.V[1:max(1, q.N)]
	for i := range p.N {
		v, n := p.V[i&7], p.Nrm[i&7]
		d := n.Dot(first.Sub(v)) // below, which the compiler does not inline
		for k := range rest {
			d = min(d, n.Dot(rest[k].Sub(v)))
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

// vertices sets m to the closest vertices of a and b, and returns true, if they
// are the closest points of the two cores and outside the side planes of the
// edge that separates by faces. (Else that edge tells the whole distance, and
// clipping gives two points.)
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
	// A pair that no edge leads nearer is closest of all, for the cores are
	// convex.
	if !b.isSupport(bt, d) || !a.isSupport(at, d.Neg()) || !outsidePlanes(d, faces) {
		return false
	}
	n, dist := d.Unit()
	m.Normal = n
	m.add(w, n, dist, a.Radius, b.Radius, margin, pair(vertex(at), vertex(bt)))
	return true
}

// outsidePlanes reports whether the way d between two vertices leads more than sideSlop
// along the edge by whose normal they are s apart, so that clipping against that
// edge would miss them.
func outsidePlanes(d geom.Vec, s float64) bool {
	s = max(s, 0)
	return d.Len2()-float64(s*s) > sideSlop*sideSlop
}
