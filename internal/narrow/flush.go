package narrow

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

const (
	// flushStep is the distance up to which two surfaces are flush, in units of length: one step of the lattice of
	// grounds, and a quarter for the rounding of poses.
	flushStep = 1.25 / 4096
	// flushFront is the distance from a covered face at which the other surface is looked for. It is more than step:
	// otherwise two surfaces with a common face, one inside the other, would cover each other.
	flushFront = 4.0 / 4096
	// flushAlong is the distance, in units of length, by which a face is examined on both sides of a point. A body
	// sinks less than that into a surface on which it rests, and reaches less than that out of it at the foot of a
	// wall.
	flushAlong = 0.02
	// flushReach is the radius of the disc at a corner that finds the other surface beside it.
	flushReach = 0.05
	// sameNormal is the smallest cosine of the angle between a normal and its face's.
	sameNormal = 1 - 1e-6
	// flushSpeed is the highest speed at which two surfaces may move against each other across their seam, in units of
	// length a second. Faster surfaces have no seam.
	flushSpeed = 1e-3
)

// SeamPoint is a point of contact with a surface, in any frame.
type SeamPoint struct {
	At     geom.Vec // on the surface
	Normal geom.Vec // unit, away from the surface
	// A and B are the ends of the face with that normal. Corner is set if there is no such face: At is a corner of
	// the surface.
	A, B   geom.Vec
	Corner bool
}

// OfFace sets c to a point of the face f: at, with the unit normal n.
func (c *SeamPoint) OfFace(f *collide.Face, at, n geom.Vec) {
	t, _ := f.B.Sub(f.A).Unit()
	*c = SeamPoint{At: at, Normal: n, A: f.A, B: f.B, Corner: t.Right().Dot(n) < sameNormal}
}

// OfHull sets c to a point of the core of h: at, with the unit normal n, in h's frame.
func (c *SeamPoint) OfHull(h *collide.Hull, at, n geom.Vec) {
	*c = SeamPoint{At: at, Normal: n, Corner: true}
	for i := range h.N {
		if h.N > 1 && h.Nrm[i].Dot(n) >= sameNormal {
			j := i + 1
			if j == h.N {
				j = 0
			}
			c.A, c.B, c.Corner = h.V[i], h.V[j], false
			return
		}
	}
}

// MayBeFlush reports whether another surface may meet the surface of c flush near c: at a corner or near the
// end of a face.
func (c *SeamPoint) MayBeFlush() bool {
	const near = 2 * flushAlong
	return c.Corner || c.At.Sub(c.A).Len2() < near*near || c.At.Sub(c.B).Len2() < near*near
}

// Rests reports whether a surface that moves at the velocity v, relative to the surface of c, stays flush with it:
// v has no part along the face that it covers, or, at a corner, along the normal.
func (c *SeamPoint) Rests(v geom.Vec) bool {
	d := c.Normal
	if !c.Corner {
		d, _ = c.B.Sub(c.A).Unit()
	}
	return math.Abs(v.Dot(d)) <= flushSpeed
}

// in returns c in the frame in which the frame of c is t.
func (c *SeamPoint) in(t geom.Transform) SeamPoint {
	return SeamPoint{t.Apply(c.At), t.Q.Apply(c.Normal), t.Apply(c.A), t.Apply(c.B), c.Corner}
}

// SeamSurface is a surface that may be flush with a contact's: a hull, tiles or a chain.
type SeamSurface struct {
	Hull   *collide.Hull
	Tiles  *surface.Tiles
	OneWay *surface.WayMemory // of the contact of Tiles and the shape
	Chain  *surface.Chain
}

