package quarry

import (
	"iter"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/store"
)

// contactState is the state of a pair: two shapes, or a shape and a ground or chain. It exists
// while their boxes in the broad phase overlap.
//
// A contact is 64 bytes, one cache line (TestContactLayout): all that a step reads of two shapes that
// stay apart, with the first cache lines of their bodies. What other steps read
// of it is in World.manifolds, surfaceContacts, contactEnds and chosenAt.
type contactState struct {
	last           narrow.Last // of two shapes
	bodyA, bodyB   int32
	shapeA, shapeB int32  // slots; shapeA is -1 with a ground or chain, shapeB below 0 with a ground (broad.B)
	surface        int32  // slot in World.surfaceContacts, if shapeA is -1
	boxes          uint32 // the sum of both bodies' boxes when the boxes of the pair were last compared
	sensor         bool
	touching       bool // if it is no sensor's, it has a manifold
	points         int8 // of the manifold of two shapes
	stale          bool // of a sensor: to be computed though neither body moves
	flags          ShapeFlags
	filtered       bool // the custom filter refused the pair
	disabled       bool // the pre-solve function left out a manifold in this step
}

// surfaceContact is the state of the contact of a shape and a ground or chain. Its slot keeps its room.
type surfaceContact struct {
	narrow.Memory
	owner     broad.Owner         // the ground or chain
	materials [2][]contact.Source // with MaterialEvents, those of A and B whose begins have been reported
	updatedAt uint64              // 1 + the number of steps when its manifolds were last computed
}

// surfaceOf returns the state of c, with a ground or chain.
func (w *World) surfaceOf(c *contactState) *surfaceContact { return w.surfaceContacts.At(c.surface) }

// manifoldsOf yields the manifolds of contact i, which is c; of a contact with a ground or chain with
// their surfaces.
func (w *World) manifoldsOf(i int32, c *contactState) iter.Seq2[*contact.Manifold, *contact.SurfaceManifold] {
	return func(yield func(*contact.Manifold, *contact.SurfaceManifold) bool) {
		n, a := 0, c.shapeA
		if !c.ofShapes() {
			n, a = len(w.surfaceOf(c).Manifolds), ^c.surface
		} else if c.touching && !c.sensor {
			n = 1
		}
		for k := range n {
			if m, on := w.manifoldAt(rows.Ref{Contact: i, A: a, B: c.shapeB, Index: int32(k)}); !yield(m, on) {
				return
			}
		}
	}
}

// addContact adds the contact of the pair k to the lists of both bodies.
func (w *World) addContact(k broad.Key) int32 {
	o, shape := k.Sides()
	if p := broad.OwnerOfB(shape); shape < 0 && p.Kind() == o.Kind() && w.bodies.At(w.proxied(p).body).kind != Dynamic {
		o, shape = p, broad.B(o) // of two grounds A is the one that does not move: it may be far from its body
	}
	i, _, c := w.contacts.Add()
	store.Clear(&w.manifolds, &w.contacts, i)
	store.Clear(&w.bases, &w.contacts, i)
	store.Clear(&w.contactEnds, &w.contacts, i)
	store.Clear(&w.chosenAt, &w.contacts, i)
	c.bodyA, c.bodyB, c.shapeA, c.shapeB = w.proxied(o).body, w.proxied(broad.OwnerOfB(shape)).body, -1, shape
	if o.Kind() == broad.Shape {
		c.shapeA, c.sensor = o.Slot(), w.shapes.At(o.Slot()).sensor || w.shapes.At(shape).sensor
	} else {
		c.sensor = shape >= 0 && w.shapes.At(shape).sensor
		k, _, s := w.surfaceContacts.Add()
		*s, c.surface = surfaceContact{Memory: s.Memory, owner: o, materials: [2][]contact.Source{s.materials[0][:0], s.materials[1][:0]}}, k
	}
	c.stale, c.flags, c.filtered = c.sensor, w.flagsOf(o, shape), w.filters(o, shape)
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	c.boxes = a.boxes + b.boxes - 1 // not yet compared
	w.contactEnds.Link(i, &a.firstContact, &b.firstContact)
	w.active.Add(i)
	return i
}

// contactsOf yields the contacts of body i, as slot*2 + the body's side; the loop may remove them.
func (w *World) contactsOf(i int32) iter.Seq2[int32, *contactState] {
	return store.EdgesOf(w.contactEnds, &w.contacts, w.bodies.At(i).firstContact)
}

