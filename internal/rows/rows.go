// Package rows turns manifolds into the solver's contacts: relative velocities and arms in the
// solver's float32, and the mixed properties of the two surfaces. It does not know World.
package rows

import (
	"unsafe"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/solve"
)

// Shape holds the properties of a shape that rows and contacts of discs read, in 16 bytes. The zero Shape stands for
// a ground or chain.
type Shape struct {
	Radius   float64 // of its rounding
	Material uint16
	disc     disc
}

// disc is the place of a disc's centre; 0 is for other shapes.
type disc uint8

const (
	onCentre   disc = 1 + iota // the origin of the body's frame, which is the centre of mass
	nearCentre                 // near the centre of mass
	// offCentre is farther from the centre of mass than a twentieth of the radius: such a disc rolls back and forth.
	offCentre
)

// ShapeOf returns the Shape of a hull with the given material, on a body with the given local centre of mass.
func ShapeOf(h *collide.Hull, material uint16, center geom.Vec) Shape {
	s := Shape{Radius: h.Radius, Material: material}
	far := float64(0.05 * h.Radius)
	switch {
	case h.N > 1:
	case h.V[0].Sub(center).Len2() > far*far:
		s.disc = offCentre
	case h.V[0] != geom.Vec{} || center != geom.Vec{}:
		s.disc = nearCentre
	default:
		s.disc = onCentre
	}
	return s
}

// CentredDisc reports whether s is a disc about the origin of its body's frame, which is the centre of mass.
func (s *Shape) CentredDisc() bool { return s.disc == onCentre }

// NoShape stands for a ground or chain.
var NoShape = &Shape{}

// velocityAt returns the velocity of the point of m at arm from the centre of mass.
func velocityAt(m *solve.Motion, arm geom.Vec) geom.Vec {
	return geom.V(m.VX, m.VY).MulAdd(m.Spin, arm.Left())
}

// Contact is the common part of the rows of a contact's manifolds. Side B is a shape, or a ground.
type Contact struct {
	Table   *Table
	Motions []solve.Motion     // of the solver
	DT      float64            // of the step, in seconds
	Other   *[2]contact.Source // of the points of a manifold of a ground or chain, if B is a ground
	Smooth  bool               // the contact, with a ground or chain, has neither friction nor restitution
	// PreSolved: the pre-solve function has seen the manifold, and the mixed properties of its points are Points, not
	// Table's.
	PreSolved bool
	Points    [2]Mixed
	mixer     mixer
	// Carried lists the bodies, by their index in the solver, that belts carry: rest needs balance, see
	// internal/step/rest.go.
	Carried []int32

	takesAll bool               // List.Strain reads the impulses of every contact with a ground or chain
	copies   []contact.Manifold // of this step, of manifolds whose points roll: with the arms of its end; see rollAhead
	copied   []copied           // the manifolds of the world that copies are of, to which End gives the impulses
	rounded  []rounded          // contacts filled since the last call of Filled whose points may roll
}

// rounded holds Fill's arguments for a contact that may roll: one of its shapes is rounded.
type rounded struct {
	out  solve.Lane
	link *solve.Link
	a, b *Shape
	m    *contact.Manifold
}

// copied is a manifold of the world, and the copy of it that the solver reads and stores impulses in.
type copied struct{ copy, original *contact.Manifold }

// Begin begins a step of dt seconds with the given surfaces and motions, whose impulses l takes.
func (c *Contact) Begin(t *Table, motions []solve.Motion, l *List, dt float64) {
	c.Table, c.Motions, c.DT, c.takesAll = t, motions, dt, len(l.Strengths) > 0
	c.copies, c.copied, c.rounded, c.Carried = c.copies[:0], c.copied[:0], c.rounded[:0], c.Carried[:0]
	c.mixer.begin()
}

// End ends the step: it puts the impulses that the solver stored in copies of manifolds into the manifolds.
func (c *Contact) End() {
	for i := range c.copied {
		from, to := c.copied[i].copy, c.copied[i].original
		to.RollImpulse = from.RollImpulse
		for k := range from.N {
			p, q := &to.Points[k&1], &from.Points[k&1]
			p.NormalImpulse, p.TangentImpulse = q.NormalImpulse, q.TangentImpulse
		}
	}
}

// smooth is surfaces with neither friction nor restitution.
var smooth Mixed

// Fill fills a lane of the solver with the manifold m of the shapes a and b: out gets the manifold, the mixed surfaces
// at its points, the radii, the rolling resistance, and the place for the impulses of the step, totals. on is m with
// its surface if side A is a ground or chain, else nil.
func (c *Contact) Fill(out solve.Lane, link *solve.Link, a, b *Shape, m *contact.Manifold, on *contact.SurfaceManifold,
	totals *contact.Totals,
) {
	var first, second *Mixed
	if on == nil && !c.PreSolved {
		first = c.mixer.mix(c.Table, a.Material, b.Material)
		second = first
	} else {
		first, second = c.at(on, 0, b.Material), &smooth
		if link.N > 1 {
			second = c.at(on, 1, b.Material)
		}
	}
	if on != nil && c.takesAll {
		out.Ask()
	}
	out.SetSurfaces(first, second)
	if first.Speed != 0 || second.Speed != 0 {
		c.noteCarried(link, m, first, second)
	}
	disc, rolling, rollImpulse := solve.NoDisc, float32(0), float32(0)
	if a.Radius > 0 || b.Radius > 0 {
		if a.disc == 0 || b.disc == 0 { // two discs have no edge to roll along
			disc = discOf(a, b)
			if on == nil {
				c.rounded = append(c.rounded, rounded{out, link, a, b, m})
			}
		}
		// With one point the second has the surfaces of the first, or none.
		resistance := first.Rolling
		if second.Rolling > resistance {
			resistance = second.Rolling
		}
		if resistance > 0 {
			if r := float32(resistance * max(a.Radius, b.Radius)); r > 0 {
				rolling, rollImpulse = r, m.RollImpulse
			}
		}
	}
	out.SetRound(float32(a.Radius), float32(b.Radius), disc, rolling, rollImpulse)
	out.SetTotals(totals)
	setManifold(out, m)
}

