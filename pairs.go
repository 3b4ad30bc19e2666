package quarry

import (
	"cmp"
	"iter"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
)

// proxied is the part that shapes, grounds and chains have in common.
type proxied struct {
	proxy broad.ID // broad.None for a ground that never had a tile, on a disabled body, or before addProxy
	body  int32
	next  int32 // the body's next shape, ground or chain; -1: none
}

// filter tells with which others one of these collides.
type filter = broad.Filter

// filterOf returns the filter of a definition: a category of 0 is the first one, a mask of 0 all.
func filterOf(category, mask uint64, group int32) filter {
	return filter{Category: cmp.Or(category, 1), Mask: cmp.Or(mask, math.MaxUint64), Group: group}
}

// setFilter sets f, the filter of o. Contacts that it forbids end, and wake their bodies. A body that may
// now touch others wakes if it is dynamic; otherwise those wake whose boxes overlap the box of o.
func (w *World) setFilter(o broad.Owner, f *filter, to filter) {
	w.mustNotStep()
	if *f == to {
		return
	}
	*f = to
	p := w.proxied(o)
	if p.proxy == broad.None {
		return
	}
	w.broad.SetFilter(p.proxy, to)
	for i, c := range w.contactsWith(o) {
		if !broad.MayCollide(w.broad.At(w.proxied(w.sideA(c)).proxy), w.broad.At(w.proxied(broad.OwnerOfB(c.shapeB)).proxy)) {
			w.removeContact(i, true)
		}
	}
	if w.bodies.At(p.body).kind == Dynamic {
		w.wakeUnlessNew(p.body)
	} else {
		w.wakeNear(p)
	}
}

// unlink removes o from the list of its body that starts at first.
func (w *World) unlink(first *int32, o broad.Owner) {
	for *first != o.Slot() {
		first = &w.proxied(broad.OwnerOf(o.Kind(), *first)).next
	}
	*first = w.proxied(o).next
}

// proxied returns the common part of o.
func (w *World) proxied(o broad.Owner) *proxied {
	switch o.Kind() {
	case broad.Ground:
		return &w.grounds.At(o.Slot()).proxied
	case broad.Chain:
		return &w.chains.At(o.Slot()).proxied
	}
	return &w.shapes.At(o.Slot()).proxied
}

// ownersOf yields the shapes, grounds and chains of body i.
func (w *World) ownersOf(i int32) iter.Seq2[broad.Owner, *proxied] {
	return func(yield func(broad.Owner, *proxied) bool) {
		b := w.bodies.At(i)
		for kind, first := range [...]int32{b.firstShape, b.firstGround, b.firstChain} {
			for k := first; k >= 0; {
				o := broad.OwnerOf(broad.Owner(kind)<<32, k)
				p := w.proxied(o)
				if k = p.next; !yield(o, p) {
					return
				}
			}
		}
	}
}

// proxiesOf yields the entries in the broad phase of body i: of its shapes, its grounds and its chains.
func (w *World) proxiesOf(i int32) iter.Seq[*broad.Entry] {
	return func(yield func(*broad.Entry) bool) {
		for _, p := range w.ownersOf(i) {
			if p.proxy != broad.None && !yield(w.broad.At(p.proxy)) {
				return
			}
		}
	}
}

// withdraw takes body i out of the broad phase, and removes its contacts. It wakes the body, and those
// that touched it.
func (w *World) withdraw(i int32) {
	w.wake(i)
	w.wakeTouching(i)
	for l := range w.contactsOf(i) {
		w.removeContact(l>>1, true)
	}
	for _, p := range w.ownersOf(i) {
		if p.proxy != broad.None {
			w.broad.Remove(p.proxy)
			p.proxy = broad.None
		}
	}
}

