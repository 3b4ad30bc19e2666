package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// touchGround computes the manifolds of a shape and a ground: one for each run of segments
// that the shape touches. Coordinates are relative to the body's centre of mass, in the
// ground's axes, so they are as exact far from the world's origin as at it.
func (w *World) touchGround(c *contactState) {
	g, s := w.grounds.At(c.ground), w.shapes.At(c.shapeB)
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	t := a.transform()
	origin := t.Inv(b.center)
	q := t.Q.InvMul(b.rot)
	at := geom.Transform{P: q.Apply(b.localCenter).Neg(), Q: q}

	sq := &w.scratch.surface
	sq.Matcher.Begin(c.manifolds)
	c.manifolds, c.pinched = c.manifolds[:0], false

	if w.oneWayMaterials > 0 {
		sq.stance = w.oneWayQueryOf(c, sq.Matcher.Old, at, origin, false)
	}

	centroid := at.Apply(s.hull.Centroid)
	middle := centroid.Add(origin)
	inside := w.inSolid(g, middle)
	if inside {
		var pushed bool
		if pushed, inside = w.pushOut(c, g, s, b, at, origin, t); pushed {
			w.setHeld(c, false)
			w.setTouching(c, true)
			w.updateStuck(c, g, s, middle, true)
			return
		}
	}
	w.setHeld(c, inside)

	box := s.bounds(at).Expand(speculativeDistance).Translate(origin)
	r, ok := cells(box)
	if !ok {
		w.setTouchingAt(c, false, sq.Matcher.Old)
		return
	}
	if w.oneWayMaterials > 0 && w.filterTops(sq, &sq.stance, r) {
		// The shape stands on a platform.
	} else if w.oneWayMaterials == 0 || !w.filterOneWay(sq, &sq.stance, r) {
		c.drop = notDropping
		sq.Collect(g.grid, r)
	}
	apart := b.center.Sub(a.center)
	f, m := &sq.Face, &sq.Manifold
	deepest := math.MaxFloat64
	near := len(sq.Runs.List)
	several, combed := near > 1, false
	sq.Gathered = near
	if several {
		sq.Cull(surface.CullBoxOf(box, middle))
		combed = len(sq.Candidates) > 1 && s.hull.N > 1 && sq.FindCombs(&s.hull, at, origin)
		near = len(sq.Candidates)
	}
	for i := range near {
		if several {
			i = int(sq.Candidates[i])
		}
		run := &sq.Runs.List[i]
		surface.SetFace(f, run, origin)
		collide.FaceHull(m, f, &s.hull, at, speculativeDistance)
		if m.N == 0 {
			continue
		}
		n := len(c.manifolds)
		out := c.addManifold()
		out.Normal = t.Q.Apply(m.Normal)
		wedged := surface.MayOcclude(f, centroid)
		for k := range m.N {
			from := &m.Points[k]
			if wedged && sq.Occluded(from, m.Normal, centroid, origin) {
				continue
			}
			if combed && sq.OfComb(from.ID, i, m.Normal) {
				continue
			}
			name := groundFeature(from.ID, run)
			if n > 0 {
				if met, same := sq.Matcher.Find(c.manifolds[:n], name, out.Normal); same {
					continue // the shared corner of two faces, already found
				} else if met {
					name = endFeature(name, run) // a second point at the corner, with another normal
				}
			}
			p := &out.Points[out.N]
			p.Feature = name
			p.AnchorB = t.Q.Apply(from.Anchor)
			p.AnchorA = p.AnchorB.Add(apart)
			p.Separation = from.Separation
			if p.Separation < deepest {
				deepest = p.Separation
			}
			sq.SetSource(p, i, from.Anchor, origin)
			p.Source.Material = uint16(g.materialOf(p.Source.Tile.Material))
			sq.Matcher.Inherit(p, out.Normal)
			out.N++
		}
		if out.N == 0 {
			c.manifolds = c.manifolds[:n]
			continue
		}
		if combed {
			sq.TakeLoad(out, i)
		}
		if sq.Matcher.Rolls {
			out.InheritRolling(sq.Matcher.Old)
		}
	}
	stuck := false
	if deepest < -geom.LinearSlop { // the depth of a pinched shape is larger
		depth := s.pinchDepth()
		stuck = deepest < -depth && (c.isPinched(depth) || escaping(sq.Matcher.Old) && c.deeperThan(depth))
	}
	if stuck {
		w.escapePinch(c, g, s, a, b, at, origin, t)
	}
	w.updateStuck(c, g, s, middle, stuck)
	if len(c.manifolds) > 0 {
		w.setTouching(c, true)
	} else {
		w.setTouchingAt(c, false, sq.Matcher.Old)
	}
}

