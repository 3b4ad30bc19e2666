package state

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/depenetrate"
	"github.com/quarry2d/quarry/internal/mass"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/oneway"
	"github.com/quarry2d/quarry/internal/team"
)

// Outcome is the outcome of a contact that changes something besides its manifolds.
type Outcome struct {
	narrow.Outcome
	Contact int32
	Parted  bool        // the boxes in the broad phase no longer overlap
	Drop    oneway.Drop // with a ground
}

// IsDeep reports whether markDeep may mark a body of a contact of the given depth, in units of length; innerRadius is
// the least inner radius of the contact's shapes.
func IsDeep(depth, innerRadius float64) bool {
	return depth > min(depenetrate.PinchDepth, ccd.PressedDepth(innerRadius))
}

// Apply applies outcomes, in order. Contacts whose boxes have parted end in their turn, and are removed after the last.
func (w *World) Apply(t *team.Team, outcomes []Outcome) {
	// A crowd's shapes choose again in the order in which contacts are removed and bodies wake.
	atOnce := w.Broad.CrowdUsed()
	for k := range outcomes {
		switch out := &outcomes[k]; {
		case !out.Parted:
			w.apply(out, w.Contacts.At(out.Contact))
		case atOnce:
			w.RemoveContact(out.Contact, true)
		default:
			w.removing.add(w, out.Contact)
		}
	}
	w.removing.run(w, t)
	for k := range outcomes {
		if out := &outcomes[k]; !out.Parted && !out.PushedOut && out.Deepest < -geom.LinearSlop {
			w.pinchBetween(w.Contacts.At(out.Contact), -out.Deepest)
		}
	}
}

// apply applies the outcome of contact c to its bodies, adds its events, and lists the sleepers
// that it touches.
func (w *World) apply(out *Outcome, c *Contact) {
	a, b := w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB)
	at := &out.Last
	if out.Touching && !c.OfShapes() {
		at = contact.FirstSource(w.Contacts.SurfaceOf(c).Manifolds)
	}
	w.SetTouching(out.Contact, out.Touching, at)
	w.markDeep(c, a, b, -out.Deepest)
	if !c.OfShapes() {
		w.applySurface(out, c, w.Contacts.SurfaceOf(c), a, b)
	}
	if c.Touching {
		// A body that touches an awake body is awake.
		if a.Asleep() {
			w.ToWake = append(w.ToWake, c.BodyA)
		}
		if b.Asleep() {
			w.ToWake = append(w.ToWake, c.BodyB)
		}
	}
}

// applySurface applies the outcome of contact c, of the state s, whose side A is a ground or chain; a and b are the bodies.
func (w *World) applySurface(out *Outcome, c *Contact, s *SurfaceContact, a, b *Body) {
	if c.Flags&MaterialEvents != 0 {
		s.NoteMaterials(c, &w.materials)
		w.reportMaterials(c, s, w.materials)
	}
	w.setHeld(c, s, out.Held)
	s.Pinched, s.Between = false, false
	if (out.PushedOut || out.Carried) && b.Type == broad.DynamicBody {
		b.Step.PushedOut, b.Step.ThroughGround = true, out.Through
		base := a.VelocityAt(b.Center.Sub(a.Center))
		if a.Type == broad.DynamicBody {
			w.pushOut(out, a, b, base)
		} else {
			b.Velocity = out.Leave(b.Velocity, base)
		}
	}
	if out.Pinched {
		w.pinch(c, s)
	}
	if !s.Stuck.Idle() && b.Type == broad.DynamicBody {
		w.ReportCrushed(c.BodyB, !out.Crushed)
	}
	if s.Owner.Kind() == broad.Ground && w.OneWays.Any() {
		s.OneWay.Drop = out.Drop
		s.OneWay.Note(s.Manifolds, &w.OneWays)
	}
}