// enter puts body i, which withdraw took out, into the broad phase, unless it is disabled, and wakes what an
// addition of its shapes, grounds and chains would wake. If it is beyond the bounds, it is lost, and disabled.
func (w *World) enter(i int32) {
	b := w.bodies.At(i)
	t := b.transform()
	for o, p := range w.ownersOf(i) {
		var err error
		switch k := o.Slot(); o.Kind() {
		case broad.Shape:
			s := w.shapes.At(k)
			err = w.addProxy(o, p, s.filter, s.geometry.Bounds(t).Expand(s.margin()), s.sensor)
		case broad.Ground:
			if box := w.grounds.At(k).bounds(); !box.IsEmpty() {
				err = w.addProxy(o, p, w.grounds.At(k).filter, box.In(t).Expand(aabbMargin), false)
			}
		default:
			c := w.chains.At(k)
			err = w.addProxy(o, p, c.filter, c.box.In(t).Expand(aabbMargin), false)
		}
		if err != nil {
			w.markLost(i)
			b.flags, b.awake = b.flags|disabled, false
			w.withdraw(i)
			return
		}
	}
	for l := range w.jointsOf(i) {
		w.switchJoint(l >> 1)
	}
	w.activate(i)
	w.wakeTouching(i)
	if b.kind == Dynamic {
		w.wakeUnlessNew(i)
		return
	}
	for _, p := range w.ownersOf(i) {
		w.wakeNear(p)
	}
}

// wakeNear wakes the bodies whose boxes overlap the box of p, which is not of a dynamic body and has been
// added to the world.
func (w *World) wakeNear(p *proxied) {
	if p.proxy == broad.None {
		return
	}
	if e := w.broad.At(p.proxy); !e.Sensor {
		w.wakeUnlessNewIn(e.Box)
	}
}

// addProxy adds a proxy for o, whose common part is p, with the given box, unless its body is disabled.
func (w *World) addProxy(o broad.Owner, p *proxied, f filter, box geom.AABB, sensor bool) error {
	if w.bodies.At(p.body).flags&disabled != 0 {
		return nil
	}
	id, err := w.broad.Add(broad.Entry{
		Box: box, Filter: f, Owner: o, Body: p.body,
		BodyType: broad.BodyType(w.bodies.At(p.body).kind), Sensor: sensor,
	})
	p.proxy, w.rare(p.body).room = id, 0
	return err
}

// contactsWith yields the contacts of o; the loop may remove them.
func (w *World) contactsWith(o broad.Owner) iter.Seq2[int32, *contactState] {
	return func(yield func(int32, *contactState) bool) {
		for l, c := range w.contactsOf(w.proxied(o).body) {
			if (w.sideA(c) == o || broad.OwnerOfB(c.shapeB) == o) && !yield(l>>1, c) {
				return
			}
		}
	}
}

// removeContacts removes the contacts of o, and wakes the bodies that touched it.
func (w *World) removeContacts(o broad.Owner) {
	for i := range w.contactsWith(o) {
		w.removeContact(i, true)
	}
}

// removeProxy removes o from the broad phase, and its contacts.
func (w *World) removeProxy(o broad.Owner) {
	p := w.proxied(o)
	w.removeContacts(o)
	if p.proxy != broad.None {
		w.broad.Remove(p.proxy)
	}
}

// updateProxies updates the boxes in the broad phase of body bi; see listBoxes.
func (w *World) updateProxies(bi int32, motion *ccd.Motion) {
	w.alone(func(k *worker) { k.listBoxes(bi, motion) })
}

// listBoxes lists new boxes in the broad phase, grown by margins, of those shapes, grounds and chains of body bi that have
// left theirs. The boxes of a moving body that is not dynamic hold all of its motion through the
// step; motion is nil for other bodies.
func (k *worker) listBoxes(bi int32, motion *ccd.Motion) {
	w := k.w
	b := w.bodies.At(bi)
	if b.flags&disabled != 0 {
		return
	}
	t := b.transform()
	w.rare(bi).room = math.MaxFloat64
	for i := b.firstShape; i >= 0; {
		s := w.shapes.At(i)
		box := s.hull.Bounds(t)
		if motion != nil {
			box = motion.SweptBox(&s.hull, b.extent)
		}
		k.listBox(s.proxy, bi, box, s.margin())
		i = s.next
	}
	for i := b.firstGround; i >= 0; i = w.grounds.At(i).next {
		if g := w.grounds.At(i); g.proxy != broad.None {
			k.listBox(g.proxy, bi, motion.BoundsOf(g.bounds(), t, b.localCenter), aabbMargin)
		}
	}
	for i := b.firstChain; i >= 0; i = w.chains.At(i).next {
		c := w.chains.At(i)
		k.listBox(c.proxy, bi, motion.BoundsOf(c.box, t, b.localCenter), aabbMargin)
	}
}

