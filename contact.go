package quarry

import (
	"iter"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/store"
)

// contactState is the state of a pair: two shapes, or a shape and a ground or chain. It exists
// while their boxes in the broad phase overlap. Its slot keeps the memory of its manifolds.
type contactState struct {
	shapeA, shapeB int32 // slots; shapeA is -1 with a ground or chain
	ground         int32 // slot, -1: none
	chain          int32 // slot, -1: none
	bodyA, bodyB   int32
	ends           store.Ends // in the lists of contacts of bodyA and bodyB
	manifolds      []contact.Manifold
	sensor         bool
	touching       bool
	held           bool           // the shape is in solid ground with no way out
	pinched        bool           // the shape is deep between opposed surfaces; see internal/depenetrate
	between        bool           // the shape is deep between this surface and another; see pinchBetween
	stale          bool           // of a sensor: to be computed though neither body moves
	oneWay         *oneway.Memory // with a ground; nil: see oneWayMemory
	stuck          depenetrate.Timer
	updatedAt      uint64 // 1 + the number of steps when its manifolds were last computed
	chosenAt       uint64 // 1 + the number of steps when a crowd last chose it
}

// addContact adds a contact to the lists of both bodies.
func (w *World) addContact(c contactState) int32 {
	i, _, slot := w.contacts.Add()
	c.manifolds, c.oneWay = slot.manifolds[:0], slot.oneWay
	*slot = c
	slot.oneWay.Reset()
	store.Link(w.endsOf, &w.bodies.At(c.bodyA).firstContact, i, 0)
	store.Link(w.endsOf, &w.bodies.At(c.bodyB).firstContact, i, 1)
	store.Clear(&w.lastShapes, i)
	w.active.Add(i)
	return i
}

// endsOf returns the places of contact i in the lists of its bodies.
func (w *World) endsOf(i int32) *store.Ends { return &w.contacts.At(i).ends }

// contactsOf yields the contacts of body i, as slot*2 + the body's side; the loop may remove them.
func (w *World) contactsOf(i int32) iter.Seq2[int32, *contactState] {
	return func(yield func(int32, *contactState) bool) {
		for l := w.bodies.At(i).firstContact; l >= 0; {
			c := w.contacts.At(l >> 1)
			next := c.ends.Next(l & 1)
			if !yield(l, c) {
				return
			}
			l = next
		}
	}
}

