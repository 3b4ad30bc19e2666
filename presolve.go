package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/check"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
)

// The two functions of a game that a step calls must be pure: their results depend only on their arguments, and on
// data that does not change during Step. They are called only for shapes and grounds with a flag, so a world
// without these pays nothing. They run on the workers of the step (Config.Workers), several calls at once, in no
// particular order. They may read the world, except that a pose or velocity read by a filter may be of either
// end of the step; a change of the world panics.

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

// SetCustomFilter sets a function f that decides which pairs collide, among those that the categories and masks
// admit, if a shape or ground of the pair has AskFilter; nil removes the function. If f returns false, the two make
// no contact and no event, and continuous collision ignores the pair. b is a shape, or a ground if a is a chain or
// another ground. Of two shapes or two grounds, a has the lower slot, so f should treat both alike. f is called for
// pairs with sensors, too.
//
// The answer is kept while the boxes of the two in the broad phase overlap. If it depends on data of the game, call
// SetCustomFilter again after a change of that data: it makes the next step call f again for all pairs, and wakes
// every body. Shape.SetFlags and Ground.SetFlags do so for the pairs of one shape or ground.
//
// f must be pure, and safe for concurrent calls: it is called by the workers of a step. A panic in f
// leaves Step, and the world cannot be used after that.
//
// If more than 64 shapes are at one place (see Stats.Dropped), the pairs are chosen before f is called: for crowds
// that ignore one another use masks.
func (w *World) SetCustomFilter(f func(a, b Side) bool) {
	w.mustNotStep()
	if w.log != nil && (f == nil) != (w.customFilter == nil) {
		w.log.Cannot("SetCustomFilter")
	}
	w.customFilter = f
	w.askAnew()
}

// askAnew makes the next step call the functions of the game again for all contacts, and wakes every body.
func (w *World) askAnew() {
	replay.Call0(w.recorder(w), "World.askAnew", replay.OfWorld)
	for i, c := range w.state.Contacts.All() {
		w.state.Refilter(i, c)
	}
	w.state.WakeAll()
}

// setFlags sets the flags of o.
func (w *World) setFlags(o broad.Owner, f EventFlags) {
	check.UpTo("SetFlags", "f", f, EventFlags(state.AllFlags), "the sum of all flags")
	p := w.state.Proxied(o)
	changed := EventFlags(p.Flags) ^ f
	p.Flags = state.Flags(f)
	asks := changed&(AskFilter|AskPreSolve) != 0
	for i, c := range w.state.ContactsWith(o) {
		if asks && !c.Sensor { // touching or not: a refused pair may collide from now on
			w.state.Wake(c.BodyA)
			w.state.Wake(c.BodyB)
		}
		w.state.Refilter(i, c)
	}
	if asks {
		w.state.Wake(p.Body)
	}
}

// KeepsArrival implements step.Game.
func (g *game) KeepsArrival(worker int, x *step.Arrival) bool {
	w := (*World)(g)
	p, from, s := &g.preSolves[worker], &x.Source, w.state.Shapes.At(x.B)
	a, b := w.state.Bodies.At(w.state.Proxied(x.A).Body), w.state.Bodies.At(s.Body)
	*p = PreSolve{A: w.sideOf(x.A), B: w.sideOf(broad.OwnerOf(broad.Shape, x.B)), Normal: x.Normal, N: 1}
	q := &p.Points[0]
	q.Point, q.Separation = x.Point, x.Separation
	q.Cell, q.Tile, q.Segment, q.Material, q.MaterialB = from.Cell, from.Tile, int(from.Segment),
		MaterialID(from.Material), MaterialID(s.Material)
	q.Velocity = b.VelocityAt(x.Point.Sub(b.Center)).Sub(a.VelocityAt(x.Point.Sub(a.Center)))
	w.callPreSolve(p)
	return !p.Disabled
}

// sideOf returns the Side of o.
func (w *World) sideOf(o broad.Owner) Side {
	b := w.state.Proxied(o).Body
	s := Side{Body: BodyID(w.state.Bodies.ID(b)), BodyUser: w.state.Rare(b).User}
	s.Shape, s.Ground, s.Chain = w.idsOf(o)
	switch i := o.Slot(); o.Kind() {
	case broad.Shape:
		s.User = w.state.Shapes.At(i).User
	case broad.Chain:
		s.User = w.state.Chains.At(i).User
	}
	return s
}

// PreSolve is a manifold before the solver reads it: the argument of the function of SetPreSolve. The function may
// set Disabled, and Friction, Restitution and TangentSpeed of each point; other fields are only to be read.
type PreSolve struct {
	A, B   Side
	Normal geom.Vec // unit, world, from A to B
	N      int      // points in use, 1 or 2
	Points [2]PreSolvePoint
	// Disabled leaves the manifold out of this step: it makes no force. If all manifolds of a pair are
	// left out, the pair does not touch: it makes no events, and does not keep a body awake or asleep.
	Disabled bool
}