// listBox lists box, grown by margin, as the new one of the proxy id of body bi, if the old one does not contain it.
func (k *worker) listBox(id broad.ID, bi int32, box geom.AABB, margin float64) {
	r := k.w.rare(bi)
	if room := k.w.broad.At(id).Box.Room(box); room >= 0 {
		r.room = min(r.room, room)
		return
	}
	r.room = min(r.room, margin)
	k.w.bodies.At(bi).boxes++
	e := k.w.scratch.effects.Add(k.number, k.part)
	e.proxy, e.body, e.box = id, bi, box.Expand(margin)
}

// markLost makes a body that has left the world's bounds static, and reports it as lost.
func (w *World) markLost(bi int32) {
	b := w.bodies.At(bi)
	w.events.lost.Add(BodyID(w.bodies.ID(bi)), w.stepping)
	w.fallAsleep(bi)
	b.kind, b.invMass, b.invInertia, b.awake = Static, 0, 0, true // static bodies count as awake
	for e := range w.proxiesOf(bi) {
		w.broad.SetBodyType(e.ID(), broad.StaticBody)
	}
}

// sideA returns the owner of side A of c.
func (w *World) sideA(c *contactState) broad.Owner {
	if c.ofShapes() {
		return broad.OwnerOf(broad.Shape, c.shapeA)
	}
	return w.surfaceOf(c).owner
}

// findPairs adds contacts for the new pairs, and removes those of dropped pairs of crowded shapes.
func (w *World) findPairs() {
	now := w.steps + 1
	keys := w.broad.FindPairs(w.team, now, (*pairSource)(w))
	members, kept := w.broad.Crowded()
	for _, k := range kept {
		w.chosenAt[k] = now
	}
	for _, m := range members {
		for l, o := range w.contactsOf(w.shapes.At(m.Shape).body) {
			if o.ofShapes() && (o.shapeA == m.Shape || o.shapeB == m.Shape) && !o.sensor && w.chosenAt[l>>1] != now && w.broad.Dropped(o.shapeA, o.shapeB) {
				w.removeContact(l>>1, false)
			}
		}
	}
	w.addPairs(keys)
	// Count the pairs of each crowded shape that have no contact.
	for _, m := range members {
		s, dropped := w.shapes.At(m.Shape), m.Pairs
		for _, o := range w.contactsOf(s.body) {
			if !o.ofShapes() || o.shapeA != m.Shape && o.shapeB != m.Shape {
				continue
			}
			p, q := w.broad.At(w.shapes.At(o.shapeA).proxy), w.broad.At(w.shapes.At(o.shapeB).proxy)
			if p.IsSolid() && q.IsSolid() && p.Box.Overlaps(q.Box) {
				dropped--
			}
		}
		w.broad.SetDropped(s.proxy, dropped, w.bodies.At(s.body).awake)
	}
}

// addPairs adds contacts for pairs that have none, in order.
func (w *World) addPairs(keys []broad.Key) {
	w.contacts.Reserve(len(keys))
	for _, key := range keys {
		if _, ok := w.broad.Pairs.Get(uint64(key)); !ok {
			w.broad.Pairs.Put(uint64(key), w.addContact(key))
		}
	}
}

// pairSource is the world as the broad phase sees it (broad.Source).
type pairSource World

// Tight implements broad.Source.
func (src *pairSource) Tight(shape int32) geom.AABB {
	w := (*World)(src)
	s := w.shapes.At(shape)
	return s.hull.Bounds(w.bodies.At(s.body).transform())
}
