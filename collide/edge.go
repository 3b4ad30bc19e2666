package collide

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// Edge is a Face as Edges reads it. Set sets it.
type Edge struct {
	Box  geom.AABB // of the face
	side side
	ends [2]edgeEnd // at A and at B
}

// edgeEnd is an end of an Edge.
type edgeEnd struct {
	p    geom.Vec
	in   geom.Vec // unit, along the face
	d, n geom.Vec // unit: to the ghost vertex, and the normal of the next face; zero if the end is open
	turn turn
}

// turn is the kind of an end.
type turn uint8

const (
	flat    turn = iota // open, or the next face goes straight on
	convex              // the next face is behind this one, or leads straight back
	concave             // the next face is in front of this one
)

// Set sets e to the face f, and reports whether f has a length.
func (e *Edge) Set(f *Face) bool {
	t, length := f.B.Sub(f.A).Unit()
	if length == 0 {
		return false
	}
	e.Box = geom.Box(f.A, f.B)
	e.side = side{a: f.A, b: f.B, n: t.Right(), ia: vertex(0), ib: vertex(1), ie: edge(0)}
	a, b := f.cornerA(t), f.cornerB(t)
	e.ends[0].set(&a, e.side.n)
	e.ends[1].set(&b, e.side.n)
	return true
}

// set sets e to the corner c of a face with the normal n.
func (e *edgeEnd) set(c *corner, n geom.Vec) {
	*e = edgeEnd{p: c.p, in: c.out.Neg()}
	if c.open {
		return
	}
	e.n, _ = c.nextNormal.Unit()
	e.d, _ = c.toGhost.Unit()
	switch h := n.Dot(e.d); {
	case c.convex(n):
		e.turn = convex
	case h > flatSine:
		e.turn = concave
	}
}

// Normal returns the unit normal of the face, away from the solid.
func (e *Edge) Normal() geom.Vec { return e.side.n }

// keen is the sine of the largest angle at which two faces count as parallel where one of them ends at a concave
// corner.
const keen = 1e-3

// axisTie (units of length) is the difference of two separations up to which they count as equal: above rounding,
// so that of two pairs of faces at a corner at least one has the contact.
const axisTie = 1e-9

// Edges sets m to the contact of two faces of the outlines of two solids, in one frame; the normal points from a to
// b. Over all pairs of faces near each other, two convex outlines get the points that Hulls computes for their hulls,
// however the outlines are cut into faces.
//
// The normal is a's, or b's reversed, and the points are of the other face, the
// incident one, between the ends of that one. A pair has a contact if
//
//   - the faces face each other, and are within margin (units of length) of each other;
//   - at its lower end no face beside the incident one is more opposed to the normal, so the normal
//     is in the normal cone of that corner. At a concave corner the normal snaps to the normal of the face that
//     ends there, unless the two are parallel;
//   - no other face beside a convex corner of the two separates the outlines better. As in Hulls, the faces
//     of a are preferred.
//
// Edges does not look beyond the corners. Two faces of which one is far behind the other, on the far side of its
// solid or of a gap, pass these tests, too. So the caller must drop points that are deep where the solids do not
// overlap. Two pairs of faces with a common corner may both report it: see FeatureID.CornerA.
func Edges(m *Manifold, a, b *Edge, margin float64) {
	m.N = 0
	if a.side.n.Dot(b.side.n) >= -flatSine {
		return
	}
	lowB, sa := b.lowest(a.side.a, a.side.n)
	lowA, sb := a.lowest(b.side.a, b.side.n)
	if max(sa, sb) > margin {
		return
	}
	byA, byB := b.incident(lowB, a.side.n), a.incident(lowA, b.side.n)
	flipped := byB && (!byA || sb > sa+axisSlop)
	switch {
	case flipped:
		// The faces of a are preferred: they are better even if they are slightly worse.
		if prefer := axisSlop - axisTie; b.rests(lowB, a.side.n) && sa > sb-prefer &&
			b.over(lowB, &a.ends[0], a.side.n, true) && b.over(lowB, &a.ends[1], a.side.n, true) ||
			a.better(b, sb, prefer) || b.better(a, sb+axisTie, 0) {
			return
		}
	case !byA || a.rests(lowA, b.side.n) && sb > sa+axisSlop || a.better(b, sa+axisTie, 0) ||
		b.better(a, sa+axisSlop, 0):
		return
	}
	slack := sideSlop
	if max(sa, sb) <= 0 {
		slack = axisSlop // see clipFaces
	}
	if !flipped {
		clip(m, &a.side, &b.side, margin, slack, false, true)
	}
	if flipped || m.N == 0 && byB && sb > sa {
		clip(m, &b.side, &a.side, margin, slack, true, true)
	}
}

// Corner returns end k of the face, 0 or 1, and the unit normal of the face beside it; ok is false unless the corner is
// convex.
func (e *Edge) Corner(k int) (p, n geom.Vec, ok bool) {
	c := &e.ends[k&1]
	return c.p, c.n, c.turn == convex
}