// Covers reports whether the union of s and the surface of c has no face or corner that pushes along the normal
// of c at c, because s is flush with the surface of c there. at is the frame of c in the frame of s.
func (s *SeamSurface) Covers(c *SeamPoint, at geom.Transform) bool {
	d := c.in(at)
	if d.Corner {
		return s.coversCorner(&d)
	}
	// The solid of s is in front of the face: at the point, and along the face to its ends or farther than a
	// body sinks in.
	e, _ := d.B.Sub(d.A).Unit()
	p := d.At.MulAdd(flushFront, d.Normal)
	from := max(-flushAlong, min(0, e.Dot(d.A.Sub(d.At))))
	to := min(flushAlong, max(0, e.Dot(d.B.Sub(d.At))))
	return s.near(p) && s.near(p.MulAdd(from, e)) && s.near(p.MulAdd(to, e))
}

// coversCorner reports whether s has a point nearer to the centre of a disc that touches the corner from
// outside, along the normal, and passes through the corner itself. Where s and the surface of c form a ridge,
// the corner is the nearest point of both.
func (s *SeamSurface) coversCorner(c *SeamPoint) bool {
	if !s.near(c.At) {
		return false
	}
	center := c.At.MulAdd(flushReach, c.Normal)
	at, inside, ok := s.nearest(center, flushReach+flushStep)
	return inside || ok && at.Sub(c.At).Len2() > 4*flushStep*flushStep
}

// near reports whether p is inside s or within a step of it.
func (s *SeamSurface) near(p geom.Vec) bool {
	_, inside, ok := s.nearest(p, flushStep)
	return ok || inside
}

// nearest returns the point of the surface nearest to p, if it is at most most away, and whether p is inside.
func (s *SeamSurface) nearest(p geom.Vec, most float64) (at geom.Vec, inside, ok bool) {
	switch {
	case s.Hull != nil:
		at, _, distance := s.Hull.Nearest(p)
		return at, distance <= 0, math.Abs(distance) <= most
	case s.Chain != nil:
		return nearestOfChain(s.Chain, p, most)
	}
	near, ok := s.Tiles.Grid.Nearest(p.X, p.Y, max(most, 2*flushFront))
	if ok && !s.Tiles.Stops(&near.Segment, s.OneWay) {
		return at, false, false // the shape passes it
	}
	return geom.V(near.X, near.Y), s.Tiles.Grid.Solid(p.X, p.Y), ok && near.Distance <= most
}

// depthOfChain is how deep a point may be behind a chain, which has no inside, to count as inside.
const depthOfChain = 2 * flushAlong

func nearestOfChain(c *surface.Chain, p geom.Vec, most float64) (at geom.Vec, inside, ok bool) {
	n := surface.ChainNear{From: p, Distance: max(most, depthOfChain), Segment: -1}
	c.Nearest(&n)
	if n.Segment < 0 {
		return at, false, false
	}
	g := c.Segment(n.Segment)
	_, at, _ = geom.Distance([]geom.Vec{g.A, g.B}, []geom.Vec{p})
	behind := g.B.Sub(g.A).Right().Dot(p.Sub(g.A)) <= 0
	inside = behind && n.Distance <= depthOfChain && at != g.A && at != g.B
	return at, inside, n.Distance <= most
}

// Join gives f the ghost vertices of the union of s and the surface of f at the ends where s covers the next face.
// at is the frame of f in the frame of s.
func (s *SeamSurface) Join(f *collide.Face, at geom.Transform) {
	a, b := at.Apply(f.A), at.Apply(f.B)
	e, _ := b.Sub(a).Unit()
	if ghost := at.Apply(f.Ghost2); s.continues(b, e, e.Right(), ghost, f.HasGhost2, &ghost) {
		f.Ghost2, f.HasGhost2 = at.Inv(ghost), true
	}
	if ghost := at.Apply(f.Ghost1); s.continues(a, e.Neg(), e.Right(), ghost, f.HasGhost1, &ghost) {
		f.Ghost1, f.HasGhost1 = at.Inv(ghost), true
	}
}

