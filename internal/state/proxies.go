package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
)

// Proxied is the common part of shapes, grounds and chains.
type Proxied struct {
	// broad.None for a ground that never had a tile, on a disabled body, or before it is in the broad phase
	Proxy    broad.ID
	Body     int32
	Next     int32  // the body's next shape, ground or chain; -1: none
	Material uint16 // of a shape
	Sensor   bool   // of a shape
	Flags    Flags  // of a shape or ground
}

// AddProxy adds a proxy for o, whose common part is p, with the given box, unless its body is disabled.
func (w *World) AddProxy(o broad.Owner, p *Proxied, f broad.Filter, box geom.AABB) error {
	if w.Bodies.At(p.Body).Flags&Disabled != 0 {
		return nil
	}
	id, err := w.Broad.Add(broad.Entry{
		Box: box, Filter: f, Owner: o, Body: p.Body,
		BodyType: w.Bodies.At(p.Body).Type, Sensor: p.Sensor,
	})
	p.Proxy, w.Rare(p.Body).Room = id, 0
	return err
}

// listOf returns the first shape, ground or chain, of a kind, of b.
func (b *Body) listOf(kind broad.Owner) *int32 {
	switch kind {
	case broad.Ground:
		return &b.FirstGround
	case broad.Chain:
		return &b.FirstChain
	}
	return &b.FirstShape
}

// prev returns the one before o in the list of its body; -1: none.
func (w *World) prev(o broad.Owner) *int32 {
	switch o.Kind() {
	case broad.Ground:
		return &w.Grounds.At(o.Slot()).Prev
	case broad.Chain:
		return &w.Chains.At(o.Slot()).Prev
	}
	return &w.Shapes.At(o.Slot()).Prev
}

// Link puts o first into the list of its body. The caller updates the body's mass.
func (w *World) Link(o broad.Owner) {
	p := w.Proxied(o)
	first := w.Bodies.At(p.Body).listOf(o.Kind())
	if p.Next, *w.prev(o) = *first, -1; p.Next >= 0 {
		*w.prev(broad.OwnerOf(o.Kind(), p.Next)) = o.Slot()
	}
	*first = o.Slot()
	w.weigh(o)
}

// unlink removes o from the list of its body. The caller updates the body's mass.
func (w *World) unlink(o broad.Owner) {
	w.unweigh(o)
	p, prev := w.Proxied(o), *w.prev(o)
	if prev >= 0 {
		w.Proxied(broad.OwnerOf(o.Kind(), prev)).Next = p.Next
	} else {
		*w.Bodies.At(p.Body).listOf(o.Kind()) = p.Next
	}
	if p.Next >= 0 {
		*w.prev(broad.OwnerOf(o.Kind(), p.Next)) = prev
	}
}

// hasFewerParts reports whether body i has fewer shapes, grounds and chains than body k, in time in proportion to the
// smaller number.
func (w *World) hasFewerParts(i, k int32) bool {
	for most := 1; ; most *= 2 {
		if a, b := w.partsUpTo(i, most), w.partsUpTo(k, most); min(a, b) < most {
			return a < b
		}
	}
}

// partsUpTo returns the number of shapes, grounds and chains of body i, or most, if that is smaller.
func (w *World) partsUpTo(i int32, most int) (n int) {
	for range w.OwnersOf(i) {
		if n++; n == most {
			break
		}
	}
	return n
}

// removeProxy removes o from the broad phase, and its contacts.
func (w *World) removeProxy(o broad.Owner) {
	p := w.Proxied(o)
	w.RemoveContacts(o)
	if p.Proxy != broad.None {
		w.Broad.Remove(p.Proxy)
		p.Proxy = broad.None
	}
}

// Withdraw takes the shapes, grounds and chains of body i out of the broad phase, and removes their contacts. It wakes
// the body, and the bodies that touched it.
func (w *World) Withdraw(i int32) {
	w.Wake(i)
	w.WakeTouching(i)
	for l := range w.ContactsOf(i) {
		w.RemoveContact(l>>1, true)
	}
	for _, p := range w.OwnersOf(i) {
		if p.Proxy != broad.None {
			w.Broad.Remove(p.Proxy)
			p.Proxy = broad.None
		}
	}
}

// Enter puts the shapes, grounds and chains of body i back into the broad phase after Withdraw, unless the body is
// disabled, and wakes the bodies that an addition of these would wake. If one of them is beyond the bounds, the body is
// lost, and disabled.
func (w *World) Enter(i int32) {
	b := w.Bodies.At(i)
	t := b.Transform()
	for o, p := range w.OwnersOf(i) {
		var err error
		switch k := o.Slot(); o.Kind() {
		case broad.Shape:
			s := w.Shapes.At(k)
			err = w.AddProxy(o, p, s.Filter, s.Geometry.Bounds(t).Expand(s.Margin()))
		case broad.Ground:
			if box := w.Grounds.At(k).Bounds(); !box.IsEmpty() {
				err = w.AddProxy(o, p, w.Grounds.At(k).Filter, box.In(t).Expand(AABBMargin))
			}
		default:
			c := w.Chains.At(k)
			err = w.AddProxy(o, p, c.Filter, c.Box.In(t).Expand(AABBMargin))
		}
		if err != nil {
			w.shutOut(i)
			return
		}
	}
	for l := range w.JointsOf(i) {
		w.SwitchJoint(l >> 1)
	}
	w.Activate(i)
	w.WakeTouching(i)
	if b.Type == broad.DynamicBody {
		w.WakeUnlessNew(i)
		return
	}
	for _, p := range w.OwnersOf(i) {
		w.WakeNear(p)
	}
}

// shutOut disables body i, a part of which is beyond the bounds of the broad phase, and reports it as lost.
func (w *World) shutOut(i int32) {
	w.MarkLost(i)
	b := w.Bodies.At(i)
	b.Flags, b.Awake = b.Flags|Disabled, false
	w.Withdraw(i)
	for l := range w.JointsOf(i) {
		w.SwitchJoint(l >> 1)
	}
}

// SetFilter sets f, the filter of o, to to. Contacts that the new filter forbids end, and wake their bodies. A dynamic
// body, which may now touch others, wakes; if the body is not dynamic, the bodies whose boxes overlap the box of o
// wake.
func (w *World) SetFilter(o broad.Owner, f *broad.Filter, to broad.Filter) {
	if *f == to {
		return
	}
	*f = to
	p := w.Proxied(o)
	if p.Proxy == broad.None {
		return
	}
	w.Broad.SetFilter(p.Proxy, to)
	for i, c := range w.ContactsWith(o) {
		if !broad.MayCollide(w.Broad.At(w.Proxied(w.Contacts.SideA(c)).Proxy),
			w.Broad.At(w.Proxied(broad.OwnerOfB(c.ShapeB)).Proxy)) {
			w.RemoveContact(i, true)
		}
	}
	if w.Bodies.At(p.Body).Type == broad.DynamicBody {
		w.WakeUnlessNew(p.Body)
	} else {
		w.WakeNear(p)
	}
}