// End returns end k of the face, 0 or 1.
func (e *Edge) End(k int) geom.Vec { return e.ends[k&1].p }

// Beside returns the point of the face at the distance by (units of length) from its end k, or its middle if that is
// nearer.
func (e *Edge) Beside(k int, by float64) geom.Vec {
	at := &e.ends[k&1]
	return at.p.MulAdd(min(by, 0.5*at.in.Dot(e.ends[k&1^1].p.Sub(at.p))), at.in)
}

// Next returns the direction of the face beside end k, away from that end, and its normal; both are zero if the end
// is open.
func (e *Edge) Next(k int) (d, n geom.Vec) { return e.ends[k&1].d, e.ends[k&1].n }

// Hit returns the distance from p along the unit vector d to the face, and whether the ray meets it from behind.
func (e *Edge) Hit(p, d geom.Vec) (far float64, ok bool) {
	along := e.side.n.Dot(d)
	if along <= flatSine {
		return 0, false
	}
	far = e.side.n.Dot(e.side.a.Sub(p)) / along
	at, t := p.MulAdd(far, d), e.side.n.Left()
	return far, far >= 0 && t.Dot(at.Sub(e.side.a)) >= 0 && t.Dot(at.Sub(e.side.b)) <= 0
}

// Crossing returns the depth by which two faces that cross reach behind each other: the lesser of the depths of
// their ends behind the other face. It is 0 if the faces do not cross, or cross by at most least.
func Crossing(a, b *Edge, least float64) float64 {
	d := b.behind(&a.side, least)
	if d > 0 {
		d = min(d, a.behind(&b.side, least))
	}
	return d
}

// behind returns the distance by which e reaches behind the line of s, or 0 if that is at most least, or e is not
// on both sides of the line.
func (e *Edge) behind(s *side, least float64) float64 {
	u, v := s.n.Dot(e.side.a.Sub(s.a)), s.n.Dot(e.side.b.Sub(s.a))
	if u > v {
		u, v = v, u
	}
	if u < -least && v > 0 {
		return -u
	}
	return 0
}

// Distance returns the distance of two faces that do not cross.
func (e *Edge) Distance(o *Edge) float64 {
	least := math.MaxFloat64
	for k := range 2 {
		least = min(least, e.toward(o.End(k)), o.toward(e.End(k)))
	}
	return math.Sqrt(least)
}

// toward returns the square of the distance of p from the face.
func (e *Edge) toward(p geom.Vec) float64 {
	from := &e.ends[0]
	x := max(0, min(from.in.Dot(e.side.b.Sub(e.side.a)), from.in.Dot(p.Sub(from.p))))
	return from.p.MulAdd(x, from.in).Sub(p).Len2()
}

// Lowest returns the smallest separation of the face from the line through p with the normal n.
func (e *Edge) Lowest(p, n geom.Vec) float64 {
	_, s := e.lowest(p, n)
	return s
}

// lowest returns the end of e, 0 or 1, with the smallest separation from the line through p with the normal n, and
// that separation.
func (e *Edge) lowest(p, n geom.Vec) (at int, s float64) {
	s, t := n.Dot(e.side.a.Sub(p)), n.Dot(e.side.b.Sub(p))
	if t < s {
		return 1, t
	}
	return 0, s
}

// incident reports whether e, of which the end low is the lower one along n, may be the incident face of a face
// with the normal n.
func (e *Edge) incident(low int, n geom.Vec) bool {
	switch c := &e.ends[low&1]; c.turn {
	case convex:
		return n.Dot(e.side.n) <= n.Dot(c.n)+axisTie
	case concave:
		return math.Abs(n.Cross(e.side.n)) <= keen
	}
	return true
}

// rests reports whether the outline of e does not lead below the end low, which is the lower one along n.
func (e *Edge) rests(low int, n geom.Vec) bool { return n.Dot(e.ends[low&1].d) >= -flatSine }

// better reports whether the normal of a face beside a convex corner of e separates the outline of o by more than
// s, judged by o and the faces beside it; if that face is over a point of o, by more than s-prefer.
func (e *Edge) better(o *Edge, s, prefer float64) bool {
	for k := range e.ends {
		c := &e.ends[k]
		if c.turn != convex {
			continue
		}
		low, t := o.lowest(c.p, c.n)
		if t <= s-prefer || !o.rests(low, c.n) {
			continue
		}
		if t > s || o.over(low, c, c.n, false) {
			return true
		}
	}
	return false
}

// over reports whether the face of o, or the one that is more opposed to the normal n at the end low, leads over the
// face with that normal from c on; with this, the face that ends at c instead of the next one.
func (o *Edge) over(low int, c *edgeEnd, n geom.Vec, this bool) bool {
	end := &o.ends[low&1]
	d := c.d
	if this {
		d = c.in
	}
	x := d.Dot(end.p.Sub(c.p))
	if o.incident(low, n) {
		x = max(x, d.Dot(o.ends[low&1^1].p.Sub(c.p)))
	} else if d.Dot(end.d) > 0 {
		return true
	}
	return x >= -axisSlop
}