// continues reports whether s continues a face, with the unit normal n, at its end t beyond which e points, and sets
// joined to a point where it does. The next face, if there is one, leads from t to ghost.
func (s *SeamSurface) continues(t, e, n, ghost geom.Vec, has bool, joined *geom.Vec) bool {
	if has {
		next, l := ghost.Sub(t).Unit()
		out := next.Right()
		if out.Dot(e) < 0 {
			out = out.Neg() // the face before, or a concave corner
		}
		for _, d := range [...]float64{0, min(flushAlong, l)} {
			if !s.near(t.MulAdd(flushFront, out).MulAdd(d, next)) {
				return false
			}
		}
	} else if !s.near(t) {
		return false
	}
	at, _, ok := s.nearest(t.MulAdd(flushReach, e), flushReach)
	if !ok {
		return false
	}
	if d := at.Sub(t); math.Abs(d.Dot(n)) <= 2*flushStep || d.Dot(e) <= 2*flushStep {
		at = t.MulAdd(flushReach, e) // flat to within a step
	}
	*joined = at
	return true
}

// Beside finds the surfaces beside a contact's.
type Beside interface {
	// Covered reports whether a surface covers c, whose frame is the frame of the contact's surface, relative
	// to the centre of mass of the shape's body; of two shapes, of the body with the surface.
	Covered(c *SeamPoint) bool
	// Join gives the face f, in that frame, ghost vertices on the surfaces that are flush with it.
	Join(f *collide.Face)
}

// seamScratch is the working memory of Shape, in place of local variables, which would be allocated since their
// addresses go to an interface. The zero value is ready for use.
type seamScratch struct {
	point    SeamPoint
	face     collide.Face
	manifold collide.Manifold
}

// Shape sets m, the manifold of the hull x of a surface and a shape h, whose frame is at in x's frame, to the points on
// faces of x that no other surface covers, with ghost vertices on the others, if a point of m is covered. Points with
// a separation of at most margin are reported.
func (s *seamScratch) Shape(m *collide.Manifold, x, h *collide.Hull, at geom.Transform, margin float64, beside Beside) {
	if x.N < 3 || x.Radius > 0 || s.covered(m, x, beside) == 0 {
		return // a round corner is not flush with anything
	}
	*m = collide.Manifold{}
	least := -math.MaxFloat64
	f, now, c := &s.face, &s.manifold, at.Apply(h.Centroid)
	for i := range x.N {
		*f = collide.Face{
			Ghost1: x.V[(i+x.N-1)%x.N], A: x.V[i], B: x.V[(i+1)%x.N], Ghost2: x.V[(i+2)%x.N],
			HasGhost1: true, HasGhost2: true,
		}
		if t, _ := f.B.Sub(f.A).Unit(); t.Right().Dot(c.Sub(f.A)) < 0 {
			continue // FaceHull has no contact behind a face, whatever the ghost vertices, which take longer to find
		}
		beside.Join(f)
		collide.FaceHull(now, f, h, at, margin)
		if s.covered(now, x, beside).Drop(now); now.N == 0 {
			continue
		}
		deepest := now.Points[0].Separation
		if now.N > 1 {
			deepest = min(deepest, now.Points[1].Separation)
		}
		if deepest > least {
			least, *m = deepest, *now
		}
	}
}

// covered returns which points of m, of the hull x, are covered.
func (s *seamScratch) covered(m *collide.Manifold, x *collide.Hull, beside Beside) (points pointSet) {
	for i := range m.N {
		p := &m.Points[i&1]
		s.point.OfHull(x, p.Anchor.MulAdd(-0.5*p.Separation, m.Normal), m.Normal)
		if s.point.MayBeFlush() && beside.Covered(&s.point) {
			points |= 1 << i
		}
	}
	return points
}

// pointSet is a set of points of a manifold: bit i is point i.
type pointSet uint8

// Drop removes the points from m. A shape that is deep in a corner of two walls has a covered point in each wall, and
// another one by which the wall holds the shape.
func (points pointSet) Drop(m *collide.Manifold) {
	n := 0
	for i := range m.N {
		if points>>i&1 == 0 {
			m.Points[n&1] = m.Points[i&1]
			n++
		}
	}
	m.N = n
}
