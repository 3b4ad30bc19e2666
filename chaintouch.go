package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// chainFaces is the part of a chain near one shape.
type chainFaces struct {
	near  []int32        // face numbers, ascending
	faces []collide.Face // the same, relative to the shape's body
	old   []manifold     // the contact's manifolds of the step before
}

// touchChain computes the manifolds of a shape and a chain: one for each face that the shape
// touches. As on the ground, coordinates are relative to the body's centre of mass, in the
// chain's axes.
func (w *World) touchChain(c *contact) {
	ch, s := w.chains.At(c.chain), w.shapes.At(c.shapeB)
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	t := a.transform()
	origin := t.Inv(b.center)
	q := t.Q.InvMul(b.rot)
	at := geom.Transform{P: q.Apply(b.localCenter).Neg(), Q: q}

	cf := &w.scratch.chainFaces
	cf.old = append(cf.old[:0], c.manifolds...)
	c.manifolds, c.pinched = c.manifolds[:0], false
	box := s.bounds(at).Expand(speculativeDistance).Translate(origin)
	cf.near = ch.appendNear(cf.near[:0], box)
	cf.faces = cf.faces[:0]
	for _, k := range cf.near {
		cf.faces = append(cf.faces, ch.face(int(k), origin))
	}

	centroid := at.Apply(s.hull.Centroid)
	apart := b.center.Sub(a.center)
	for i := range cf.faces {
		f, k := &cf.faces[i], int(cf.near[i])
		var m collide.Manifold
		collide.FaceHull(&m, f, &s.hull, at, speculativeDistance)
		if m.N == 0 {
			continue
		}
		out := manifold{normal: t.Q.Apply(m.Normal)}
		for j := range m.N {
			from := &m.Points[j]
			if cf.occluded(from.Anchor.MulAdd(-0.5*from.Separation, m.Normal), centroid) {
				continue
			}
			p := point{feature: ch.feature(from.ID, k)}
			if n, ok := c.normalOf(p.feature); ok {
				if n.Dot(out.normal) >= sameNormalCos {
					continue // the shared corner of two faces, already found
				}
				p.feature.y = int64(k) + 1 // the same corner, with another normal
			}
			segment := ch.segmentOf(k, from, origin)
			p.rB = t.Q.Apply(from.Anchor)
			p.rA = p.rB.Add(apart)
			p.separation = from.Separation
			cf.inheritInto(&p, out.normal)
			p.material, p.cell = ch.materialOf(segment), gridseg.Cell{X: int32(segment)}
			out.points[out.n] = p
			out.n++
		}
		if out.n > 0 {
			out.inheritRolling(cf.old)
			c.manifolds = append(c.manifolds, out)
		}
	}
	if c.isPinched(s.pinchDepth()) {
		base := a.velocityAt(apart)
		c.pinched = true
		b.step.pinchSpeed = max(b.step.pinchSpeed, 2*pushSpeed+base.Len())
	}
	b.step.sunkInChain = b.step.sunkInChain || c.deeperThan(s.sunkDepth())
	if len(c.manifolds) > 0 {
		w.setTouching(c, true)
	} else {
		w.setTouchingAt(c, false, cf.old)
	}
}

// normalOf returns the normal at the point of c with the feature f.
func (c *contact) normalOf(f feature) (geom.Vec, bool) {
	for i := range c.manifolds {
		m := &c.manifolds[i]
		for k := range m.n {
			if m.points[k].feature == f {
				return m.normal, true
			}
		}
	}
	return geom.Vec{}, false
}

// face returns face k, relative to origin.
func (ch *chain) face(k int, origin geom.Vec) collide.Face {
	a, b := ch.ends(k)
	f := collide.Face{A: a.Sub(origin), B: b.Sub(origin)}
	n := len(ch.corners)
	switch {
	case k > 0:
		f.Ghost1, f.HasGhost1 = ch.corners[k-1].Sub(origin), true
	case ch.loop:
		f.Ghost1, f.HasGhost1 = ch.corners[n-1].Sub(origin), true
	case ch.hasGhost[0]:
		f.Ghost1, f.HasGhost1 = ch.ghost[0].Sub(origin), true
	}
	switch {
	case k+2 < n:
		f.Ghost2, f.HasGhost2 = ch.corners[k+2].Sub(origin), true
	case ch.loop:
		f.Ghost2, f.HasGhost2 = ch.corners[k+2-n].Sub(origin), true
	case ch.hasGhost[1]:
		f.Ghost2, f.HasGhost2 = ch.ghost[1].Sub(origin), true
	}
	return f
}

// inheritInto gives p the impulses of the old point with its feature, or else at its place.
func (cf *chainFaces) inheritInto(p *point, normal geom.Vec) {
	for i := range cf.old {
		if p.inherit(&cf.old[i]) {
			return
		}
	}
	for i := range cf.old {
		if p.inheritNear(&cf.old[i], normal) {
			return
		}
	}
}

// segmentOf returns the segment of face k under the point p: at an end of the face the end's
// segment, wherever the shape is.
func (ch *chain) segmentOf(k int, p *collide.Point, origin geom.Vec) int {
	switch {
	case p.ID.CornerA():
		return ch.first(k)
	case p.ID.CornerB():
		return ch.last(k)
	}
	return ch.segmentAt(k, p.Anchor, origin)
}

// feature names a point on face k: by the corner if it is at one, else by the face.
func (ch *chain) feature(id collide.FeatureID, k int) feature {
	f := feature{kind: ofVertex, x: int64(k), pair: collide.FeatureID(id.HullFeature())}
	switch {
	case id.CornerA():
	case id.CornerB():
		f.x = int64(k + 1)
		if ch.loop && k+1 == len(ch.corners) {
			f.x = 0
		}
	default:
		f.kind = ofLine
	}
	return f
}

// occluded reports whether the front of a face lies between c, a shape's centroid, and foot,
// a place on another face that would push the shape. Then that place is on the far side of a
// wedge of solid, and the push would come from behind.
func (cf *chainFaces) occluded(foot, c geom.Vec) bool {
	d := foot.Sub(c)
	for i := range cf.faces {
		f := cf.faces[i]
		f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Sub(c), f.B.Sub(c), f.Ghost1.Sub(c), f.Ghost2.Sub(c)
		if inFrontOf(f.A, f.B, d) && crosses(&f, d) {
			return true
		}
	}
	return false
}
