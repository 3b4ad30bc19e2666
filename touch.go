package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/surface"
)

// touchGround computes the manifolds of a shape and a ground, and the one-way tiles that it stands
// on.
func (w *World) touchGround(c *contactState) {
	w.touchTiles(c)
	if w.hasOneWays() {
		w.noteStood(c)
	}
}

// touchTiles computes the manifolds of a shape and a ground: one for each run of segments
// that the shape touches. Coordinates are relative to the body's centre of mass, in the
// ground's axes, so they are as exact far from the world's origin as at it.
func (w *World) touchTiles(c *contactState) {
	g, s := w.grounds.At(c.ground), w.shapes.At(c.shapeB)
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	t := a.transform()
	origin := t.Inv(b.center)
	q := t.Q.InvMul(b.rot)
	at := geom.Transform{P: q.Apply(b.localCenter).Neg(), Q: q}

	sq := &w.scratch.surface
	var query *oneway.Query
	if w.hasOneWays() {
		query = &w.scratch.oneWay
		w.oneWayQuery(query, c, at, origin, false)
	}
	sq.Matcher.Begin(c.manifolds)
	if query != nil && query.Old != nil {
		query.Old = sq.Matcher.Old
	}
	c.manifolds, c.pinched = c.manifolds[:0], false

	centroid := at.Apply(s.hull.Centroid)
	middle := centroid.Add(origin)
	in := depenetrate.Shape{Tiles: &g.tiles, Hull: &s.hull, Core: s.core, At: at, Origin: origin}
	inside := sq.Solid(&g.tiles, middle)
	if inside {
		var out depenetrate.Exit
		if out, inside = w.scratch.exits.OutOfSolid(&in, contact.Escaping(sq.Matcher.Old)); out.Kind != 0 {
			w.leave(c, b, t, &out)
			w.setHeld(c, false)
			w.setTouching(c, true)
			w.updateStuck(c, &in, true)
			return
		}
	}
	w.setHeld(c, inside)

	box := s.bounds(at).Expand(speculativeDistance).Translate(origin)
	r, ok := surface.Cells(box)
	if !ok {
		w.setTouchingAt(c, false, sq.Matcher.Old)
		return
	}
	sq.Collect(&g.tiles, query, r)
	if query != nil {
		c.oneWay.Drop = query.Drop
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
			p.Source.Material = g.tiles.Material(p.Source.Tile.Material)
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
		depth := depenetrate.PinchDepthOf(s.core)
		stuck = deepest < -depth && (depenetrate.Pinched(c.manifolds, depth) || contact.Escaping(sq.Matcher.Old) && depenetrate.Deeper(c.manifolds, depth))
	}
	if stuck {
		w.escapePinch(c, &in, a, b, t)
	}
	w.updateStuck(c, &in, stuck)
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

// leave gives the shape of c one point that pushes it along an exit, in a ground with the frame t.
func (w *World) leave(c *contactState, b *body, t geom.Transform, out *depenetrate.Exit) {
	// While being pushed out, the body keeps only the velocity along the exit direction:
	// gravity and sliding would move it past the exit, and deeper in.
	a := w.bodies.At(c.bodyA)
	n := t.Q.Apply(out.Normal)
	apart := b.center.Sub(a.center)
	base := a.velocityAt(apart)
	v := b.velocity.Sub(base)
	if out.Thin {
		b.velocity = b.velocity.MulAdd(-min(0, v.Dot(n)), n)
	} else {
		b.velocity = base.MulAdd(max(0, v.Dot(n)), n)
	}
	b.step.pushedOut, b.step.throughGround = true, out.Kind == contact.Escape
	m := contact.Manifold{Normal: n, N: 1}
	m.Points[0] = contact.Point{AnchorA: apart, Separation: out.Separation, Feature: contact.Feature{Kind: out.Kind}, Source: out.Source}
	old := w.scratch.surface.Matcher.Old
	for j := range old {
		if old[j].Normal == n && m.Points[0].Inherit(&old[j]) {
			break
		}
	}
	c.manifolds = append(c.manifolds[:0], m)
}

// escapePinch handles a pinched shape. A slow shape will not get out the way it came: it is
// pushed to a free spot. A fast one gets a speed cap.
func (w *World) escapePinch(c *contactState, in *depenetrate.Shape, a, b *body, t geom.Transform) {
	base := a.velocityAt(b.center.Sub(a.center))
	if b.velocity.Sub(base).Len() < pushSpeed {
		out, rests := w.scratch.exits.OutOfPinch(in, c.manifolds[0].Points[0].Source)
		if rests {
			return
		}
		if out.Kind != 0 {
			w.leave(c, b, t, &out)
			return
		}
	}
	c.pinched = true
	b.step.pinchSpeed = 2*pushSpeed + base.Len()
}

// updateStuck records whether the shape of c is stuck in a ground.
func (w *World) updateStuck(c *contactState, in *depenetrate.Shape, stuck bool) {
	if !c.stuck.Update(stuck, in.Middle(), w.time) {
		return
	}
	if w.scratch.exits.HasRoom(in) {
		c.stuck.Restart(w.time) // another contact keeps it there
		return
	}
	c.stuck.Tell()
	w.reportCrushed(c.bodyB)
}
