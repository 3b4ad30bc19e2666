package quarry

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/flush"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/state"
)

// updateContacts computes the manifolds of all contacts with a moving body, except of sensors (see
// sense.Sensors.Step). Then it applies the outcomes, which removes contacts whose boxes have parted, and wakes the
// sleeping bodies that moving bodies touch.
func (w *World) updateContacts() {
	sc := &w.scratch
	w.state.ToWake, w.state.Woken = w.state.ToWake[:0], w.state.Woken[:0]
	sc.outcomes.Reset(len(w.workers), len(w.state.Contacts.Active), state.WordGrain)
	w.team.Each(len(w.state.Contacts.Active), state.WordGrain, w.loops.contacts)
	w.applyOutcomes()
	sc.jointSleepers.Reset(len(w.workers), len(w.state.Joints.Active), state.WordGrain)
	w.team.Each(len(w.state.Joints.Active), state.WordGrain, w.loops.joints)
	w.state.ToWake = append(w.state.ToWake, sc.jointSleepers.Join()...)
	for _, i := range w.state.ToWake {
		w.state.Wake(i)
	}
	// A waking body moved slightly in the step in which it fell asleep, so its manifolds are
	// stale: they are computed again. The sleepers that it touches wake in the next step, so
	// that a heap wakes layer by layer, and not all of it after one edit.
	sc.outcomes.Reset(len(w.workers), 1, 1)
	w.workers[0].part = 0
	for _, woken := range w.state.Woken {
		for l, c := range w.state.ContactsOf(woken) {
			if !c.Sensor && (c.OfShapes() || w.state.Contacts.SurfaceOf(c).UpdatedAt != w.state.Steps+1) {
				w.workers[0].updateContact(l>>1, c, w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB))
			}
		}
	}
	w.applyOutcomes()
}

// updateWords updates the contacts in a range of the words of Contacts.Active.
func (k *worker) updateWords(from, to int) {
	w := k.w
	k.part = from / state.WordGrain
	for i := range w.state.Contacts.Active.Within(from, to) {
		c := w.state.Contacts.At(i)
		a, b := w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB)
		switch {
		case !a.Moves() && !b.Moves() && !c.Stale:
			w.state.Contacts.Active.Remove(i)
		case !c.Sensor:
			k.updateContact(i, c, a, b)
		}
	}
}

// addOutcome lists an outcome of contact i, whose other fields the caller sets.
func (k *worker) addOutcome(i int32) *state.Outcome {
	out := k.w.scratch.outcomes.Add(k.number, k.part)
	out.Contact = i
	return out
}

// updateContact computes the manifolds of contact i, which is c, of a and b, and lists the outcome if
// it changes something else. It writes nothing but c's memory and that list. For two shapes, a second
// call in a step changes nothing.
func (k *worker) updateContact(i int32, c *state.Contact, a, b *state.Body) {
	w := k.w
	if boxes := a.BoxChanges + b.BoxChanges; boxes != c.BoxChanges {
		c.BoxChanges = boxes
		if !w.state.BoxesOverlap(c) {
			k.addOutcome(i).Parted = true
			return
		}
	}
	if c.Disabled = false; c.Refused {
		return
	}
	if c.OfShapes() {
		k.updateShapes(i, c, a, b)
		return
	}
	s, out := w.state.Contacts.SurfaceOf(c), &k.outcome
	innerRadius := math.MaxFloat64
	if s.UpdatedAt = w.state.Steps + 1; w.state.StaysApart(c, s, a, b) {
		return
	}
	if c.OfGrounds() {
		k.updateGrounds(out, i, c, s, a, b)
	} else {
		sb := w.state.Shapes.At(c.ShapeB)
		innerRadius = sb.InnerRadius
		k.updateSurface(out, c, s, a, b, sb)
	}
	if c.Flags&state.AskPreSolve != 0 && w.preSolve != nil {
		k.preSolveSurface(out, c, s)
	}
	k.relists = s.NoteKinds() || k.relists
	if c.Flags&state.MaterialEvents != 0 && s.NoteMaterials(c, &k.materials) || out.Touching != c.Touching ||
		out.Touching && (a.Asleep() || b.Asleep()) || state.IsDeep(-out.Deepest, innerRadius) ||
		out.Changes(&s.Memory) || s.Owner.Kind() == broad.Ground && w.state.OneWays.Any() &&
		s.OneWay.Changes(&k.stood, s.Manifolds, &w.state.OneWays, k.oneWay.Query.Drop) {
		o := k.addOutcome(i)
		o.Outcome, o.Drop = *out, k.oneWay.Query.Drop
	}
}