// removeContact removes contact i. A touching contact ends; with wake, both bodies wake.
func (w *World) removeContact(i int32, wake bool) {
	c := w.contacts.At(i)
	var at *contact.Source
	if !c.ofShapes() {
		s := w.surfaceOf(c)
		w.reportMaterials(c, s, [2][]contact.Source{})
		if at = contact.FirstSource(s.Manifolds); s.Held {
			w.setHeld(c, s, false)
			w.wake(c.bodyB)
		}
	}
	if c.touching {
		w.setTouching(c, false, at)
		if wake && !c.sensor {
			w.wake(c.bodyA)
			w.wake(c.bodyB)
		}
	}
	w.contactEnds.Unlink(i, &w.bodies.At(c.bodyA).firstContact, &w.bodies.At(c.bodyB).firstContact)
	w.broad.Unpair(w.proxied(w.sideA(c)).proxy, w.proxied(broad.OwnerOfB(c.shapeB)).proxy)
	if !c.ofShapes() {
		w.surfaceOf(c).Reset()
		w.surfaceContacts.Release(c.surface)
	}
	w.contacts.Remove(i)
	w.active.Remove(i)
}

// setHeld records whether the shape of a contact is in solid ground with no way out. A body
// is reported as crushed once, when the first of its shapes is held.
func (w *World) setHeld(c *contactState, s *surfaceContact, on bool) {
	if s.Held == on {
		return
	}
	s.Held = on
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
	sc.touched, sc.woken = sc.touched[:0], sc.woken[:0]
	sc.outcomes.Reset(len(w.workers), len(w.active), wordGrain)
	w.team.Each(len(w.active), wordGrain, w.loops.contacts)
	w.applyOutcomes()
	w.touchJoined()
	for _, i := range sc.touched {
		w.wake(i)
	}
	// A waking body moved slightly in the step in which it fell asleep, so its manifolds are
	// stale: they are computed again. The sleepers that it touches wake in the next step, so
	// that a heap wakes layer by layer, and not all of it after one edit.
	sc.outcomes.Reset(len(w.workers), 1, 1)
	w.workers[0].part = 0
	for _, woken := range sc.woken {
		for l, c := range w.contactsOf(woken) {
			if !c.sensor && (c.ofShapes() || w.surfaceOf(c).updatedAt != w.steps+1) {
				w.workers[0].updateContact(l>>1, c, w.bodies.At(c.bodyA), w.bodies.At(c.bodyB))
			}
		}
	}
	w.applyOutcomes()
}

// updateWords updates the contacts in a range of the words of World.active.
func (k *worker) updateWords(from, to int) {
	w := k.w
	k.part = from / wordGrain
	for i := range w.active.Within(from, to) {
		c := w.contacts.At(i)
		a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
		switch {
		case !a.moves() && !b.moves() && !c.stale:
			w.active.Remove(i)
		case !c.sensor:
			k.updateContact(i, c, a, b)
		}
	}
}

// contactOutcome is the outcome of a contact that changes something besides its manifolds.
type contactOutcome struct {
	narrow.Outcome
	contact int32
	parted  bool        // the boxes do not overlap
	drop    oneway.Drop // with a ground
}

// outcomeOf lists an outcome of contact i.
func (k *worker) outcomeOf(i int32) *contactOutcome {
	out := k.w.scratch.outcomes.Add(k.number, k.part)
	out.contact = i
	return out
}

// updateContact computes the manifolds of contact i, which is c, of a and b, and lists the outcome if
// it changes something else. It writes nothing but c's memory and that list. For two shapes, a second
// call in a step changes nothing.
func (k *worker) updateContact(i int32, c *contactState, a, b *body) {
	w := k.w
	if boxes := a.boxes + b.boxes; boxes != c.boxes {
		c.boxes = boxes
		if !w.boxesOverlap(c) {
			k.outcomeOf(i).parted = true
			return
		}
	}
	if c.disabled = false; c.filtered {
		return
	}
	if c.ofShapes() {
		k.touchShapes(i, c, a, b)
		return
	}
	s, out := w.surfaceOf(c), &k.outcome
	core := math.MaxFloat64
	if s.updatedAt = w.steps + 1; c.ofGrounds() {
		k.touchGrounds(out, c, s, a, b)
	} else {
		sb := w.shapes.At(c.shapeB)
		core = sb.core
		k.touchSurface(out, c, s, a, b, sb)
	}
	if c.flags&AskPreSolve != 0 && w.preSolve != nil {
		k.preSolveSurface(out, c, s)
	}
	if c.flags&MaterialEvents != 0 && k.noteMaterials(c, s) || out.Touching != c.touching || out.Touching && (a.asleep() || b.asleep()) || isDeep(-out.Deepest, core) ||
		out.Changes(&s.Memory) || s.owner.Kind() == broad.Ground && w.oneWays.Any() && s.OneWay.Changes(&k.stood, s.Manifolds, &w.oneWays, k.oneWay.Drop) {
		o := k.outcomeOf(i)
		o.Outcome, o.drop = *out, k.oneWay.Drop
	}
}