// setHeld records whether the shape of a contact is in solid ground with no way out. A body
// is reported as crushed once, when the first of its shapes is held.
func (w *World) setHeld(c *Contact, s *SurfaceContact, on bool) {
	if s.Held == on {
		return
	}
	s.Held = on
	b, by := w.Bodies.At(c.BodyB), 1
	if !on {
		by = -1
	}
	b.Held += int32(by)
	w.Held += by
	if on && b.Held == 1 {
		w.ReportCrushed(c.BodyB, false)
	}
}

// pinchBetween pinches the shape of c, with a ground or chain, if it is depth deep in that surface
// and another contact of the shape with a surface has an opposed normal. It runs when the manifolds
// of all contacts are those of this step.
func (w *World) pinchBetween(c *Contact, depth float64) {
	if c.OfShapes() || c.OfGrounds() || w.Bodies.At(c.BodyB).Type != broad.DynamicBody || depth <= depenetrate.PinchDepthOf(w.Shapes.At(c.ShapeB).InnerRadius) {
		return
	}
	for _, o := range w.ContactsOf(c.BodyB) {
		if o == c || o.OfShapes() || o.ShapeB != c.ShapeB {
			continue
		}
		if s, t := w.Contacts.SurfaceOf(c), w.Contacts.SurfaceOf(o); depenetrate.Opposed(s.Manifolds, t.Manifolds, depenetrate.PinchDepthOf(w.Shapes.At(c.ShapeB).InnerRadius)) {
			w.pinch(c, s)
			w.pinch(o, t)
			s.Between, t.Between = true, true
		}
	}
}

// pinch takes friction from contact c, of the state s, and caps the speed of its body.
func (w *World) pinch(c *Contact, s *SurfaceContact) {
	a, b := w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB)
	if s.Pinched = true; b.Type == broad.DynamicBody {
		b.Step.PinchSpeed = max(b.Step.PinchSpeed, 2*depenetrate.PushSpeed+a.VelocityAt(b.Center.Sub(a.Center)).Len())
	}
}

// pushOut pushes b out of solid ground of a: it sets the exit velocity of b by an impulse on both bodies that keeps
// their momentum and adds no energy. base is the velocity of the ground at the contact.
func (w *World) pushOut(out *Outcome, a, b *Body, base geom.Vec) {
	arm, to := b.Center.Sub(a.Center), out.Leave(b.Velocity, base).Sub(base)
	j := mass.Impulse(mass.Side{InvMass: a.InvMass, InvInertia: a.InvInertia, Arm: arm}, mass.Side{InvMass: b.InvMass}, b.Velocity.Sub(base), to)
	b.Velocity = b.Free(b.Velocity.MulAdd(b.InvMass, j))
	a.Velocity = a.Free(a.Velocity.MulAdd(-a.InvMass, j))
	a.Spin -= float64(a.InvInertia * arm.Cross(j))
}

// Jam marks the bodies of a contact that is deep.
func (w *World) Jam(c *Contact) {
	w.Bodies.At(c.BodyA).Step.Jammed, w.Bodies.At(c.BodyB).Step.Jammed = true, true
}

// markDeep marks the bodies of a contact that is deep: for the sleep of jammed islands, and for
// continuous collision if the penetration, with a static or kinematic body or with ground, is deeper than
// the part of a shape's inner radius that is not swept (ccd.PressedDepth).
func (w *World) markDeep(c *Contact, a, b *Body, depth float64) {
	if depth > depenetrate.PinchDepth {
		w.Jam(c)
	}
	if depth <= 0 || c.OfGrounds() || c.OfShapes() && a.InvMass != 0 && b.InvMass != 0 {
		return
	}
	sb := w.Shapes.At(c.ShapeB)
	if !c.OfShapes() && w.Contacts.SurfaceOf(c).Owner.Kind() == broad.Chain {
		b.Step.SunkInChain = b.Step.SunkInChain || depth > ccd.SunkDepth(sb.InnerRadius)
		return
	}
	if b.Type == broad.DynamicBody && depth > ccd.PressedDepth(sb.InnerRadius) {
		b.Step.Deep = true
	}
	if a.Type == broad.DynamicBody && c.OfShapes() && depth > ccd.PressedDepth(w.Shapes.At(c.ShapeA).InnerRadius) {
		a.Step.Deep = true
	}
}