// addManifold appends a manifold to those of c and returns it, to be filled in place: a
// manifold is too large to copy.
func (c *contactState) addManifold() *contact.Manifold {
	n := len(c.manifolds)
	if n == cap(c.manifolds) {
		c.manifolds = append(c.manifolds, contact.Manifold{})
		return &c.manifolds[n]
	}
	c.manifolds = c.manifolds[:n+1]
	m := &c.manifolds[n]
	*m = contact.Manifold{}
	return m
}

// groundFeature names a point on a run: by the lattice vertex if it is at an end of the run,
// else by the line.
func groundFeature(id collide.FeatureID, run *gridseg.Run) contact.Feature {
	f := contact.Feature{Kind: contact.Vertex}
	switch {
	case id.CornerA():
		f.X, f.Y = run.A.X, run.A.Y
	case id.CornerB():
		f.X, f.Y = run.B.X, run.B.Y
	default:
		f = contact.LineOf(run.A, run.B)
	}
	f.Pair = collide.FeatureID(id.HullFeature())
	return f
}

// endFeature names a point at an end of a run by the line instead of the vertex: another
// face has a point at the vertex, with another normal. f is its feature by the vertex.
func endFeature(f contact.Feature, run *gridseg.Run) contact.Feature {
	line := contact.LineOf(run.A, run.B)
	line.Kind, line.Pair = contact.LineEnd, f.Pair
	return line
}

// crushDepth is how far, in cells, the nearest surface is searched for around a shape in
// solid ground. If there is none, the shape is crushed: reported, and held in place.
const crushDepth = 16

// pushOut gives a shape whose centroid is in solid ground one point that pushes it out
// through the nearest surface, without turning it, and reports whether it did: not if no
// surface is near, nor if the centroid is not inside after all. (The grid counts a point
// within one lattice step above a surface as solid; pushing such a shape towards the surface
// would push it in, and back in the next step, for ever.)
//
// The ghost-collisions article calls inside or outside a question about the whole chain; on
// the grid the tile of one cell answers it.
func (w *World) pushOut(c *contactState, g *ground, s *shape, b *body, at geom.Transform, origin geom.Vec, t geom.Transform) (pushed, inside bool) {
	sq := &w.scratch.surface
	middle := at.Apply(s.hull.Centroid)
	best, nearest, before := -1, math.MaxFloat64, false
	for reach := 1.0; reach <= crushDepth; reach *= 2 {
		r, ok := cells(geom.AABB{Min: middle, Max: middle}.Expand(reach).Translate(origin))
		if !ok {
			break
		}
		w.collectSolid(sq, g, r)
		best, nearest = -1, math.MaxFloat64
		for i := range sq.Segments {
			seg := &sq.Segments[i]
			from, to := surface.Local(seg.A, origin), surface.Local(seg.B, origin)
			d := distToSegment(middle, from, to)
			if d > nearest {
				continue
			}
			front := to.Sub(from).Right().Dot(middle.Sub(from)) > 0
			if d < nearest {
				best, nearest, before = i, d, front
			} else {
				before = before || front // nearest to a corner: in front of either segment is outside
			}
		}
		if nearest <= reach {
			break // no surface beyond the gathered cells is nearer
		}
	}
	if best < 0 {
		return false, true
	}
	if before && nearest < 2/surface.Lattice {
		return false, false
	}
	seg := &sq.Segments[best]
	from, to := surface.Local(seg.A, origin), surface.Local(seg.B, origin)
	e := to.Sub(from)
	out := from.MulAdd(max(0, min(1, middle.Sub(from).Dot(e)/e.Len2())), e)
	n, depth := out.Sub(middle).Unit()
	if depth < 1/surface.Lattice {
		n, _ = e.Right().Unit() // the centroid is on the surface, to rounding
	}
	p := contact.Point{Source: contact.Source{Cell: seg.ID.Cell, Tile: seg.Tile, Material: uint16(g.material(seg.Tile))}}
	p.Feature.Kind = contact.Inside
	here := middle.Add(origin)
	if escaping(sq.Matcher.Old) || !w.fits(g, here.MulAdd(depth+s.core, n), s.core) {
		if q, ok := w.freeSpotFor(g, s, here); ok {
			n, depth = q.Sub(here).Unit()
			p.Feature.Kind = contact.Escape
		}
	}
	w.applyPushOut(c, s, b, at, t, n, depth, p)
	return true, true
}

