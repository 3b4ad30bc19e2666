package quarry

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/surface"
)

// chainFaces is the part of a chain near one shape.
type chainFaces struct {
	near  []int32        // face numbers, ascending
	faces []collide.Face // the same, relative to the shape's body
}

// touchChain computes the manifolds of a shape and a chain: one for each face that the shape
// touches. As on the ground, coordinates are relative to the body's centre of mass, in the
// chain's axes.
func (w *World) touchChain(c *contactState) {
	ch, s := w.chains.At(c.chain), w.shapes.At(c.shapeB)
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	t := a.transform()
	origin := t.Inv(b.center)
	q := t.Q.InvMul(b.rot)
	at := geom.Transform{P: q.Apply(b.localCenter).Neg(), Q: q}

	cf := &w.scratch.chainFaces
	mt := &w.scratch.surface.Matcher
	mt.Begin(c.manifolds)
	c.manifolds, c.pinched = c.manifolds[:0], false
	box := s.bounds(at).Expand(speculativeDistance).Translate(origin)
	cf.near = ch.AppendNear(cf.near[:0], box)
	cf.faces = cf.faces[:0]
	for _, k := range cf.near {
		cf.faces = append(cf.faces, ch.Face(int(k), origin))
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
		out := contact.Manifold{Normal: t.Q.Apply(m.Normal)}
		for j := range m.N {
			from := &m.Points[j]
			if cf.occluded(from.Anchor.MulAdd(-0.5*from.Separation, m.Normal), centroid) {
				continue
			}
			p := contact.Point{Feature: ch.Feature(from.ID, k)}
			if met, same := mt.Find(c.manifolds, p.Feature, out.Normal); same {
				continue // the shared corner of two faces, already found
			} else if met {
				p.Feature.Y = int64(k) + 1 // the same corner, with another normal
			}
			segment := ch.SegmentOf(k, from, origin)
			p.AnchorB = t.Q.Apply(from.Anchor)
			p.AnchorA = p.AnchorB.Add(apart)
			p.Separation = from.Separation
			mt.Inherit(&p, out.Normal)
			p.Source = contact.Source{Segment: int32(segment), Material: uint16(ch.materialOf(segment))}
			out.Points[out.N] = p
			out.N++
		}
		if out.N > 0 {
			out.InheritRolling(mt.Old)
			c.manifolds = append(c.manifolds, out)
		}
	}
	if depenetrate.Pinched(c.manifolds, depenetrate.PinchDepthOf(s.core)) {
		base := a.velocityAt(apart)
		c.pinched = true
		b.step.pinchSpeed = max(b.step.pinchSpeed, 2*pushSpeed+base.Len())
	}
	b.step.sunkInChain = b.step.sunkInChain || depenetrate.Deeper(c.manifolds, s.sunkDepth())
	if len(c.manifolds) > 0 {
		w.setTouching(c, true)
	} else {
		w.setTouchingAt(c, false, mt.Old)
	}
}

// occluded reports whether the front of a face lies between c, a shape's centroid, and foot,
// a place on another face that would push the shape. Then that place is on the far side of a
// wedge of solid, and the push would come from behind.
func (cf *chainFaces) occluded(foot, c geom.Vec) bool {
	d := foot.Sub(c)
	for i := range cf.faces {
		f := cf.faces[i]
		f.A, f.B, f.Ghost1, f.Ghost2 = f.A.Sub(c), f.B.Sub(c), f.Ghost1.Sub(c), f.Ghost2.Sub(c)
		if surface.CrossesFront(&f, d) {
			return true
		}
	}
	return false
}
