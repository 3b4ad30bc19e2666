package collide

import (
	"math"
	"math/big"

	"github.com/quarry2d/quarry/geom"
)

// An oracle for Hulls in 200-bit arithmetic, slow and obvious: every axis, every
// pair of vertices, one half plane after the other. It gives every manifold that
// the rules of Hulls permit: one, unless a decision is a tie.
//
// A tie is a choice that rounding may turn: two quantities that are compared and are
// within tie of each other. There are six: two faces of one hull with equal separation,
// the two hulls' faces with the bias between them, two edges equally against the
// reference, an end of an edge at the limit of a side plane, a point at the margin, and
// two vertices at the limit of counting as corner to corner.
const tie = 1e-9

const precision = 200

type num = *big.Float

func exact(x float64) num { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func fresh() num          { return new(big.Float).SetPrec(precision) }
func plus(a, b num) num   { return fresh().Add(a, b) }
func minus(a, b num) num  { return fresh().Sub(a, b) }
func times(a, b num) num  { return fresh().Mul(a, b) }
func over(a, b num) num   { return fresh().Quo(a, b) }
func root(a num) num      { return fresh().Sqrt(a) }

func float(a num) float64 { f, _ := a.Float64(); return f }

type exactVec struct{ x, y num }

func (v exactVec) add(u exactVec) exactVec { return exactVec{plus(v.x, u.x), plus(v.y, u.y)} }
func (v exactVec) sub(u exactVec) exactVec { return exactVec{minus(v.x, u.x), minus(v.y, u.y)} }
func (v exactVec) mul(s num) exactVec      { return exactVec{times(v.x, s), times(v.y, s)} }
func (v exactVec) dot(u exactVec) num      { return plus(times(v.x, u.x), times(v.y, u.y)) }
func (v exactVec) len() num                { return root(v.dot(v)) }
func (v exactVec) unit() exactVec          { return v.mul(over(exact(1), v.len())) }
func (v exactVec) right() exactVec         { return exactVec{v.y, minus(exact(0), v.x)} }
func (v exactVec) neg() exactVec           { return v.mul(exact(-1)) }
func (v exactVec) vec() geom.Vec           { return geom.V(float(v.x), float(v.y)) }

func exactOf(v geom.Vec) exactVec { return exactVec{exact(v.X), exact(v.Y)} }

// exactHull is a hull in A's frame. Its normals are of its vertices, not those
// that the hull came with.
type exactHull struct {
	v, n []exactVec
	r    num
}

func exactPlaced(h *Hull, t geom.Transform) exactHull {
	c, s, p := exact(t.Q.C), exact(t.Q.S), exactOf(t.P)
	e := exactHull{r: exact(h.Radius)}
	for _, v := range h.V[:h.N] {
		x, y := exact(v.X), exact(v.Y)
		e.v = append(e.v, p.add(exactVec{minus(times(c, x), times(s, y)), plus(times(s, x), times(c, y))}))
	}
	for i := range e.v {
		if h.N > 1 {
			e.n = append(e.n, e.v[(i+1)%h.N].sub(e.v[i]).right().unit())
		}
	}
	return e
}

// front returns how far the other core is in front of edge i.
func (h *exactHull) front(i int, other *exactHull) num {
	var s num
	for _, w := range other.v {
		if d := h.n[i].dot(w.sub(h.v[i])); s == nil || d.Cmp(s) < 0 {
			s = d
		}
	}
	return s
}

// best returns the most that an edge of h separates, and the edges that tie for
// it.
func (h *exactHull) best(other *exactHull) (s float64, edges []int) {
	all := make([]num, len(h.v))
	var most num
	for i := range all {
		all[i] = h.front(i, other)
		if most == nil || all[i].Cmp(most) > 0 {
			most = all[i]
		}
	}
	for i := range all {
		if float(minus(most, all[i])) <= tie {
			edges = append(edges, i)
		}
	}
	return float(most), edges
}

// against returns the edges of h that tie for being most against n.
func (h *exactHull) against(n exactVec) (edges []int) {
	least := math.MaxFloat64
	for i := range h.n {
		least = min(least, float(n.dot(h.n[i])))
	}
	for i := range h.n {
		if float(n.dot(h.n[i])) <= least+tie {
			edges = append(edges, i)
		}
	}
	return edges
}

// contact is a manifold of the oracle, from A to B for either reference.
type contact struct {
	normal geom.Vec
	points []Point
}

// at adds a point: x on the core of the hull q, s in front of the reference
// core p along n.
func (c *contact) at(x, n exactVec, s, rp, rq num, limit float64, id FeatureID) {
	sep := minus(minus(s, rp), rq)
	if float(sep) > limit {
		return
	}
	move := times(exact(0.5), minus(minus(rp, rq), s))
	c.points = append(c.points, Point{Anchor: x.add(n.mul(move)).vec(), Separation: float(sep), ID: id})
}

// cutEnd is an end of the incident edge: its position and its feature id.
type cutEnd struct {
	x   exactVec
	ref feature // of the reference: its edge, or the vertex whose side plane cut
	inc feature // of the incident: a vertex, or its edge where cut
}

// cutBy cuts the ends by the half plane n.(x - p) <= 0 of the reference's
// vertex: an end more than slack outside goes, and gives way to the plane if
// the other is inside.
func cutBy(ends []cutEnd, p, n exactVec, slack float64, at, incident feature) []cutEnd {
	out := make([]num, len(ends))
	for i, e := range ends {
		out[i] = n.dot(e.x.sub(p))
	}
	var kept []cutEnd
	for i, e := range ends {
		if float(out[i]) <= slack {
			kept = append(kept, e)
			continue
		}
		if len(ends) < 2 || out[1-i].Sign() >= 0 {
			continue
		}
		t := over(out[i], minus(out[i], out[1-i]))
		kept = append(kept, cutEnd{e.x.add(ends[1-i].x.sub(e.x).mul(t)), at, incident})
	}
	return kept
}

// clipped returns the contact of edge j of q cut by the sides of edge i of p: the points
// within limit or, with both, all if the nearer is.
func clipped(p, q *exactHull, i, j int, limit, slack float64, flipped, both bool) contact {
	a, b := p.v[i], p.v[(i+1)%len(p.v)]
	n := p.n[i]
	t := b.sub(a).unit()
	i2, j2 := (i+1)%len(p.v), (j+1)%len(q.v)
	ends := []cutEnd{{q.v[j], edge(i), vertex(j)}, {q.v[j2], edge(i), vertex(j2)}}
	ends = cutBy(ends, a, t.neg(), slack, vertex(i), edge(j))
	ends = cutBy(ends, b, t, slack, vertex(i2), edge(j))
	if nearest := math.MaxFloat64; both {
		for _, e := range ends {
			nearest = min(nearest, float(minus(minus(n.dot(e.x.sub(a)), p.r), q.r)))
		}
		if nearest <= limit {
			limit = math.MaxFloat64
		}
	}
	c := contact{normal: n.vec()}
	for _, e := range ends {
		id := pair(e.ref, e.inc)
		if flipped {
			id = id.Flip()
		}
		c.at(e.x, n, n.dot(e.x.sub(a)), p.r, q.r, limit, id)
	}
	if flipped {
		c.normal = n.neg().vec()
	}
	return c
}

// closestCorners returns the pair of vertices that is nearest of all if the cores'
// closest points are those; else ok is false. Aside is their squared offset along the
// faces; faces is the separation of the faces.
func closestCorners(a, b *exactHull, faces float64) (i, j int, d exactVec, aside float64, ok bool) {
	var best num
	for k, v := range a.v {
		for l, w := range b.v {
			if e := w.sub(v); best == nil || e.dot(e).Cmp(best) < 0 {
				i, j, d, best = k, l, e, e.dot(e)
			}
		}
	}
	away := func(h *exactHull, i int, d exactVec) bool {
		n := len(h.v)
		for _, k := range []int{(i + 1) % n, (i + n - 1) % n} {
			if float(d.dot(h.v[k].sub(h.v[i]))) < 0 {
				return false
			}
		}
		return true
	}
	f := exact(max(faces, 0))
	return i, j, d, float(minus(best, times(f, f))), away(a, i, d.neg()) && away(b, j, d)
}

// permitted returns the manifolds that Hulls may return for a and b, both in A's frame.
func permitted(a, b *exactHull, limit float64) []contact {
	switch {
	case len(a.v) == 1 && len(b.v) == 1:
		d := b.v[0].sub(a.v[0])
		n := exactOf(up)
		if d.len().Sign() > 0 {
			n = d.unit()
		}
		return atMargin(limit, func(limit float64) contact {
			c := contact{normal: n.vec()}
			c.at(b.v[0], n, d.len(), a.r, b.r, limit, pair(vertex(0), vertex(0)))
			return c
		})
	case len(b.v) == 1:
		return permittedCircle(a, b, limit, false)
	case len(a.v) == 1:
		return permittedCircle(b, a, limit, true)
	}
	return permittedHulls(a, b, limit)
}

// atMargin returns the permitted manifolds of a point at the margin: with it and without.
func atMargin(limit float64, f func(limit float64) contact) []contact {
	with, without := f(limit+tie), f(limit-tie)
	if len(with.points) == len(without.points) {
		return []contact{with}
	}
	return []contact{with, without}
}

// permittedCircle is permitted for a core with edges and the circle b.
func permittedCircle(h, b *exactHull, limit float64, flipped bool) (all []contact) {
	c := b.v[0]
	report := func(n exactVec, s num, f feature) {
		all = append(all, atMargin(limit, func(limit float64) contact {
			out := contact{normal: n.vec()}
			id := pair(f, vertex(0))
			if flipped {
				out.normal, id = n.neg().vec(), id.Flip()
			}
			out.at(c, n, s, h.r, b.r, limit, id)
			return out
		})...)
	}
	s, edges := h.best(b)
	if s > -tie || len(h.v) == 2 { // not within
		ways, names := make([]exactVec, len(h.v)), make([]feature, len(h.v)) // from the nearest of each edge
		dist := math.MaxFloat64
		for i, v := range h.v {
			k := (i + 1) % len(h.v)
			e := h.v[k].sub(v)
			u := over(c.sub(v).dot(e), e.dot(e))
			switch {
			case u.Sign() <= 0:
				ways[i], names[i] = c.sub(v), vertex(i)
			case u.Cmp(exact(1)) >= 0:
				ways[i], names[i] = c.sub(h.v[k]), vertex(k)
			default:
				ways[i], names[i] = c.sub(v.add(e.mul(u))), edge(i)
			}
			dist = min(dist, float(ways[i].len()))
		}
		for i, d := range ways {
			l := float(d.len())
			if k := int(names[i]-2) / 2; names[i]&1 == 0 && float(h.n[k].dot(d)) < -tie*l {
				continue // a capsule's core has its other edge on this side
			}
			if l <= dist+tie && l > minCoreDistance-tie {
				report(d.unit(), d.len(), names[i])
			}
		}
		if dist > minCoreDistance+tie && (s > tie || len(h.v) == 2) {
			return distinct(all)
		}
	}
	for _, i := range edges {
		report(h.n[i], h.front(i, b), edge(i))
	}
	return distinct(all)
}

// permittedHulls is permitted for cores that both have edges.
func permittedHulls(a, b *exactHull, limit float64) (all []contact) {
	sa, ia := a.best(b)
	sb, jb := b.best(a)
	best := max(sa, sb)
	r := float(plus(a.r, b.r))
	if best > r+limit+tie {
		return []contact{{}}
	}
	apart := minCoreDistance
	if len(a.v)+len(b.v) == 4 {
		apart = -minCoreDistance
	}
	corners := best > apart-tie && (r > 0 || apart < 0)
	edges := false // two corners, but hardly off the normal: edges, if that gives two points
	var onCorner []contact
	if corners {
		i, j, d, aside, ok := closestCorners(a, b, best)
		if ok && aside > sideSlop*sideSlop-1e-14 {
			n := d.unit()
			all = append(all, atMargin(limit, func(limit float64) contact {
				c := contact{normal: n.vec()}
				c.at(b.v[j], n, d.len(), a.r, b.r, limit, pair(vertex(i), vertex(j)))
				return c
			})...)
			lean := math.Sqrt(aside) / float(d.len())
			if aside > sideSlop*sideSlop+1e-14 && best > apart+tie && lean > leanSine-tie {
				return all
			}
			if best > apart+tie && aside > sideSlop*sideSlop+1e-14 && lean < leanSine-tie {
				edges, onCorner = true, all
				all = nil
			}
		}
	}
	slacks := []float64{sideSlop}
	if best <= tie || r > 0 {
		slacks[0] = axisSlop
		if best >= -tie && r == 0 {
			slacks = append(slacks, sideSlop)
		}
	}
	for _, slack := range slacks {
		for _, slack := range []float64{slack - tie, slack + tie} {
			var fromA, fromB []contact
			for _, i := range ia {
				for _, j := range b.against(a.n[i]) {
					fromA = append(fromA, atMargin(limit, func(limit float64) contact {
						return clipped(a, b, i, j, limit, slack, false, true)
					})...)
				}
			}
			for _, j := range jb {
				for _, i := range a.against(b.n[j]) {
					fromB = append(fromB, atMargin(limit, func(limit float64) contact {
						return clipped(b, a, j, i, limit, slack, true, true)
					})...)
				}
			}
			if sb <= sa+axisBias(best, r)+tie {
				all = append(all, fromA...)
				for _, c := range fromA {
					if len(c.points) == 0 && sb > sa-tie {
						all = append(all, fromB...) // the bias took an axis that nothing is over
					}
				}
			}
			if sb > sa+axisBias(best, r)-tie {
				all = append(all, fromB...)
			}
		}
	}
	if edges {
		return distinct(asDeep(all, onCorner))
	}
	if corners {
		for _, c := range all {
			if len(c.points) > 0 {
				continue
			}
			if i, j, d, aside, ok := closestCorners(a, b, 0); ok && aside > 0 {
				c := contact{normal: d.unit().vec()}
				c.at(b.v[j], d.unit(), d.len(), a.r, b.r, limit, pair(vertex(i), vertex(j)))
				all = append(all, c)
			}
			break
		}
	}
	return distinct(all)
}

// asDeep returns the contacts by edges that have two points and are as
// deep as the corner, or the corner if there are none, or both in a tie.
func asDeep(byEdges, onCorner []contact) (all []contact) {
	sure := false
	corner := onCorner[0].points
	for _, c := range byEdges {
		if len(c.points) < 2 || len(corner) == 0 {
			continue
		}
		over := min(c.points[0].Separation, c.points[1].Separation) - corner[0].Separation - axisSlop
		if over <= tie {
			all = append(all, c)
		}
		sure = sure || over < -tie
	}
	if !sure || len(onCorner) > 1 || len(distinct(byEdges)) > 1 {
		all = append(all, onCorner...)
	}
	return all
}

// distinct leaves one of each in all.
func distinct(all []contact) (out []contact) {
	for _, c := range all {
		if !isOneOf(c, out, 0) {
			out = append(out, c)
		}
	}
	return out
}

// isOneOf reports whether c is one of all to within eps, with the points in any order.
func isOneOf(c contact, all []contact, eps float64) bool {
	for _, w := range all {
		if len(c.points) != len(w.points) {
			continue
		}
		if len(c.points) == 0 {
			return true
		}
		same := c.normal.Dist(w.normal) <= eps
		for _, p := range c.points {
			found := false
			for _, q := range w.points {
				found = found || p.ID == q.ID && p.Anchor.Dist(q.Anchor) <= eps &&
					math.Abs(p.Separation-q.Separation) <= eps
			}
			same = same && found
		}
		if same {
			return true
		}
	}
	return false
}

// mirrored is c with A and B exchanged, in the same frame.
func (c contact) mirrored() contact {
	out := contact{normal: c.normal.Neg()}
	for _, p := range c.points {
		p.ID = p.ID.Flip()
		out.points = append(out.points, p)
	}
	return out
}

// seen is c as seen from the frame t.
func (c contact) seen(t geom.Transform) contact {
	out := contact{normal: t.Q.Inv(c.normal)}
	for _, p := range c.points {
		p.Anchor = t.Inv(p.Anchor)
		out.points = append(out.points, p)
	}
	return out
}

// contactOf is the manifold as a contact.
func contactOf(m *Manifold) contact {
	return contact{normal: m.Normal, points: append([]Point(nil), m.Points[:m.N]...)}
}