// updateShapes is updateContact for two shapes.
func (k *worker) updateShapes(i int32, c *state.Contact, a, b *state.Body) {
	w := k.w
	ra, rb := &w.state.RowShapes[c.ShapeA], &w.state.RowShapes[c.ShapeB]
	discs := ra.CentredDisc() && rb.CentredDisc()
	if discs && c.Touching { // their point is computed in each step
		k.updateDiscs(i, c, a, b, ra.Radius, rb.Radius)
		return
	}
	pose := &k.pose
	pose.Set(a.Rot, b.Rot, b.Center.Sub(a.Center))
	if c.Last.Holds(pose) {
		if !c.Touching {
			return
		}
		if base := &w.state.Contacts.Bases[i]; !base.Turned(a.Rot) {
			deepest := base.Follow(&w.state.Contacts.Manifolds[i], a.Rot, b.Rot, a.Center.Sub(b.Center))
			if k.preSolveShapes(i, c) {
				k.noteShapes(i, c, a, b, true, deepest, 0)
			}
			return
		}
	}
	if discs {
		k.updateDiscs(i, c, a, b, ra.Radius, rb.Radius)
	} else {
		k.computeShapes(i, c, a, b, pose)
	}
}

// updateDiscs is computeShapes for two discs of the radii ra and rb, about the centres of mass of their bodies.
func (k *worker) updateDiscs(i int32, c *state.Contact, a, b *state.Body, ra, rb float64) {
	m := &k.w.state.Contacts.Manifolds[i]
	touching, deepest := narrow.Discs(m, c.Touching, &c.Last, a.Rot, b.Rot, a.Center, b.Center, ra, rb, c.ShapeA,
		c.ShapeB)
	if k.setPoints(i, int8(m.N)); touching && !k.preSolveShapes(i, c) {
		return
	}
	if rb < ra {
		ra = rb
	}
	k.noteShapes(i, c, a, b, touching, deepest, ra)
}

// computeShapes computes the manifold of contact i, of two shapes, whose bodies are at pose, and lists the outcome
// if it changes something else.
func (k *worker) computeShapes(i int32, c *state.Contact, a, b *state.Body, pose *narrow.Pose) {
	w := k.w
	m := &w.state.Contacts.Manifolds[i]
	sa, sb := w.state.Shapes.At(c.ShapeA), w.state.Shapes.At(c.ShapeB)
	p := &k.pair // set field by field; see "Large structs" in docs/house.md
	p.A, p.B, p.FrameA, p.FrameB = &sa.Hull, &sb.Hull, a.Transform(), b.Transform()
	p.SlotA, p.SlotB = c.ShapeA, c.ShapeB
	p.LocalCenterA, p.LocalCenterB, p.Apart, p.ExtentB = a.LocalCenter, b.LocalCenter, a.Center.Sub(b.Center), sb.Extent
	if p.Beside = nil; a.Type != broad.DynamicBody || b.Type != broad.DynamicBody {
		p.Beside, p.FixedB = &k.seam, a.Type == broad.DynamicBody
		k.beginSeam(c, a, b)
	}
	touching, deepest := narrow.Shapes(m, c.Touching, &c.Last, pose, p)
	if touching && m.N == 2 && a.InvMass != 0 && b.InvMass != 0 {
		w.state.Contacts.Bases[i].Keep(&c.Last, m, pose, a.Rot, b.Rot, p.ReachB())
	}
	if k.setPoints(i, int8(m.N)); touching && !k.preSolveShapes(i, c) {
		return
	}
	k.noteShapes(i, c, a, b, touching, deepest, min(sa.InnerRadius, sb.InnerRadius))
}

// noteShapes lists the outcome of contact i, of two shapes, if it changes something besides the manifold; innerRadius
// is the lesser of their inner radii. Most contacts need no outcome, or only jam the two bodies.
func (k *worker) noteShapes(i int32, c *state.Contact, a, b *state.Body, touching bool, deepest, innerRadius float64) {
	if touching != c.Touching || touching && (a.Asleep() || b.Asleep()) ||
		(a.InvMass == 0 || b.InvMass == 0) && deepest < 0 && state.IsDeep(-deepest, innerRadius) {
		out := k.addOutcome(i)
		out.Touching, out.Deepest = touching, deepest
	} else if deepest < -depenetrate.PinchDepth {
		k.jams = append(k.jams, i)
	}
}