// touchShapes is updateContact for two shapes.
func (k *worker) touchShapes(i int32, c *contactState, a, b *body) {
	w := k.w
	pose := &k.pose
	pose.Set(a.rot, b.rot, b.center.Sub(a.center))
	if holds := c.last.Holds(pose); holds && !c.touching {
		return
	} else if base := &w.bases[i]; holds && !base.Turned(a.rot) {
		deepest := base.Follow(&w.manifolds[i], a.rot, b.rot, a.center.Sub(b.center))
		if !k.preSolveShapes(i, c) {
			return
		}
		k.noteShapes(i, c, a, b, true, deepest, 0)
		return
	}
	k.computeShapes(i, c, a, b, pose)
}

// computeShapes computes the manifold of contact i, of two shapes, whose bodies are at pose, and lists the outcome
// if it changes something else.
func (k *worker) computeShapes(i int32, c *contactState, a, b *body, pose *narrow.Pose) {
	var touching bool
	var deepest, core float64
	w := k.w
	m := &w.manifolds[i]
	if ra, rb := &w.rowShapes[c.shapeA], &w.rowShapes[c.shapeB]; ra.CentredDisc() && rb.CentredDisc() {
		touching, deepest = narrow.Discs(m, c.touching, &c.last, pose, a.rot, a.center.Sub(b.center), ra.Radius, rb.Radius)
		core = min(ra.Radius, rb.Radius)
	} else {
		sa, sb := w.shapes.At(c.shapeA), w.shapes.At(c.shapeB)
		p := &k.pair // set field by field: a copy of a literal would wait until its parts are written
		p.A, p.B, p.FrameA, p.FrameB = &sa.hull, &sb.hull, a.transform(), b.transform()
		p.LocalCenterA, p.LocalCenterB, p.Apart, p.ExtentB = a.localCenter, b.localCenter, a.center.Sub(b.center), sb.extent
		if p.Beside = nil; a.kind != Dynamic || b.kind != Dynamic {
			p.Beside, p.FixedB = k, a.kind == Dynamic
			k.seam = seamOf(c, a, b)
		}
		touching, deepest = narrow.Shapes(m, c.touching, &c.last, pose, p)
		if touching && m.N == 2 && a.invMass != 0 && b.invMass != 0 {
			w.bases[i].Keep(&c.last, m, pose, p)
		}
		core = min(sa.core, sb.core)
	}
	if c.points = int8(m.N); touching && !k.preSolveShapes(i, c) {
		return
	}
	k.noteShapes(i, c, a, b, touching, deepest, core)
}

// noteShapes lists the outcome of contact i, of two shapes of which core is the least core, if it changes
// something besides the manifold: mostly it does not, or only jams the two bodies.
func (k *worker) noteShapes(i int32, c *contactState, a, b *body, touching bool, deepest, core float64) {
	if touching != c.touching || touching && (a.asleep() || b.asleep()) || (a.invMass == 0 || b.invMass == 0) && deepest < 0 && isDeep(-deepest, core) {
		out := k.outcomeOf(i)
		out.Touching, out.Deepest = touching, deepest
	} else if deepest < -depenetrate.PinchDepth {
		k.jams = append(k.jams, i)
	}
}

// boxesOverlap reports whether the boxes in the broad phase of the two sides of c overlap.
func (w *World) boxesOverlap(c *contactState) bool {
	if c.ofShapes() {
		return w.broad.ShapesOverlap(c.shapeA, c.shapeB)
	}
	return w.broad.At(w.proxied(w.surfaceOf(c).owner).proxy).Box.Overlaps(w.broad.At(w.proxied(broad.OwnerOfB(c.shapeB)).proxy).Box)
}

// applyOutcomes applies the listed outcomes, in order.
func (w *World) applyOutcomes() {
	for k := range w.workers {
		for _, i := range w.workers[k].jams {
			w.jam(w.contacts.At(i))
		}
		w.workers[k].jams = w.workers[k].jams[:0]
	}
	outcomes := w.scratch.outcomes.Join()
	for k := range outcomes {
		out := &outcomes[k]
		if out.parted {
			w.removeContact(out.contact, true)
		} else {
			w.apply(out, w.contacts.At(out.contact))
		}
	}
	for k := range outcomes {
		if out := &outcomes[k]; !out.parted && !out.PushedOut && out.Deepest < -geom.LinearSlop {
			w.pinchBetween(w.contacts.At(out.contact), -out.Deepest)
		}
	}
}