// applyPushOut gives a shape one point that pushes it along n (in the ground's axes), until
// all of it is past the place at the distance far along n from its centroid. p has the
// point's feature and source.
func (w *World) applyPushOut(c *contactState, s *shape, b *body, at, t geom.Transform, n geom.Vec, far float64, p contact.Point) {
	middle := at.Apply(s.hull.Centroid)
	back := 0.0 // how far the shape reaches from its centroid along -n
	for k := range s.hull.N {
		back = max(back, middle.Sub(at.Apply(s.hull.V[k])).Dot(n))
	}
	// While being pushed out, the body keeps only the velocity along the exit direction:
	// gravity and sliding would move it past the exit, and deeper in.
	a := w.bodies.At(c.bodyA)
	wn := t.Q.Apply(n)
	apart := b.center.Sub(a.center)
	base := a.velocityAt(apart)
	v := b.velocity.Sub(base)
	if s.core <= geom.LinearSlop && far <= geom.LinearSlop {
		// A shape thinner than the slop lies on the surface, and may slide on it.
		b.velocity = b.velocity.MulAdd(-min(0, v.Dot(wn)), wn)
	} else {
		b.velocity = base.MulAdd(max(0, v.Dot(wn)), wn)
	}
	b.step.pushedOut, b.step.throughGround = true, p.Feature.Kind == contact.Escape
	p.AnchorB, p.AnchorA = geom.Vec{}, apart
	p.Separation = -(far + back + s.hull.Radius)
	m := contact.Manifold{Normal: wn, N: 1, Points: [2]contact.Point{p}}
	old := w.scratch.surface.Matcher.Old
	for j := range old {
		if old[j].Normal == wn && m.Points[0].Inherit(&old[j]) {
			break
		}
	}
	c.manifolds = append(c.manifolds[:0], m)
}

// cells returns the cells that the closed box b (in cells) overlaps; ok is false if b is
// wholly beyond the lattice or not finite.
func cells(b geom.AABB) (gridseg.Rect, bool) {
	lo, hi := float64(math.MinInt32), float64(math.MaxInt32)
	x0, y0, x1, y1 := math.Floor(b.Min.X), math.Floor(b.Min.Y), math.Floor(b.Max.X), math.Floor(b.Max.Y)
	if !(x0 <= hi && y0 <= hi && x1 >= lo && y1 >= lo) {
		return gridseg.Rect{}, false
	}
	if x0 >= lo && y0 >= lo && x1 <= hi && y1 <= hi { // faster than min and max of floats
		return gridseg.Rect{MinX: int32(x0), MinY: int32(y0), MaxX: int32(x1), MaxY: int32(y1)}, true
	}
	return gridseg.Rect{
		MinX: int32(max(lo, x0)), MinY: int32(max(lo, y0)),
		MaxX: int32(min(hi, x1)), MaxY: int32(min(hi, y1)),
	}, true
}

// bounds returns the box of the shape in the frame t.
func (s *shape) bounds(t geom.Transform) geom.AABB { return s.hull.Bounds(t) }