// setPoints sets the number of points in the manifold of contact i, of two shapes.
func (k *worker) setPoints(i int32, n int8) {
	if at := &k.w.state.Contacts.Points[i]; *at != n {
		*at, k.relists = n, true
	}
}

// applyOutcomes applies the listed outcomes, in order.
func (w *World) applyOutcomes() {
	for k := range w.workers {
		for _, i := range w.workers[k].jams {
			w.state.Jam(w.state.Contacts.At(i))
		}
		w.workers[k].jams = w.workers[k].jams[:0]
		w.workers[k].oneWay.Reset() // outcomes change what it lists
	}
	w.state.Apply(w.team, w.scratch.outcomes.Join())
}

// updateSurface is updateContact for contact c, of the state s, of the shape sb, of b, and a ground or chain, of a: it
// sets the manifolds and out.
func (k *worker) updateSurface(out *narrow.Outcome, c *state.Contact, s *state.SurfaceContact, a, b *state.Body,
	sb *state.Shape,
) {
	w, in := k.w, &k.input
	if s.Owner.Kind() == broad.Chain && !c.Touching && s.Idle() &&
		!w.state.NearFaces(c.ShapeB, contact.SpeculativeDistance) {
		k.narrow.Apart(out, &s.Memory) // as of most bodies in the box of a long chain
		return
	}
	in.Set(a.Transform(), b.Center, b.Rot, b.LocalCenter)
	in.Hull, in.InnerRadius = &sb.Hull, sb.InnerRadius
	in.Apart = b.Center.Sub(a.Center)
	in.Velocity, in.Time, in.Pace = b.Velocity.Sub(a.VelocityAt(in.Apart)), w.state.Time, w.state.Pace
	in.Yields, in.Moves, in.Fixed = a.Type == broad.DynamicBody, a.Type != broad.StaticBody, b.Type != broad.DynamicBody
	in.Tiles, in.Chain, in.OneWay, in.Beside = nil, nil, nil, &k.seam
	k.resting = resting{c, c.ShapeB, c.BodyB}
	k.seam.Begin(a, geom.Transform{P: b.Center, Q: in.Frame.Q})
	if s.Owner.Kind() == broad.Chain {
		in.Chain = &w.state.Chains.At(s.Owner.Slot()).Chain
		k.narrow.ChainFaces(out, &s.Memory, in)
		return
	}
	g := w.state.Grounds.At(s.Owner.Slot())
	in.Tiles, in.Bounds, in.Last, in.Extent = &g.Tiles, g.Box, nil, sb.Extent
	if !c.Touching && !s.OneWay.Drops() {
		in.Last = &c.Last
	}
	if w.state.OneWays.Any() {
		in.OneWay = k.oneWay.Set(&w.state, s.Owner.Slot(), c.ShapeB, &s.Memory, in.At, in.Origin, false)
	}
	k.narrow.Ground(out, &s.Memory, in)
}