// pinchBetween pinches the shape of c, with a ground or chain, if it is depth deep in that surface
// and another contact of the shape with a surface has an opposed normal. It runs when the manifolds
// of all contacts are those of this step.
func (w *World) pinchBetween(c *contactState, depth float64) {
	if c.ofShapes() || c.ofGrounds() || w.bodies.At(c.bodyB).kind != Dynamic || depth <= depenetrate.PinchDepthOf(w.shapes.At(c.shapeB).core) {
		return
	}
	for _, o := range w.contactsOf(c.bodyB) {
		if o == c || o.ofShapes() || o.shapeB != c.shapeB {
			continue
		}
		if s, t := w.surfaceOf(c), w.surfaceOf(o); depenetrate.Opposed(s.Manifolds, t.Manifolds, depenetrate.PinchDepthOf(w.shapes.At(c.shapeB).core)) {
			w.pinch(c, s)
			w.pinch(o, t)
			s.Between, t.Between = true, true
		}
	}
}

// pinch takes friction from contact c, of the state s, and caps the speed of its body.
func (w *World) pinch(c *contactState, s *surfaceContact) {
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	if s.Pinched = true; b.kind == Dynamic {
		b.step.pinchSpeed = max(b.step.pinchSpeed, 2*pushSpeed+a.velocityAt(b.center.Sub(a.center)).Len())
	}
}

