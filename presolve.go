package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/record"
	"github.com/quarry2d/quarry/internal/rows"
)

// The two functions of a game that a step calls must be pure: their results depend on their arguments
// alone, and on data that does not change during Step. They are asked only about shapes and grounds with a flag,
// so a world without them pays nothing. They run on the workers of the step (Config.Workers), several
// calls at once, in no particular order. They may read the world, except that a pose or velocity read
// by a filter may be that of either end of the step; a change of the world panics.

// Side is one side of a contact, as the functions of SetCustomFilter and SetPreSolve see it: a shape, a
// ground or a chain of a body.
type Side struct {
	Body     BodyID
	BodyUser uint64 // BodyDef.User
	Shape    ShapeID
	Ground   GroundID
	Chain    ChainID
	User     uint64 // ShapeDef.User or ChainDef.User
}

// SetCustomFilter sets a function that decides which pairs collide, among those that the categories and
// masks admit, if a shape or ground of the pair has AskFilter; nil removes it. If it returns false, the two make
// no contact and no event, and continuous collision ignores the pair. b is a shape, or a ground where a is a chain or
// another ground; of two shapes or two grounds a is the one in the lower slot, so a function should treat both alike.
// Sensors ask, too.
//
// The answer is kept while the boxes of the two, in the broad phase, overlap. Where it depends on data
// of the game, call SetCustomFilter again after a change of that data: it asks anew about all pairs, and
// wakes every body. Shape.SetFlags and Ground.SetFlags ask anew about the pairs of one.
//
// f must be pure, and safe for concurrent calls: it is called by the workers of a step. A panic in f
// leaves Step, and the world cannot be used after that.
//
// Of more than 64 shapes at one place (see Stats.Dropped) the pairs are chosen before f is asked: for
// crowds that ignore one another use masks.
func (w *World) SetCustomFilter(f func(a, b Side) bool) {
	w.mustNotStep()
	if (f == nil) != (w.customFilter == nil) {
		w.log.Cannot("SetCustomFilter")
	}
	w.customFilter = f
	w.askAnew()
}

// askAnew makes all contacts ask the functions of the game anew, and wakes every body.
func (w *World) askAnew() {
	record.Call0(w.recorder(w), "World.askAnew", record.OfWorld)
	for i, c := range w.contacts.All() {
		w.refilter(i, c)
	}
	w.wakeAll()
}

// refilter updates what contact i, which is c, takes from the flags of its shapes.
func (w *World) refilter(i int32, c *contactState) {
	o := w.sideA(c)
	if c.flags = w.flagsOf(o, c.shapeB); w.filters(o, c.shapeB) != c.filtered {
		w.removeContact(i, true) // the broad phase finds the pair again
		return
	}
	if c.disabled || c.flags&AskPreSolve != 0 {
		c.last = narrow.Last{}
	}
	if !c.ofShapes() && c.flags&MaterialEvents == 0 {
		s := w.surfaceOf(c)
		s.materials = [2][]contact.Source{s.materials[0][:0], s.materials[1][:0]}
	}
}

// setFlags sets flags, those of o.
func (w *World) setFlags(o broad.Owner, flags *ShapeFlags, f ShapeFlags) {
	check.UpTo("SetFlags", "f", f, allFlags, "the sum of all flags")
	changed, body := *flags^f, w.proxied(o).body
	*flags = f
	for i, c := range w.contactsWith(o) {
		w.refilter(i, c)
	}
	if changed&(AskFilter|AskPreSolve) != 0 {
		w.wake(body)
		w.wakeTouching(body)
	}
}

