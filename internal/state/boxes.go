package state

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/team"
)

// NewBox is the new box in the broad phase of a shape, ground or chain that has left its old one.
type NewBox struct {
	Box   geom.AABB
	Proxy broad.ID
	Body  int32
}

// UpdateBoxes sets new boxes of the shapes, grounds and chains of body bi that have left their boxes; see
// ListBoxes.
func (w *World) UpdateBoxes(bi int32, motion *ccd.Motion) {
	w.boxes.Reset(1, 1, 1)
	w.ListBoxes(&w.boxes, 0, 0, bi, motion)
	w.SetBoxes(w.boxes.Join())
}

// SetBoxes puts new boxes into the broad phase, in order. A body that leaves its bounds stops for good. Between steps,
// when SetTransform may have moved it to any place, it is disabled, too, since its old box and contacts are far from
// it. A step moves it just beyond the bounds, where its contacts may still touch.
func (w *World) SetBoxes(boxes []NewBox) {
	w.PutBoxes(boxes)
	w.NoteBoxes(boxes)
}

// PutBoxes is the part of SetBoxes that does not depend on the order of calls. NoteBoxes ends it. In between, others
// may read the proxies that have no new boxes.
func (w *World) PutBoxes(boxes []NewBox) {
	lost := int32(-1)
	for k := range boxes {
		if b := &boxes[k]; b.Body != lost && w.Broad.Put(b.Proxy, b.Box) != nil {
			lost = b.Body
		}
	}
}

// NoteBoxes lists the proxies as moved whose boxes PutBoxes has set, in order.
func (w *World) NoteBoxes(boxes []NewBox) {
	lost := int32(-1)
	for k := range boxes {
		b := &boxes[k]
		if b.Body == lost || w.Broad.Note(b.Proxy, &b.Box) {
			continue
		}
		if lost = b.Body; w.Stepping {
			w.MarkLost(lost)
		} else {
			w.shutOut(lost)
		}
	}
}

// ListBoxes lists new boxes, grown by margins, of the shapes, grounds and chains of body bi that have left their
// boxes, in the list of a worker and of the current range. The boxes of a moving kinematic body hold all of its
// motion through the step; motion is nil for other bodies. ListBoxes changes neither other bodies nor the broad
// phase.
func (w *World) ListBoxes(list *team.Lists[NewBox], worker, part int, bi int32, motion *ccd.Motion) {
	b, r := w.Bodies.At(bi), w.Rare(bi)
	if b.Flags&Disabled != 0 {
		return
	}
	t := b.Transform()
	r.Room = math.MaxFloat64
	add := func(id broad.ID, box geom.AABB, margin float64) {
		if room := w.Broad.At(id).Box.Room(box); room >= 0 {
			r.Room = min(r.Room, room)
			return
		}
		r.Room = min(r.Room, margin)
		b.BoxChanges++
		n := list.Add(worker, part)
		n.Proxy, n.Body, n.Box = id, bi, box.Expand(margin)
	}
	for i := b.FirstShape; i >= 0; {
		s := w.Shapes.At(i)
		box := s.Hull.Bounds(t)
		if motion != nil {
			box = motion.SweptBox(&s.Hull, b.Extent)
		}
		add(s.Proxy, box, s.Margin())
		i = s.Next
	}
	for i := b.FirstGround; i >= 0; i = w.Grounds.At(i).Next {
		if g := w.Grounds.At(i); g.Proxy != broad.None {
			add(g.Proxy, motion.BoundsOf(g.Bounds(), t, b.LocalCenter), AABBMargin)
		}
	}
	for i := b.FirstChain; i >= 0; i = w.Chains.At(i).Next {
		c := w.Chains.At(i)
		add(c.Proxy, motion.BoundsOf(c.Box, t, b.LocalCenter), AABBMargin)
	}
}
