// Package rows turns manifolds into the solver's contacts: relative velocities and arms in the
// solver's float32, and the mixed properties of the two surfaces. It does not know World.
package rows

import (
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

// disc tells where the centre of a disc is; 0 is for other shapes.
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

// Side is one side of a contact: a body, and its shape.
type Side struct {
	Shape
	*solve.Motion
}

// velocityAt returns the velocity of the point of m at arm from the centre of mass.
func velocityAt(m *solve.Motion, arm geom.Vec) geom.Vec {
	return geom.V(m.VX, m.VY).MulAdd(m.Spin, arm.Left())
}

// Contact is the common part of the rows of a contact's manifolds. Side B is a shape, or a ground.
type Contact struct {
	A, B   Side
	Other  *[2]contact.Source // of the points of a manifold, if B is a ground
	Smooth bool               // no friction and no restitution
	DT     float64            // the step, in seconds
	Asked  bool               // Points has the mixed properties of each point, not the table
	Points [2]Mixed
	mixer  mixer
}

// Fill sets out, which is zero, to the manifold m of c. on is m with its surface if side A is a ground or chain, else
// nil.
func (c *Contact) Fill(out *solve.Contact, t *Table, m *contact.Manifold, on *contact.SurfaceManifold) {
	a, b := &c.A, &c.B
	// The solver's tangent is (ny, -nx): to the right on a floor.
	n, right := m.Normal, m.Normal.Right()
	apart := geom.V(b.VX-a.VX, b.VY-a.VY) // relative velocity of the centres; exact even if both are fast
	out.NX, out.NY = float32(n.X), float32(n.Y)
	out.Drift, out.Spin = float32(apart.Dot(n)), float32(b.Spin-a.Spin)
	out.RadiusA, out.RadiusB = float32(a.Radius), float32(b.Radius)
	rolls := on == nil && (a.Radius > 0 || b.Radius > 0)
	switch {
	case b.disc == offCentre && a.disc == 0:
		out.Disc = solve.DiscB
	case a.disc == offCentre && b.disc == 0:
		out.Disc = solve.DiscA
	}
	for k := range m.N {
		p, q := &m.Points[k], &out.Points[k]
		rA, rB := p.AnchorA, p.AnchorB
		if rolls {
			if d, onB := c.rollAhead(m, int(k)); onB {
				rB = rB.MulAdd(d, n.Left())
			} else {
				rA = rA.MulAdd(d, n.Left())
			}
		}
		hA, hB := rA.Dot(n), rB.Dot(n)
		nA, nB := rA.Cross(n), rB.Cross(n)
		q.NormalA, q.NormalB = float32(nA), float32(nB)
		q.TangentA, q.TangentB = float32(-hA), float32(-hB) // AnchorA x the tangent
		q.Separation = float32(p.Separation)
		q.Velocity = float32(apart.Dot(n) + float64(b.Spin*nB) - float64(a.Spin*nA))
		slip := apart.Dot(right) - float64(b.Spin*hB) + float64(a.Spin*hA)
		q.Slip = float32(slip)
		q.NormalImpulse, q.TangentImpulse = p.NormalImpulse, p.TangentImpulse
		if c.Smooth || on != nil && on.Features[k].Kind.PushesOut() {
			continue
		}
		id := a.Material
		if on != nil {
			id = on.Sources[k].Material
		}
		other := b.Material
		if c.Other != nil {
			other = c.Other[k].Material
		}
		x := c.mixer.mix(t, id, other)
		if c.Asked {
			x = &c.Points[k]
		}
		q.Friction, q.Restitution, q.Slip = float32(x.Friction), float32(x.Restitution), float32(slip-x.Speed)
		if x.Rolling > 0 {
			out.Rolling = max(out.Rolling, float32(float64(x.Rolling)*max(a.Radius, b.Radius)))
		}
	}
	if out.Rolling > 0 {
		out.RollImpulse = m.RollImpulse
	}
}

// Mix returns the mixed properties of the materials a and b of t.
func (c *Contact) Mix(t *Table, a, b uint16) Mixed { return *c.mixer.mix(t, a, b) }

// Load returns the largest normal impulse of m's points, for solve.Link; 0 if one of them moves at solve.ImpactSpeed
// along the normal, or faster.
func Load(m *contact.Manifold, a, b *solve.Motion) float32 {
	for k := range m.N {
		p := &m.Points[k]
		if v := velocityAt(b, p.AnchorB).Sub(velocityAt(a, p.AnchorA)).Dot(m.Normal); v >= solve.ImpactSpeed || v <= -solve.ImpactSpeed {
			return 0
		}
	}
	return m.MostImpulse()
}

// A flat body that rocks on a round one (a plank on a marble) rests on a point that rolls
// along the flat body as it tilts, and that restores it. The solver holds points still for
// the whole step, so the restoring torque comes from where the point was, a little late, and
// the delay feeds the swing: from one hundredth of a radian to a quarter in half a minute.
// So the arm of the flat body points to where the point will be at the end of the step,
// which damps swings.

// rollFraction bounds the shift of an arm, as a fraction of the rounding's radius: more than
// rocking needs, and little enough to do no harm where a body spins fast.
const rollFraction = 0.1

// rollAhead returns how far, in the step that begins, point k of two shapes will roll along the
// shape whose edge it is on, in the direction of m.Normal.Left(), and whether that shape is B.
func (c *Contact) rollAhead(m *contact.Manifold, k int) (d float64, onB bool) {
	round, flat := &c.A, &c.B
	arm, flatArm := m.Points[k].AnchorA, m.Points[k].AnchorB
	radius, side := 0.0, 1.0
	va, vb := m.IDs[k].Vertices()
	switch {
	case va && !vb:
		radius = c.A.Radius
	case vb && !va:
		round, flat, arm, flatArm = flat, round, flatArm, arm
		radius, side = c.B.Radius, -1
	}
	if radius == 0 || flat.InvI == 0 {
		return 0, false
	}
	// Rolling moves the point by the radius times the relative spin; slip moves it
	// otherwise.
	spin := flat.Spin - round.Spin
	rolled := float64(side * radius * spin)
	slip := velocityAt(round.Motion, arm).Sub(velocityAt(flat.Motion, flatArm)).Dot(m.Normal.Left())
	runs := rolled + slip
	if rolled > 0 {
		d = max(0, min(rolled, runs))
	} else {
		d = min(0, max(rolled, runs))
	}
	most := float64(rollFraction * radius)
	return max(-most, min(most, float64(d*c.DT))), flat == &c.B
}
