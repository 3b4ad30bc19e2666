package quarry

import (
	"fmt"

	"github.com/quarry2d/quarry/internal/record"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
)

// OneWay is the direction in which bodies pass a tile: a platform to jump on from below, or
// a door that opens to one side. It is in the axes of the ground, however the tile is turned
// in its cell, and turns with the ground's body.
//
// A one-way tile has only the faces whose normals point in that direction, for a body that comes at
// them from their front; common faces of tiles of one direction vanish, as for all tiles. Its other
// faces and its inside do not collide. A body that is part way through is not pushed, wherever it
// turns back, and neither is a body over which such a tile is placed: the faces stop a body once all
// of it has been in front of them. Where one-way tiles adjoin solid ones, a body that passes the
// former collides with the faces of the latter.
//
// Passing makes no contact and no event; a contact begins when a body lands. Queries ignore
// the direction, unless QueryFilter.OneWay says otherwise: a ray stops where it enters a one-way
// tile, from any side, and Ground.Solid is true in it. The Tile in the result tells it from others.
type OneWay uint8

const (
	// NotOneWay tiles are solid on all sides.
	NotOneWay OneWay = iota
	// OneWayUp lets bodies pass upwards and stops them on the way down: a platform.
	OneWayUp
	// OneWayLeft lets bodies pass towards -x and stops them the other way: a door.
	OneWayLeft
	// OneWayDown lets bodies pass downwards: a hatch in a ceiling, or a drain.
	OneWayDown
	// OneWayRight lets bodies pass towards +x.
	OneWayRight
)

// String returns the direction's name.
func (o OneWay) String() string {
	if o <= OneWayRight {
		return [...]string{"not one-way", "up", "left", "down", "right"}[o]
	}
	return fmt.Sprintf("OneWay(%d)", uint8(o))
}

// updateOneWays sets the directions of the materials.
func (w *World) updateOneWays() {
	had := w.oneWays.Any()
	w.setOneWays()
	for _, s := range w.surfaceContacts.All() {
		if had != w.oneWays.Any() {
			s.OneWay.Reset()
		}
		if s.owner.Kind() == broad.Ground && w.oneWays.Any() {
			s.OneWay.Note(s.Manifolds, &w.oneWays)
		}
	}
}

// setOneWays sets the directions of the materials, for the world and its grounds, and their strengths.
func (w *World) setOneWays() {
	ways := make([]oneway.Direction, len(w.materials))
	w.strengths = nil
	for i := range ways {
		ways[i] = oneway.Direction(w.materials[i].OneWay)
		if s := w.materials[i].Strength; s > 0 {
			w.strengths = append(append(w.strengths, make([]float64, i-len(w.strengths))...), s)
		}
	}
	w.oneWays.Set(ways)
	for i := range w.grounds.Slots() {
		w.grounds.At(i).tiles.SetWays(&w.oneWays)
	}
}

// oneWayQuery sets q to the query of the shape in slot si over the ground in slot gi in the step that
// begins, where its body is at now, relative to origin, in the ground; mem is their contact's. With
// moving, now is the pose at the start of the step in progress, and the pose of the last step is unknown.
func (w *World) oneWayQuery(q *oneway.Query, gi, si int32, mem *narrow.Memory, now geom.Transform, origin geom.Vec, moving bool) {
	g, own := w.grounds.At(gi), w.shapes.At(si)
	a, b := w.bodies.At(g.body), w.bodies.At(own.body)
	*q = oneway.Query{
		Was: now, Now: now, Origin: origin, Old: mem.Manifolds, Shapes: q.Shapes[:0],
		Drop: mem.OneWay.Drop, Passes: b.dropping > 0, Memory: &mem.OneWay,
	}
	if !moving {
		last := w.lastPose(g.body, false).InvMul(w.lastPose(own.body, false))
		q.Was = geom.Transform{P: last.P.Sub(origin), Q: last.Q}
	}
	stood := mem.OneWay.Stood
	if now := w.steps + 1; a.displacedAt == now || b.displacedAt == now || contact.Escaping(mem.Manifolds) {
		// The body was moved by SetTransform; or it is escaping to a free spot, one-way
		// tiles aside, and its one point has the distance to that spot.
		q.Old, stood = nil, nil
	}
	for i := b.firstShape; i >= 0; i = w.shapes.At(i).next {
		h := w.shapes.At(i)
		if h.sensor {
			continue
		}
		s := oneway.Shape{Hull: &h.hull, Ignored: !g.Allows(&h.filter)}
		if i == si {
			q.Own, s.Stood = len(q.Shapes), stood
		} else if k, ok := w.broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, gi), i))); ok && w.contacts.At(k).filtered {
			s.Ignored = true
		} else if ok && !s.Ignored {
			if o := &w.surfaceOf(w.contacts.At(k)).OneWay; o.Drop == oneway.Dropping {
				s.Dropping = true
			} else {
				s.Stood = o.Stood
			}
		}
		q.Shapes = append(q.Shapes, s)
	}
	q.Prepare()
}

// queryOfSweep returns the query of the shape in slot si in its motion through a step over the ground
// in slot gi, nil if no tile is one-way. The origin is the start of the motion, in the ground.
func (k *worker) queryOfSweep(gi, si int32, origin geom.Vec) *oneway.Query {
	w := k.w
	if !w.oneWays.Any() {
		return nil
	}
	q, mem := &k.sweepQuery, &k.noMemory
	if i, ok := w.broad.Pairs.Get(uint64(broad.KeyOf(broad.OwnerOf(broad.Ground, gi), si))); ok {
		mem = &w.surfaceOf(w.contacts.At(i)).Memory
	} else {
		mem.Reset() // the shape was not near the ground at the start of the step
	}
	now := w.lastPose(w.grounds.At(gi).body, true).InvMul(w.lastPose(w.shapes.At(si).body, true))
	now.P = now.P.Sub(origin)
	w.oneWayQuery(q, gi, si, mem, now, origin, true)
	return q
}

// lastPose returns the pose of body i at the start of the last step; with moving, in moveBodies,
// at the start of the step in progress.
func (w *World) lastPose(i int32, moving bool) geom.Transform {
	at := w.steps
	if moving {
		at++
	}
	if r := w.rare(i); r.startedAt == at && at > 0 {
		return r.startPose
	}
	return w.bodies.At(i).transform()
}

// DropThrough lets the body fall through the one-way tiles that it touches now, until it is
// clear of them, and through any others that it meets in the next seconds of simulated time
// while it is awake: 0 for none, an infinity for all. The new time replaces the old one. It
// panics if seconds is negative or NaN.
func (b Body) DropThrough(seconds float64) {
	record.Call1(b.w.recorder(b.get()), "Body.DropThrough", b.id, seconds)
	if !(seconds >= 0) {
		check.Refuse("DropThrough", "seconds", seconds, "at least 0")
	}
	st := b.change()
	st.dropping = seconds
	for l, c := range b.w.contactsOf(b.slot) {
		if b.w.sideA(c).Kind() == broad.Ground && !c.ofGrounds() && !c.sensor && l&1 == 1 && b.w.oneWays.Any() {
			b.w.surfaceOf(c).OneWay.Drop = oneway.ToDrop
		}
	}
}

// Dropping reports whether a DropThrough of the body is in progress.
func (b Body) Dropping() bool {
	st := b.get()
	for l, c := range b.w.contactsOf(b.slot) {
		if !c.ofShapes() && l&1 == 1 && b.w.surfaceOf(c).OneWay.Drops() {
			return true
		}
	}
	return st.dropping > 0
}
