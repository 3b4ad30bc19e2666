package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// OneWay makes the queries of one worker about one-way tiles. It lists the shapes of a body when one of them is
// near such a tile, and keeps the list for the body's other shapes until Reset.
type OneWay struct {
	Query surface.WayQuery

	w            *state.World
	ground, body int32 // slots, of Query
	moving       bool
	displaced    bool               // SetTransform moved the body or the ground since the last step
	shapes       []surface.WayShape // of the body listedBody over the ground listedGround, if listed
	listed       bool
	listedGround int32
	listedBody   int32
	listings     uint64 // number of lists so far
}

// Reset drops the list of shapes. It must be called after each loop over contacts and before each sweep of a
// body.
func (o *OneWay) Reset() { o.listed = false }

// Set sets o.Query to the query of the shape in slot si over the ground in slot gi, in the step that begins, and
// returns it. now is the pose of the shape's body in the ground, relative to origin; mem is the memory of their
// contact. With moving, now is the pose at the start of the step in progress, and the pose of the last step is
// unknown.
func (o *OneWay) Set(w *state.World, gi, si int32, mem *narrow.Memory, now geom.Transform, origin geom.Vec,
	moving bool,
) *surface.WayQuery {
	g, own := w.Grounds.At(gi), w.Shapes.At(si)
	a, b := w.Bodies.At(g.Body), w.Bodies.At(own.Body)
	o.w, o.ground, o.body, o.moving = w, gi, own.Body, moving
	q := &o.Query
	*q = surface.WayQuery{
		Was: now, Now: now, Origin: origin, Old: mem.Manifolds, Source: o,
		Own:  surface.WayShape{Hull: &own.Hull, Ignored: !g.Allows(&own.Filter), Stood: mem.OneWay.Stood},
		Drop: mem.OneWay.Drop, Passes: b.Dropping > 0, Memory: &mem.OneWay,
	}
	o.displaced = a.DisplacedAt == w.Steps+1 || b.DisplacedAt == w.Steps+1
	if o.displaced || contact.Escaping(mem.Manifolds) {
		// A shape that is escaping to a free spot, one-way tiles aside, has one point, with the distance to that spot.
		q.Old, q.Own.Stood = nil, nil
	}
	q.Prepare()
	return q
}

// SetBody implements surface.WaySource.
func (o *OneWay) SetBody(q *surface.WayQuery) {
	w, g := o.w, o.w.Grounds.At(o.ground)
	if !o.moving {
		last := w.LastPose(g.Body, false).InvMul(w.LastPose(o.body, false))
		q.Was = geom.Transform{P: last.P.Sub(q.Origin), Q: last.Q}
	}
	if !o.listed || o.listedGround != o.ground || o.listedBody != o.body {
		o.listed, o.listedGround, o.listedBody = true, o.ground, o.body
		o.listings++
		o.listShapes(g, w.Bodies.At(o.body).FirstShape)
	}
	q.Shapes, q.Listing = o.shapes, o.listings
}

// listShapes lists the shapes of a body, of which first is the first, as they are to its other shapes in the
// ground g.
func (o *OneWay) listShapes(g *state.Ground, first int32) {
	w := o.w
	o.shapes = o.shapes[:0]
	for i := first; i >= 0; i = w.Shapes.At(i).Next {
		h := w.Shapes.At(i)
		if h.Sensor {
			continue
		}
		s := surface.WayShape{Hull: &h.Hull, Ignored: !g.Allows(&h.Filter)}
		if k, ok := w.Broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, o.ground), i))); ok &&
			w.Contacts.At(k).Refused {
			s.Ignored = true
		} else if ok && !s.Ignored {
			if m := &w.Contacts.SurfaceOf(w.Contacts.At(k)).OneWay; m.Drop == surface.Dropping {
				s.Dropping = true
			} else if !o.displaced {
				s.Stood = m.Stood
			}
		}
		o.shapes = append(o.shapes, s)
	}
}