// updateGrounds is updateContact for contact i, which is c, of the state s, of two grounds or a chain and a ground, of
// the bodies a and b: it sets the manifolds and out.
func (k *worker) updateGrounds(out *narrow.Outcome, i int32, c *state.Contact, s *state.SurfaceContact,
	a, b *state.Body,
) {
	w, in := k.w, &k.input
	k.oneWay.Query.Drop = oneway.NotDropping
	apart, pose, base := b.Center.Sub(a.Center), &k.pose, &w.state.Contacts.Bases[i]
	pose.Set(a.Rot, b.Rot, apart)
	if c.Last.Holds(pose) && !w.state.OneWays.Any() && k.keepGrounds(out, c, s, base, a, b) {
		return
	}
	c.Last = narrow.Last{}
	in.Set(a.Transform(), b.Center, b.Rot, b.LocalCenter)
	in.Apart, in.Tiles, in.Chain, in.OneWay, in.Fixed, in.Time, in.Pace = apart, nil, nil, nil,
		b.Type != broad.DynamicBody, w.state.Time, w.state.Pace
	g := w.state.Grounds.At(^c.ShapeB)
	o := narrow.Outline{Tiles: &g.Tiles, Box: g.Box, At: b.LocalCenter}
	if s.Owner.Kind() == broad.Chain {
		in.Chain = &w.state.Chains.At(s.Owner.Slot()).Chain
	} else {
		f := w.state.Grounds.At(s.Owner.Slot())
		in.Tiles, o.BoxA = &f.Tiles, f.Box
	}
	if o.Ways = w.state.OneWays.Any(); o.Ways {
		was, now := w.state.LastPose(c.BodyA, false).InvMul(w.state.LastPose(c.BodyB, false)), w.state.Steps+1
		o.Was, o.Put = geom.Transform{P: was.P.Sub(in.Origin), Q: was.Q}, a.DisplacedAt == now || b.DisplacedAt == now
		o.DropsA, o.DropsB = a.Dropping > 0, b.Dropping > 0
	}
	gap := k.narrow.Outlines(out, &s.Memory, in, &o)
	// Two points are kept, as of two shapes.
	if m := s.Manifolds; len(m) == 1 && m[0].N == 2 && a.InvMass != 0 && b.InvMass != 0 {
		base.Keep(&c.Last, &m[0].Manifold, pose, a.Rot, b.Rot, b.Extent)
	} else if gap > 0 && out.Touching {
		base.KeepAll(&c.Last, pose, a.Rot, b.Rot, gap, b.Extent)
	} else if gap > 0 {
		c.Last.KeepApart(pose, gap, b.Extent)
	}
}

// keepGrounds is updateGrounds for two sides that have hardly moved, relative to each other, since they were
// compared. It returns false if they must be compared again.
func (k *worker) keepGrounds(
	out *narrow.Outcome, c *state.Contact, s *state.SurfaceContact, base *narrow.Base, a, b *state.Body,
) bool {
	m := s.Manifolds
	switch {
	case !c.Touching:
		k.narrow.Apart(out, &s.Memory)
		return true
	case len(m) == 1 && !base.Turned(a.Rot):
		*out = narrow.Outcome{Touching: true, Deepest: base.Follow(&m[0].Manifold, a.Rot, b.Rot,
			a.Center.Sub(b.Center))}
	case len(m) > 1 && base.Stands(a.Rot, b.Extent):
		*out = narrow.Outcome{Touching: true, Deepest: s.Deepest()}
	default:
		return false
	}
	k.narrow.Matcher.Begin(m) // of the step before, for preSolveSurface
	return true
}

// resting is a shape on a surface: a ground or chain, or a shape of a static or kinematic body.
type resting struct {
	contact *state.Contact
	shape   int32 // slot
	body    int32 // of the shape
}

// beginSeam begins the seam of c, of a shape of a and one of b, of which one is not dynamic.
func (k *worker) beginSeam(c *state.Contact, a, b *state.Body) {
	if a.Type == broad.DynamicBody {
		k.resting = resting{c, c.ShapeA, c.BodyA}
		k.seam.Begin(b, b.Transform())
		return
	}
	k.resting = resting{c, c.ShapeB, c.BodyB}
	k.seam.Begin(a, a.Transform())
}

// AppendBeside implements flush.Source. It reads poses, lists of contacts and the one-way tiles that a shape stands on,
// which the narrow phase does not change.
func (k *worker) AppendBeside(dst []flush.Neighbour) []flush.Neighbour {
	w, at := k.w, &k.resting
	for _, o := range w.state.ContactsOf(at.body) {
		if o == at.contact || o.Sensor || o.Refused || o.ShapeB != at.shape && o.ShapeA != at.shape {
			continue
		}
		body, s := o.BodyA, flush.Surface{}
		switch owner := w.state.Contacts.SideA(o); {
		case o.ShapeA == at.shape:
			body, s.Hull = o.BodyB, &w.state.Shapes.At(o.ShapeB).Hull
		case owner.Kind() == broad.Shape:
			s.Hull = &w.state.Shapes.At(o.ShapeA).Hull
		case owner.Kind() == broad.Ground:
			s.Tiles, s.OneWay = &w.state.Grounds.At(owner.Slot()).Tiles, &w.state.Contacts.SurfaceOf(o).OneWay
		default:
			s.Chain = &w.state.Chains.At(owner.Slot()).Chain
		}
		if b := w.state.Bodies.At(body); b.Type != broad.DynamicBody || s.Tiles != nil {
			dst = append(dst, flush.Neighbour{Surface: s, On: b})
		}
	}
	return dst
}