// noteCarried lists the bodies of m if a belt carries one past the other: if a point of m moves along the belt at 1/20
// of its speed or more.
func (c *Contact) noteCarried(link *solve.Link, m *contact.Manifold, first, second *Mixed) {
	tangent, belts := m.Normal.Right(), [...]*Mixed{first, second}
	for k, on := range belts[:m.N] {
		p := &m.Points[k]
		v := velocityAt(&c.Motions[link.B], p.AnchorB).Sub(velocityAt(&c.Motions[link.A], p.AnchorA)).Dot(tangent)
		if solve.Drives(v, on.Speed) {
			c.Carried = append(c.Carried, link.A, link.B)
			return
		}
	}
}

// setManifold sets the manifold of out to m, which has its layout; see TestManifoldIsTheSolvers.
func setManifold(out solve.Lane, m *contact.Manifold) {
	out.SetManifold((*solve.Manifold)(unsafe.Pointer(m)))
}

// Filled gives the solver copies of those manifolds, filled since the last call, whose points roll. Fill could not: it
// does not read manifolds, which come into the cache only after it.
func (c *Contact) Filled() {
	for i := range c.rounded {
		r := &c.rounded[i]
		if m := c.rollAhead(r.m, r.link, r.a, r.b); m != r.m {
			setManifold(r.out, m)
		}
	}
	c.rounded = c.rounded[:0]
}

// discOf returns which of two shapes is a disc beside its body's centre of mass, if the other is no disc.
func discOf(a, b *Shape) solve.Disc {
	switch {
	case b.disc == offCentre && a.disc == 0:
		return solve.DiscB
	case a.disc == offCentre && b.disc == 0:
		return solve.DiscA
	}
	return solve.NoDisc
}

// at returns the mixed properties at point k of a manifold that is on a ground or chain (on), or that the pre-solve
// function has seen.
func (c *Contact) at(on *contact.SurfaceManifold, k int, materialB uint16) *Mixed {
	switch {
	case on != nil && (c.Smooth || on.Features[k&1].Kind.PushesOut()):
		return &smooth
	case c.PreSolved:
		return c.mixer.keep(c.Points[k&1])
	case c.Other != nil:
		materialB = c.Other[k&1].Material
	}
	return c.mixer.mix(c.Table, on.Sources[k&1].Material, materialB)
}

// A flat body that rocks on a round one (a plank on a marble) rests on a point that rolls along the flat body as it
// tilts, and that restores it. The solver holds points still for the whole step, so the restoring torque is the torque
// of the point a step ago, and the delay feeds the swing: from one hundredth of a radian to a quarter in half a minute.
// So the arm of the flat body points to the place of the point at the end of the step, which damps swings.

// rollFraction bounds the shift of an arm, as a fraction of the rounding's radius: more than
// rocking needs, and little enough to do no harm where a body spins fast.
const rollFraction = 0.1

// rollAhead returns the manifold of two shapes that the solver is to read for m: a copy with the arms that the points
// of m will have at the end of the step, or m itself if its points do not roll.
func (c *Contact) rollAhead(m *contact.Manifold, link *solve.Link, shapeA, shapeB *Shape) *contact.Manifold {
	a, b := &c.Motions[link.A], &c.Motions[link.B]
	for k := range m.N {
		va, vb := m.IDs[k&1].Vertices()
		if va == vb {
			continue
		}
		radius := shapeA.Radius
		if vb {
			radius = -shapeB.Radius
		}
		if radius == 0 {
			continue
		}
		d := rolled(m, int(k&1), a, b, radius, c.DT)
		if d == 0 {
			continue
		}
		if n := len(c.copies); n == 0 || m != &c.copies[n-1] {
			c.copies = append(c.copies, *m)
			c.copied = append(c.copied, copied{&c.copies[n], m})
			m = &c.copies[n]
		}
		arm := &m.Points[k&1].AnchorB // of the flat body
		if vb {
			arm = &m.Points[k&1].AnchorA
		}
		*arm = arm.MulAdd(d, m.Normal.Left())
	}
	return m
}

// rolled returns the distance that point k of m will roll, in the step of dt seconds that begins, along the shape
// whose edge it is on, in the direction of m.Normal.Left(). radius is the radius of the round shape, negated if the
// round shape is B's.
func rolled(m *contact.Manifold, k int, a, b *solve.Motion, radius, dt float64) (d float64) {
	round, flat := a, b
	arm, flatArm := m.Points[k].AnchorA, m.Points[k].AnchorB
	side := 1.0
	if radius < 0 {
		round, flat, arm, flatArm = flat, round, flatArm, arm
		radius, side = -radius, -1
	}
	if flat.InvI == 0 {
		return 0
	}
	// Rolling moves the point by the radius times the relative spin; slip moves it in addition.
	spin := flat.Spin - round.Spin
	rolled := float64(side * radius * spin)
	slip := velocityAt(round, arm).Sub(velocityAt(flat, flatArm)).Dot(m.Normal.Left())
	runs := rolled + slip
	if rolled > 0 {
		d = max(0, min(rolled, runs))
	} else {
		d = min(0, max(rolled, runs))
	}
	most := float64(rollFraction * radius)
	return max(-most, min(most, float64(d*dt)))
}