// apply applies the outcome of contact c to its bodies, adds its events, and lists the sleepers
// that it touches.
func (w *World) apply(out *contactOutcome, c *contactState) {
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	at := &out.Last
	if out.Touching && !c.ofShapes() {
		at = contact.FirstSource(w.surfaceOf(c).Manifolds)
	}
	w.setTouching(c, out.Touching, at)
	w.markDeep(c, a, b, -out.Deepest)
	if !c.ofShapes() {
		w.applySurface(out, c, w.surfaceOf(c), a, b)
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
func (w *World) applySurface(out *contactOutcome, c *contactState, s *surfaceContact, a, b *body) {
	if c.flags&MaterialEvents != 0 {
		w.workers[0].noteMaterials(c, s)
		w.reportMaterials(c, s, w.workers[0].materials)
	}
	w.setHeld(c, s, out.Held)
	s.Pinched, s.Between = false, false
	if (out.PushedOut || out.Carried) && b.kind == Dynamic {
		b.step.pushedOut, b.step.throughGround = true, out.Through
		base := a.velocityAt(b.center.Sub(a.center))
		if a.kind == Dynamic {
			w.leave(out, a, b, base)
		} else {
			b.velocity = out.Leave(b.velocity, base)
		}
	}
	if out.Pinched {
		w.pinch(c, s)
	}
	if out.Crushed && b.kind == Dynamic {
		w.reportCrushed(c.bodyB)
	}
	if s.owner.Kind() == broad.Ground && w.oneWays.Any() {
		s.OneWay.Drop = out.drop
		s.OneWay.Note(s.Manifolds, &w.oneWays)
	}
}

// leave gives b, which is in solid ground of a, the velocity with which it leaves, where base is that of the ground there:
// by an impulse on both that keeps their momentum and adds no energy.
func (w *World) leave(out *contactOutcome, a, b *body, base geom.Vec) {
	arm, to := b.center.Sub(a.center), geom.Vec{}
	if out.PushedOut {
		to = out.Leave(b.velocity, base).Sub(base)
	}
	j := mass.Impulse(mass.Side{InvMass: a.invMass, InvInertia: a.invInertia, Arm: arm}, mass.Side{InvMass: b.invMass}, b.velocity.Sub(base), to)
	b.velocity = b.free(b.velocity.MulAdd(b.invMass, j))
	a.velocity = a.free(a.velocity.MulAdd(-a.invMass, j))
	a.spin -= float64(a.invInertia * arm.Cross(j))
}

// isDeep reports whether markDeep may mark a body of a contact of this depth; core is the least of
// its shapes.
func isDeep(depth, core float64) bool {
	return depth > min(depenetrate.PinchDepth, ccd.PressedDepth(core))
}

// jam marks the bodies of a contact that is deep.
func (w *World) jam(c *contactState) {
	w.bodies.At(c.bodyA).step.jammed, w.bodies.At(c.bodyB).step.jammed = true, true
}

// markDeep marks the bodies of a contact that is deep: for the sleep of jammed islands, and for
// continuous collision if the penetration, with a static or kinematic body, is deeper than the
// unswept part of a core.
func (w *World) markDeep(c *contactState, a, b *body, depth float64) {
	if depth > depenetrate.PinchDepth {
		w.jam(c)
	}
	if depth <= 0 || c.ofGrounds() || a.invMass != 0 && b.invMass != 0 {
		return
	}
	sb := w.shapes.At(c.shapeB)
	if !c.ofShapes() && w.surfaceOf(c).owner.Kind() == broad.Chain {
		b.step.sunkInChain = b.step.sunkInChain || depth > ccd.SunkDepth(sb.core)
		return
	}
	if b.kind == Dynamic && depth > ccd.PressedDepth(sb.core) {
		b.step.deep = true
	}
	if a.kind == Dynamic && c.ofShapes() && depth > ccd.PressedDepth(w.shapes.At(c.shapeA).core) {
		a.step.deep = true
	}
}

// touchSurface runs the narrow phase for contact c, of the state s, of the shape sb, of b, and a ground or
// chain, of a: it computes the manifolds and the outcome.
func (k *worker) touchSurface(out *narrow.Outcome, c *contactState, s *surfaceContact, a, b *body, sb *shape) {
	w, in := k.w, &k.input
	in.Set(a.transform(), b.center, b.rot, b.localCenter)
	in.Hull, in.Core = &sb.hull, sb.core
	in.Apart = b.center.Sub(a.center)
	in.Velocity, in.Time = b.velocity.Sub(a.velocityAt(in.Apart)), w.time
	in.Yields, in.Fixed = a.kind == Dynamic, b.kind != Dynamic
	in.Tiles, in.Chain, in.OneWay, in.Beside = nil, nil, nil, k
	k.seam = seam{contact: c, shape: c.shapeB, body: c.bodyB, surface: c.bodyA, frame: geom.Transform{P: b.center, Q: in.Frame.Q}}
	if s.owner.Kind() == broad.Chain {
		in.Chain = &w.chains.At(s.owner.Slot()).Chain
		k.narrow.ChainFaces(out, &s.Memory, in)
		return
	}
	g := w.grounds.At(s.owner.Slot())
	in.Tiles, in.Bounds = &g.tiles, g.box
	if w.oneWays.Any() {
		in.OneWay = &k.oneWay
		w.oneWayQuery(in.OneWay, s.owner.Slot(), c.shapeB, &s.Memory, in.At, in.Origin, false)
	}
	k.narrow.Ground(out, &s.Memory, in)
}

// touchGrounds runs the narrow phase for contact c, of the state s, of two grounds or a chain and a ground, of a and b: it computes
// the manifolds and the outcome.
func (k *worker) touchGrounds(out *narrow.Outcome, c *contactState, s *surfaceContact, a, b *body) {
	w, in := k.w, &k.input
	k.oneWay.Drop = oneway.NotDropping
	in.Set(a.transform(), b.center, b.rot, b.localCenter)
	in.Apart, in.Tiles, in.Chain, in.OneWay, in.Fixed = b.center.Sub(a.center), nil, nil, nil, b.kind != Dynamic
	g := w.grounds.At(^c.shapeB)
	o := narrow.Outline{Tiles: &g.tiles, Box: g.box, At: b.localCenter}
	if s.owner.Kind() == broad.Chain {
		in.Chain = &w.chains.At(s.owner.Slot()).Chain
	} else {
		f := w.grounds.At(s.owner.Slot())
		in.Tiles, o.BoxA = &f.tiles, f.box
	}
	if o.Ways = w.oneWays.Any(); o.Ways {
		was, now := w.lastPose(c.bodyA, false).InvMul(w.lastPose(c.bodyB, false)), w.steps+1
		o.Was, o.Put = geom.Transform{P: was.P.Sub(in.Origin), Q: was.Q}, a.displacedAt == now || b.displacedAt == now
		o.DropsA, o.DropsB = a.dropping > 0, b.dropping > 0
	}
	k.narrow.Outlines(out, &s.Memory, in, &o)
}

// ofGrounds reports whether c is a contact of two grounds, or of a chain and a ground.
func (c *contactState) ofGrounds() bool { return c.shapeB < 0 }

// ofShapes reports whether c is a contact of two shapes.
func (c *contactState) ofShapes() bool { return c.shapeA >= 0 }

// reportCrushed reports body i as crushed, once a step.
func (w *World) reportCrushed(i int32) {
	id := BodyID(w.bodies.ID(i))
	if !slices.Contains(w.events.crushed, id) {
		w.events.crushed = append(w.events.crushed, id)
	}
}
