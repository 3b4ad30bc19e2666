package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
)

// OneWayQuery sets q to the query of the shape in slot si over the ground in slot gi, in the step that begins. now
// is the pose of the shape's body in the ground, relative to origin; mem is the memory of their contact. With
// moving, now is the pose at the start of the step in progress, and the pose of the last step is unknown.
func (w *World) OneWayQuery(q *oneway.Query, gi, si int32, mem *narrow.Memory, now geom.Transform, origin geom.Vec, moving bool) {
	g, own := w.Grounds.At(gi), w.Shapes.At(si)
	a, b := w.Bodies.At(g.Body), w.Bodies.At(own.Body)
	*q = oneway.Query{
		Was: now, Now: now, Origin: origin, Old: mem.Manifolds, Shapes: q.Shapes[:0],
		Drop: mem.OneWay.Drop, Passes: b.Dropping > 0, Memory: &mem.OneWay,
	}
	if !moving {
		last := w.LastPose(g.Body, false).InvMul(w.LastPose(own.Body, false))
		q.Was = geom.Transform{P: last.P.Sub(origin), Q: last.Q}
	}
	stood := mem.OneWay.Stood
	if now := w.Steps + 1; a.DisplacedAt == now || b.DisplacedAt == now || contact.Escaping(mem.Manifolds) {
		// The body was moved by SetTransform; or it is escaping to a free spot, one-way
		// tiles aside, and its one point has the distance to that spot.
		q.Old, stood = nil, nil
	}
	for i := b.FirstShape; i >= 0; i = w.Shapes.At(i).Next {
		h := w.Shapes.At(i)
		if h.Sensor {
			continue
		}
		s := oneway.Shape{Hull: &h.Hull, Ignored: !g.Allows(&h.Filter)}
		if i == si {
			q.Own, s.Stood = len(q.Shapes), stood
		} else if k, ok := w.Broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, gi), i))); ok && w.Contacts.At(k).Refused {
			s.Ignored = true
		} else if ok && !s.Ignored {
			if o := &w.Contacts.SurfaceOf(w.Contacts.At(k)).OneWay; o.Drop == oneway.Dropping {
				s.Dropping = true
			} else {
				s.Stood = o.Stood
			}
		}
		q.Shapes = append(q.Shapes, s)
	}
	q.Prepare()
}