// flagsOf returns the flags of the pair of o and b; see broad.B.
func (w *World) flagsOf(o broad.Owner, b int32) ShapeFlags {
	var f ShapeFlags // of a chain
	p := broad.OwnerOfB(b)
	switch o.Kind() {
	case broad.Shape:
		f = w.shapes.At(o.Slot()).flags
	case broad.Ground:
		f = w.grounds.At(o.Slot()).flags
	}
	if o.Kind() != p.Kind() {
		f |= ifBoth
	}
	var g ShapeFlags
	if b >= 0 {
		g = w.shapes.At(b).flags
	} else {
		g = w.grounds.At(p.Slot()).flags
	}
	return f&g&ifBoth | (f|g)&^ifBoth
}

// filters reports whether the custom filter refuses the pair of o and b; see broad.B.
func (w *World) filters(o broad.Owner, b int32) bool {
	if w.customFilter == nil || w.flagsOf(o, b)&AskFilter == 0 {
		return false
	}
	o, b = broad.KeyOf(o, b).Sides()
	return !w.customFilter(w.sideOf(o), w.sideOf(broad.OwnerOfB(b)))
}

// passes reports whether continuous collision ignores the pair of o and b (see broad.B): the custom filter refuses the
// pair, or the pre-solve function left out a manifold of its contact in this step.
func (w *World) passes(o broad.Owner, b int32) bool {
	if w.preSolve != nil && w.flagsOf(o, b)&AskPreSolve != 0 {
		if i, ok := w.broad.Pairs.Get(uint64(broad.KeyOf(o, b))); ok && w.contacts.At(i).disabled {
			return true
		}
	}
	return w.filters(o, b)
}

// sideOf returns the Side of o.
func (w *World) sideOf(o broad.Owner) Side {
	b := w.proxied(o).body
	s := Side{Body: BodyID(w.bodies.ID(b)), BodyUser: w.bodies.At(b).user}
	s.Shape, s.Ground, s.Chain = w.idsOf(o)
	switch i := o.Slot(); o.Kind() {
	case broad.Shape:
		s.User = w.shapes.At(i).user
	case broad.Chain:
		s.User = w.chains.At(i).user
	}
	return s
}

// PreSolve is a manifold of two shapes, of two grounds, or of a shape or ground and a ground or chain, before the solver
// has it: an argument of the function of SetPreSolve, which may set Disabled, and three fields of each point. Other
// fields are only to be read.
type PreSolve struct {
	A, B   Side
	Normal geom.Vec // unit, world, from A to B
	N      int      // points in use, 1 or 2
	Points [2]PreSolvePoint
	// Disabled leaves the manifold out of this step: it makes no force. If all manifolds of a pair are
	// left out, the pair does not touch: it makes no events, and does not keep a body awake or asleep.
	Disabled bool
}

// PreSolvePoint is a point of a PreSolve. Its impulses are those of the step before.
type PreSolvePoint struct {
	ContactPoint
	Velocity geom.Vec // of B relative to A at the point, in units of length a second
	// Friction (0 to 1e6), Restitution (0 to 1) and TangentSpeed (-MaxSpeed to MaxSpeed) are the mixed
	// properties of the two materials; see Material. The function may set them for this step.
	Friction, Restitution, TangentSpeed float64
}

// SetPreSolve sets a function that is called for each manifold, before the solver has it, if a shape or ground of the
// contact has AskPreSolve; nil removes it. It may leave out the manifold, or change its friction, its
// restitution or its surface speed, for this step. A manifold is one normal of a pair: a box in a corner
// of a ground has two. Sleeping bodies do not ask; SetPreSolve wakes every body.
//
// Continuous collision ignores a pair of which a manifold was left out in this step, at any speed. Of a pair without a
// manifold at the start of the step it cannot ask: a body that moves more than about half its size in the step, towards
// a surface that f would leave out, stops there for the rest of that step. It keeps its velocity, and passes in the next.
//
// f must be pure, and safe for concurrent calls: it is called by the workers of a step, twice for a manifold that stays: in the
// narrow phase, where Disabled counts, and when the solver takes it, where the fields of the points count. It must not keep the pointer.
// Step panics if f sets a field out of its range. A panic in f leaves Step, and the world cannot be used
// after that.
func (w *World) SetPreSolve(f func(*PreSolve)) {
	w.mustNotStep()
	if (f == nil) != (w.preSolve == nil) {
		w.log.Cannot("SetPreSolve")
	}
	w.preSolve = f
	w.askAnew()
}