// removeContact removes contact i. A touching contact ends; with wake, both bodies wake.
func (w *World) removeContact(i int32, wake bool) {
	c := w.contacts.At(i)
	if c.held {
		w.setHeld(c, false)
		w.wake(c.bodyB)
	}
	if c.touching {
		w.setTouching(c, false, contact.FirstSource(c.manifolds))
		if wake && !c.sensor {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
	}
	store.Unlink(w.endsOf, &w.bodies.At(c.bodyA).firstContact, i, 0)
	store.Unlink(w.endsOf, &w.bodies.At(c.bodyB).firstContact, i, 1)
	w.broad.Unpair(w.proxied(c.sideA()).proxy, w.shapes.At(c.shapeB).proxy)
	memory, oneWay := c.manifolds[:0], c.oneWay
	w.contacts.Remove(i)
	w.contacts.At(i).manifolds, w.contacts.At(i).oneWay = memory, oneWay
}

// setHeld records whether the shape of a contact is in solid ground with no way out. A body
// is reported as crushed once, when the first of its shapes is held.
func (w *World) setHeld(c *contactState, on bool) {
	if c.held == on {
		return
	}
	c.held = on
	b, by := w.bodies.At(c.bodyB), 1
	if !on {
		by = -1
	}
	b.held += int32(by)
	w.held += by
	if on && b.held == 1 {
		w.reportCrushed(c.bodyB)
	}
}

// updateContacts computes the manifolds of all contacts with a moving body, except those of
// sensors (see sense); then it applies the outcomes: it removes contacts whose boxes have parted,
// and wakes the sleeping bodies that are touched.
func (w *World) updateContacts() {
	sc := &w.scratch
	sc.touched, sc.woken, sc.outcomes = sc.touched[:0], sc.woken[:0], sc.outcomes[:0]
	for i := range w.active.All() {
		c := w.contacts.At(i)
		switch moves := w.bodies.At(c.bodyA).moves() || w.bodies.At(c.bodyB).moves(); {
		case !w.contacts.Used(i) || !moves && !c.stale:
			w.active.Remove(i)
		case !c.sensor:
			w.updateContact(i, c)
		}
	}
	w.applyOutcomes()
	for _, i := range sc.touched {
		w.wake(i)
	}
	// A waking body moved slightly in the step in which it fell asleep, so its manifolds are
	// stale: they are computed again. The sleepers that it touches wake in the next step, so
	// that a heap wakes layer by layer, and not all of it after one edit.
	for _, woken := range sc.woken {
		for l, c := range w.contactsOf(woken) {
			if c.updatedAt != w.steps+1 && !c.sensor {
				w.updateContact(l>>1, c)
			}
		}
	}
	w.applyOutcomes()
}

// contactOutcome is the outcome of a contact that changes something besides its manifolds.
type contactOutcome struct {
	narrow.Outcome
	contact int32
	parted  bool        // the boxes do not overlap
	drop    oneway.Drop // with a ground
}

// updateContact computes the manifolds of contact i, which is c, and lists the outcome if it
// changes something else. It writes nothing but c's memory and that list.
func (w *World) updateContact(i int32, c *contactState) {
	c.updatedAt = w.steps + 1
	a, b, sb := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB), w.shapes.At(c.shapeB)
	if c.ofShapes() {
		sa := w.shapes.At(c.shapeA)
		if !w.broad.At(sa.proxy).Box.Overlaps(w.broad.At(sb.proxy).Box) {
			w.scratch.outcomes = append(w.scratch.outcomes, contactOutcome{contact: i, parted: true})
			return
		}
		p := narrow.Pair{
			A: &sa.hull, B: &sb.hull, FrameA: a.transform(), FrameB: b.transform(),
			LocalCenterA: a.localCenter, Apart: a.center.Sub(b.center), ExtentB: sb.extent,
			Moving: a.invMass != 0 && b.invMass != 0,
		}
		deepest := narrow.Shapes(&c.manifolds, &w.lastShapes[i], &p)
		touching := len(c.manifolds) > 0
		if touching != c.touching || touching && (a.asleep() || b.asleep()) ||
			deepest < 0 && isDeep(-deepest, a, b, min(sa.core, sb.core)) {
			w.scratch.outcomes = append(w.scratch.outcomes, contactOutcome{
				Outcome: narrow.Outcome{Touching: touching, Deepest: deepest}, contact: i,
			})
		}
		return
	}
	if !w.broad.At(w.proxied(c.sideA()).proxy).Box.Overlaps(w.broad.At(sb.proxy).Box) {
		w.scratch.outcomes = append(w.scratch.outcomes, contactOutcome{contact: i, parted: true})
		return
	}
	out := &w.scratch.outcome
	w.touchSurface(out, c, a, b, sb)
	if out.Touching != c.touching || out.Touching && b.asleep() || isDeep(-out.Deepest, a, b, sb.core) ||
		out.Held != c.held || c.pinched || out.Pinched || out.PushedOut || out.Crushed ||
		c.ground >= 0 && w.oneWays.Any() && c.oneWayMemory().Changes(&w.scratch.stood, c.manifolds, &w.oneWays, w.scratch.oneWay.Drop) {
		w.scratch.outcomes = append(w.scratch.outcomes, contactOutcome{Outcome: *out, contact: i, drop: w.scratch.oneWay.Drop})
	}
}

// applyOutcomes applies the listed outcomes, in order.
func (w *World) applyOutcomes() {
	for k := range w.scratch.outcomes {
		out := &w.scratch.outcomes[k]
		if out.parted {
			w.removeContact(out.contact, true)
		} else {
			w.apply(out, w.contacts.At(out.contact))
		}
	}
	for k := range w.scratch.outcomes {
		if out := &w.scratch.outcomes[k]; !out.parted && !out.PushedOut && out.Deepest < -geom.LinearSlop {
			w.pinchBetween(w.contacts.At(out.contact), -out.Deepest)
		}
	}
	w.scratch.outcomes = w.scratch.outcomes[:0]
}

// pinchBetween pinches the shape of c, with a ground or chain, if it is depth deep in that surface
// and another contact of the shape with a surface has an opposed normal. It runs when the manifolds
// of all contacts are those of this step.
func (w *World) pinchBetween(c *contactState, depth float64) {
	if c.ofShapes() || depth <= depenetrate.PinchDepthOf(w.shapes.At(c.shapeB).core) {
		return
	}
	for _, o := range w.contactsOf(c.bodyB) {
		if o != c && !o.ofShapes() && o.shapeB == c.shapeB && depenetrate.Opposed(c.manifolds, o.manifolds, depenetrate.PinchDepthOf(w.shapes.At(c.shapeB).core)) {
			w.pinch(c)
			w.pinch(o)
			c.between, o.between = true, true
		}
	}
}

// pinch takes friction from contact c and caps the speed of its body.
func (w *World) pinch(c *contactState) {
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	c.pinched = true
	b.step.pinchSpeed = max(b.step.pinchSpeed, 2*pushSpeed+a.velocityAt(b.center.Sub(a.center)).Len())
}