// PreSolvePoint is a point of a PreSolve. Its impulses are of a step like the last sub-step of the step before, with
// which the solver begins.
type PreSolvePoint struct {
	ContactPoint
	Velocity geom.Vec // of B relative to A at the point, in units of length a second
	// Friction (0 to 1e6), Restitution (0 to 1) and TangentSpeed (-MaxSpeed to MaxSpeed) are the mixed
	// properties of the two materials; see Material. The function may set them for this step.
	Friction, Restitution, TangentSpeed float64
}

// SetPreSolve sets a function f that is called for each manifold, before the solver reads it, if a shape or ground
// of the contact has AskPreSolve; nil removes the function. f may leave out the manifold, or change its friction,
// its restitution or its surface speed, for this step. A manifold is one normal of a pair: a box in a corner of a
// ground has two. f is not called for sleeping bodies; SetPreSolve wakes every body.
//
// Continuous collision also calls f, for the shapes, tiles and segments in the way of a fast body, so a surface
// that f leaves out stops no body at any speed. There is no manifold yet. The argument describes the start of the
// step: it has one point, the point of the body's shape nearest to the surface; Separation is their distance; there
// are no impulses and no ID. So f should decide by sides, materials, cells, normal and velocity. f is not called
// for the motion of a fast ground: the ground stops for the rest of a step at a shape, chain or tile that f leaves
// out.
//
// f must be pure, and safe for concurrent calls: the workers of a step call it. For a manifold that stays they call
// it twice: in the narrow phase, where Disabled counts, and when the solver reads the manifold, where the fields of
// the points count. f must not keep the pointer. Step panics if f sets a field out of its range. A panic in f
// leaves Step, and the world cannot be used after that.
func (w *World) SetPreSolve(f func(*PreSolve)) {
	w.mustNotStep()
	if w.log != nil && (f == nil) != (w.preSolve == nil) {
		w.log.Cannot("SetPreSolve")
	}
	w.preSolve = f
	w.askAnew()
}

// Keeps implements step.Game.
func (g *game) Keeps(worker int, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold) bool {
	return !(*World)(g).askPreSolve(worker, c, m, on).Disabled
}

// Mix implements step.Game.
func (g *game) Mix(worker int, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold,
	mixed *[2]rows.Mixed,
) {
	p := (*World)(g).askPreSolve(worker, c, m, on)
	for j := range m.N { // p.N is the function's
		q := &p.Points[j]
		x := g.state.Surfaces.Mix(uint16(q.Material), uint16(q.MaterialB))
		x.Friction, x.Restitution, x.Speed = q.Friction, q.Restitution, q.TangentSpeed
		mixed[j] = x
	}
}

// askPreSolve calls the pre-solve function for the manifold m of c and returns the result, valid until the
// next call; on is m with its surface, nil between two shapes.
func (w *World) askPreSolve(worker int, c *state.Contact, m *contact.Manifold, on *contact.SurfaceManifold) *PreSolve {
	p := &w.preSolves[worker]
	n := float64(w.state.Config.SubSteps)
	a, b := w.state.Bodies.At(c.BodyA), w.state.Bodies.At(c.BodyB)
	*p = PreSolve{
		A: w.sideOf(w.state.Contacts.SideA(c)), B: w.sideOf(broad.OwnerOfB(c.ShapeB)), Normal: m.Normal,
		N: int(m.N),
	}
	for j := range p.N {
		q, from := &p.Points[j], &m.Points[j]
		q.ContactPoint = w.contactPoint(c, m, on, j)
		q.NormalImpulse, q.TangentImpulse = float64(n*float64(from.NormalImpulse)),
			float64(n*float64(from.TangentImpulse))
		q.Velocity = b.VelocityAt(from.AnchorB).Sub(a.VelocityAt(from.AnchorA))
	}
	w.callPreSolve(p)
	return p
}

// callPreSolve calls the pre-solve function for p, of which all but the mixed properties is set.
func (w *World) callPreSolve(p *PreSolve) {
	for j := range p.N {
		q := &p.Points[j]
		x := w.state.Surfaces.Mix(uint16(q.Material), uint16(q.MaterialB))
		q.Friction, q.Restitution, q.TangentSpeed = x.Friction, x.Restitution, x.Speed
	}
	n := p.N // a function that sets N has no effect
	w.preSolve(p)
	for j := range n {
		q := &p.Points[j]
		x := rows.Mixed{Friction: q.Friction, Restitution: q.Restitution, Speed: q.TangentSpeed}
		rows.CheckMixed(&x, "Step", MaxSpeed)
	}
}