// askPreSolve calls the pre-solve function for the manifold m of c and returns the result, valid until the
// next call; on is m with its surface, nil between two shapes.
func (k *worker) askPreSolve(c *contactState, m *contact.Manifold, on *contact.SurfaceManifold) *PreSolve {
	w, p := k.w, &k.preSolve
	a, b := w.bodies.At(c.bodyA), w.bodies.At(c.bodyB)
	*p = PreSolve{A: w.sideOf(w.sideA(c)), B: w.sideOf(broad.OwnerOfB(c.shapeB)), Normal: m.Normal, N: int(m.N)}
	for j := range p.N {
		q, from := &p.Points[j], &m.Points[j]
		q.ContactPoint = w.contactPoint(c, m, on, j)
		q.Velocity = b.velocityAt(from.AnchorB).Sub(a.velocityAt(from.AnchorA))
		x := k.rows.Mix(&w.surfaces, uint16(q.Material), uint16(q.MaterialB))
		q.Friction, q.Restitution, q.TangentSpeed = x.Friction, x.Restitution, x.Speed
	}
	w.preSolve(p)
	for j := range p.N {
		q := &p.Points[j]
		x := rows.Mixed{Friction: q.Friction, Restitution: q.Restitution, Speed: q.TangentSpeed}
		x.Check("Step", MaxSpeed)
	}
	return p
}

// preSolveShapes asks about the manifold of two shapes, of contact i, which is c. If it is left out, the
// shapes do not touch, and preSolveShapes returns false.
func (k *worker) preSolveShapes(i int32, c *contactState) bool {
	if c.flags&AskPreSolve == 0 || k.w.preSolve == nil || !k.askPreSolve(c, &k.w.manifolds[i], nil).Disabled {
		return true
	}
	c.disabled, c.last, c.points = true, narrow.Last{}, 0
	if c.touching {
		k.outcomeOf(i)
	}
	return false
}

// preSolveSurface asks about the manifolds of c, of the state s, with a ground or chain. It removes those
// that are left out, and changes the outcome accordingly.
func (k *worker) preSolveSurface(out *narrow.Outcome, c *contactState, s *surfaceContact) {
	kept, deepest := 0, 0.0
	for j := range s.Manifolds {
		m := &s.Manifolds[j]
		if k.askPreSolve(c, &m.Manifold, m).Disabled {
			c.disabled = true
			continue
		}
		deepest = min(deepest, m.LeastSeparation())
		if s.Manifolds[kept] = *m; c.ofGrounds() {
			s.Others[kept] = s.Others[j]
		}
		kept++
	}
	if !c.disabled {
		return
	}
	if s.Manifolds, out.Deepest = s.Manifolds[:kept], deepest; kept > 0 {
		return
	}
	*out = narrow.Outcome{}
	if c.touching {
		out.Last = *contact.FirstSource(k.narrow.Matcher.Old)
	}
}

// setRules gives in, the rows of the manifold m of c, the properties that the pre-solve function sets. It
// returns false if that function is not asked.
func (k *worker) setRules(in *rows.Contact, c *contactState, m *contact.Manifold, on *contact.SurfaceManifold) bool {
	if c.flags&AskPreSolve == 0 {
		return false
	}
	p := k.askPreSolve(c, m, on)
	for j := range p.N {
		q := &p.Points[j]
		x := in.Mix(&k.w.surfaces, uint16(q.Material), uint16(q.MaterialB))
		x.Friction, x.Restitution, x.Speed = q.Friction, q.Restitution, q.TangentSpeed
		in.Points[j] = x
	}
	return true
}
