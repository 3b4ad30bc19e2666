package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/team"
)

// isDeep reports whether markDeep may mark a body of a contact of the given depth, in units of length;
// innerRadius is the smallest inner radius of the contact's shapes.
func isDeep(depth, innerRadius float64) bool {
	return depth > min(narrow.PinchDepth, ccd.PressedDepth(innerRadius))
}

// Apply is the stage that applies the outcomes of the narrow phase.
//
// Needs: begin and end events, exits from solid ground, crushed bodies, wake-ups and the ends of contacts whose
// boxes have parted, with the same result for any number of workers.
//
// Assumes: Narrow has computed all manifolds; the outcomes are in the order of contact slots.
//
// Algorithm: the outcomes are applied one after the other. Contacts that part are removed together at the end,
// which takes several workers (removing). Pinches between two contacts of a shape come last, since they read the
// manifolds of both. Then the sleepers wake that moving bodies touch, or that joints hold to moving bodies. A
// waking body moved slightly in the step in which it fell asleep, so its manifolds are stale: Narrow computes
// them again, and their outcomes are applied as well. The sleepers that it touches wake in the next step, so that
// a heap wakes layer by layer, and not all of it after one edit.
//
// Data: bodies and contacts are changed in place. The stage keeps the lists of sleepers and of contacts to
// remove.
type Apply struct {
	world     *state.World
	toWake    []int32             // sleeping bodies that awake bodies touch, or that joints hold to bodies that move
	sleepers  team.Lists[int32]   // sleepers that joints hold to bodies that move
	materials [2][]contact.Source // of A and B of a contact
	removing  removing
	loop      func(worker, from, to int) // made once, so that a step allocates nothing
}

// Step applies what n has found in w.
func (p *Apply) Step(w *state.World, t *team.Team, n *Narrow) {
	if p.world = w; p.loop == nil {
		p.loop = p.listSleepers
	}
	p.toWake, w.Woken, w.Pinched = p.toWake[:0], w.Woken[:0], w.Pinched[:0]
	p.applyAll(t, n)
	p.sleepers.Reset(t.Workers(), len(w.Joints.Active), WordGrain)
	t.Each(len(w.Joints.Active), WordGrain, p.loop)
	p.toWake = append(p.toWake, p.sleepers.Join()...)
	for _, i := range p.toWake {
		w.Wake(i)
	}
	n.again(w.Woken)
	p.applyAll(t, n)
}

// listSleepers lists the sleepers that joints in a range of the words of Joints.Active hold to bodies that move,
// and removes the joints of resting bodies from that set.
func (p *Apply) listSleepers(worker, from, to int) {
	w := p.world
	for i := range w.Joints.Active.Within(from, to) {
		j := w.Joints.At(i)
		if a, b := w.Bodies.At(j.BodyA), w.Bodies.At(j.BodyB); !a.Moves() && !b.Moves() {
			w.Joints.Active.Remove(i)
		} else if a.Asleep() {
			*p.sleepers.Add(worker, from/WordGrain) = j.BodyA
		} else if b.Asleep() {
			*p.sleepers.Add(worker, from/WordGrain) = j.BodyB
		}
	}
}

// applyAll applies the outcomes of n, in order. Contacts whose boxes have parted end in their turn, and are
// removed after the last.
func (p *Apply) applyAll(t *team.Team, n *Narrow) {
	w := p.world
	for k := range n.workers {
		for _, i := range n.workers[k].jams {
			jam(w, w.Contacts.At(i))
		}
		n.workers[k].jams = n.workers[k].jams[:0]
		n.workers[k].oneWay.Reset() // outcomes change what it lists
	}
	outcomes := n.outcomes.Join()
	// A crowd's shapes choose again in the order in which contacts are removed and bodies wake.
	atOnce := w.Broad.CrowdUsed()
	for k := range outcomes {
		switch out := &outcomes[k]; {
		case !out.Parted:
			p.apply(out, w.Contacts.At(out.Contact))
		case atOnce:
			w.RemoveContact(out.Contact, true)
		default:
			p.removing.add(w, out.Contact)
		}
	}
	p.removing.run(w, t)
	for k := range outcomes {
		if out := &outcomes[k]; !out.Parted && !out.Stuck.PushesOut() && out.Deepest < -geom.LinearSlop {
			pinchBetween(w, w.Contacts.At(out.Contact), -out.Deepest)
		}
	}
}

// apply applies the outcome of contact c to its bodies, adds its events, and lists the sleepers
// that it touches.
func (p *Apply) apply(out *Outcome, c *state.Contact) {
	w := p.world
	a, b := w.Bodies.At(c.BodyA), w.Bodies.At(c.BodyB)
	at := &out.Last
	if out.Touching && !c.OfShapes() {
		at = contact.FirstSource(w.Contacts.SurfaceOf(c).Manifolds)
	}
	w.SetTouching(out.Contact, out.Touching, at)
	markDeep(w, c, a, b, -out.Deepest)
	if !c.OfShapes() {
		p.applySurface(out, c, w.Contacts.SurfaceOf(c), a, b)
	}
	if c.Touching {
		// A body that touches an awake body is awake.
		if a.Asleep() {
			p.toWake = append(p.toWake, c.BodyA)
		}
		if b.Asleep() {
			p.toWake = append(p.toWake, c.BodyB)
		}
	}
}

// applySurface applies the outcome of contact c, of the state s, whose side A is a ground or chain; a and b are
// the bodies.
func (p *Apply) applySurface(out *Outcome, c *state.Contact, s *state.SurfaceContact, a, b *state.Body) {
	w := p.world
	if c.Flags&state.MaterialEvents != 0 {
		s.NoteMaterials(c, &p.materials)
		w.ReportMaterials(c, s, p.materials)
	}
	to := narrow.Free
	if out.Stuck == narrow.Held || out.Stuck == narrow.Pinched {
		to = out.Stuck
	}
	w.SetStuck(c, s, to)
	if (out.Stuck.PushesOut() || out.Stuck == narrow.Carried) && b.Type == broad.DynamicBody {
		if b.Step.Stuck = narrow.Leaving; out.Stuck == narrow.Escaping {
			b.Step.Stuck = narrow.Escaping
		}
		base := a.VelocityAt(b.Center.Sub(a.Center))
		if a.Type == broad.DynamicBody {
			pushOut(out, a, b, base)
		} else {
			b.Velocity = out.Leave(b.Velocity, base)
		}
	}
	if to == narrow.Pinched {
		pinch(w, c, s, to)
	}
	if s.Stuck.Timed() && b.Type == broad.DynamicBody {
		w.ReportCrushed(c.BodyB, !out.Crushed)
	}
	if s.Owner.Kind() == broad.Ground && w.OneWays.Any() {
		s.OneWay.Drop = out.Drop
		s.OneWay.Note(s.Manifolds, &w.OneWays)
	}
}

// jam marks the bodies of a contact that is deep.
func jam(w *state.World, c *state.Contact) {
	w.Bodies.At(c.BodyA).Step.Jammed, w.Bodies.At(c.BodyB).Step.Jammed = true, true
}

// markDeep marks the bodies of a contact that is deep: for the sleep of jammed islands, and for
// continuous collision if the penetration, with a static or kinematic body or with ground, is deeper than
// the part of a shape's inner radius that is not swept (ccd.PressedDepth).
func markDeep(w *state.World, c *state.Contact, a, b *state.Body, depth float64) {
	if depth > narrow.PinchDepth {
		jam(w, c)
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