// apply applies the outcome of contact c to its bodies, adds its events, and lists the sleepers
// that it touches.
func (w *World) apply(out *contactOutcome, c *contactState) {
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	at := &out.Last
	if out.Touching {
		at = contact.FirstSource(c.manifolds)
	}
	w.setTouching(c, out.Touching, at)
	w.markDeep(c, a, b, -out.Deepest)
	if !c.ofShapes() {
		w.applySurface(out, c, a, b)
	}
	if c.touching {
		// A body that touches an awake body is awake.
		if a.asleep() {
			w.scratch.touched = append(w.scratch.touched, c.bodyA)
		}
		if b.asleep() {
			w.scratch.touched = append(w.scratch.touched, c.bodyB)
		}
	}
}

// applySurface applies the outcome of the contact of a shape and a ground or chain.
func (w *World) applySurface(out *contactOutcome, c *contactState, a, b *body) {
	w.setHeld(c, out.Held)
	c.pinched, c.between = false, false
	if out.PushedOut {
		b.step.pushedOut, b.step.throughGround = true, out.Through
		b.velocity = out.Leave(b.velocity, a.velocityAt(b.center.Sub(a.center)))
	}
	if out.Pinched {
		w.pinch(c)
	}
	if out.Crushed {
		w.reportCrushed(c.bodyB)
	}
	if c.ground >= 0 && w.oneWays.Any() {
		c.oneWay.Drop = out.drop
		c.oneWay.Note(c.manifolds, &w.oneWays)
	}
}

// isDeep reports whether markDeep may mark a body of a contact of this depth; core is the least of
// its shapes.
func isDeep(depth float64, a, b *body, core float64) bool {
	if a.invMass != 0 && b.invMass != 0 {
		return depth > depenetrate.PinchDepth
	}
	return depth > 0 && depth > min(depenetrate.PinchDepth, ccd.PressedDepth(core))
}

// markDeep marks the bodies of a contact that is deep: for the sleep of jammed islands, and for
// continuous collision if the penetration, with a static or kinematic body, is deeper than the
// unswept part of a core.
func (w *World) markDeep(c *contactState, a, b *body, depth float64) {
	if depth > depenetrate.PinchDepth {
		a.step.jammed, b.step.jammed = true, true
	}
	if depth <= 0 || a.invMass != 0 && b.invMass != 0 {
		return
	}
	sb := w.shapes.At(c.shapeB)
	if c.chain >= 0 {
		b.step.sunkInChain = b.step.sunkInChain || depth > sb.sunkDepth()
		return
	}
	if b.kind == Dynamic && depth > ccd.PressedDepth(sb.core) {
		b.step.deep = true
	}
	if a.kind == Dynamic && c.ofShapes() && depth > ccd.PressedDepth(w.shapes.At(c.shapeA).core) {
		a.step.deep = true
	}
}

// touchSurface runs the narrow phase for contact c of the shape sb, of b, and a ground or chain, of
// a: it computes the manifolds and the outcome.
func (w *World) touchSurface(out *narrow.Outcome, c *contactState, a, b *body, sb *shape) {
	in := &w.scratch.input
	in.Set(a.transform(), b.center, b.rot, b.localCenter)
	in.Hull, in.Core = &sb.hull, sb.core
	in.Apart = b.center.Sub(a.center)
	in.Velocity, in.Time = b.velocity.Sub(a.velocityAt(in.Apart)), w.time
	in.Tiles, in.Chain, in.OneWay, in.Between = nil, nil, nil, c.between
	mem := narrow.Memory{Manifolds: &c.manifolds, Stuck: &c.stuck}
	if c.chain >= 0 {
		in.Chain = &w.chains.At(c.chain).Chain
		w.scratch.narrow.ChainFaces(out, &mem, in)
		return
	}
	in.Tiles = &w.grounds.At(c.ground).tiles
	if w.oneWays.Any() {
		in.OneWay = &w.scratch.oneWay
		w.oneWayQuery(in.OneWay, c, in.At, in.Origin, false)
	}
	w.scratch.narrow.Ground(out, &mem, in)
}

// ofShapes reports whether c is a contact of two shapes.
func (c *contactState) ofShapes() bool { return c.shapeA >= 0 }

// limitPinched limits the motion that the solver found for a pinched body to its pinchSpeed
// or the speed before, whichever is more.
func (b *body) limitPinched(v geom.Vec, spin float64, d geom.Vec, dt float64) (geom.Vec, float64, geom.Vec) {
	most := max(b.step.pinchSpeed, b.velocity.Len())
	turn := max(math.Abs(b.spin), b.step.pinchSpeed/max(b.extent, geom.LinearSlop))
	return depenetrate.AtMost(v, most), max(-turn, min(turn, spin)), depenetrate.AtMost(d, most*dt)
}

// reportCrushed reports body i as crushed, once a step.
func (w *World) reportCrushed(i int32) {
	id := BodyID(w.bodies.ID(i))
	if !slices.Contains(w.events.crushed, id) {
		w.events.crushed = append(w.events.crushed, id)
	}
}
