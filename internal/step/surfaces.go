package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// updateSurface is updateContact for contact c, of the state s, of the shape sb, of b, and a ground or chain, of
// a: it sets the manifolds and out.
func (k *narrower) updateSurface(out *narrow.Outcome, c *state.Contact, s *state.SurfaceContact, a,
	b *state.Body, sb *state.Shape,
) {
	w, in := k.world, &k.input
	if s.Owner.Kind() == broad.Chain && !c.Touching && s.Idle() && !w.NearFaces(c.ShapeB, contact.SpeculativeDistance) {
		k.narrow.Apart(out, &s.Memory) // as of most bodies in the box of a long chain
		return
	}
	in.Set(a.Transform(), b.Center, b.Rot, b.LocalCenter)
	in.Hull, in.InnerRadius = &sb.Hull, sb.InnerRadius
	in.Apart = b.Center.Sub(a.Center)
	in.Velocity, in.Time, in.Pace = b.Velocity.Sub(a.VelocityAt(in.Apart)), w.Time, w.Pace
	in.Yields, in.Moves, in.Fixed = a.Type == broad.DynamicBody, a.Type != broad.StaticBody, b.Type != broad.DynamicBody
	in.Tiles, in.Chain, in.OneWay, in.Beside = nil, nil, nil, &k.seam
	k.resting = resting{c, c.ShapeB, c.BodyB}
	k.seam.Begin(a, geom.Transform{P: b.Center, Q: in.Frame.Q})
	if s.Owner.Kind() == broad.Chain {
		in.Chain = &w.Chains.At(s.Owner.Slot()).Chain
		k.narrow.ChainFaces(out, &s.Memory, in)
		return
	}
	g := w.Grounds.At(s.Owner.Slot())
	in.Tiles, in.Bounds, in.Last, in.Extent = &g.Tiles, g.Box, nil, sb.Extent
	if in.Yields {
		was := w.LastPose(c.BodyA, false).InvMul(w.LastPose(c.BodyB, false))
		in.Was = geom.Transform{P: was.P.Sub(in.Origin), Q: was.Q}
	}
	if !c.Touching && !s.OneWay.Drops() {
		in.Last = &c.Last
	}
	if w.OneWays.Any() {
		in.OneWay = k.oneWay.Set(w, s.Owner.Slot(), c.ShapeB, &s.Memory, in.At, in.Origin, false)
	}
	k.narrow.Ground(out, &s.Memory, in)
}

// updateGrounds is updateContact for contact i, which is c, of the state s, of two grounds or a chain and a
// ground, of the bodies a and b: it sets the manifolds and out.
func (k *narrower) updateGrounds(out *narrow.Outcome, i int32, c *state.Contact, s *state.SurfaceContact, a,
	b *state.Body,
) {
	w, in := k.world, &k.input
	k.oneWay.Query.Drop = surface.NotDropping
	apart, pose, base := b.Center.Sub(a.Center), &k.pose, &w.Contacts.Bases[i]
	pose.Set(a.Rot, b.Rot, apart)
	if c.Last.Holds(pose) && !w.OneWays.Any() && k.keepGrounds(out, c, s, base, a, b) {
		return
	}
	c.Last = narrow.Last{}
	in.Set(a.Transform(), b.Center, b.Rot, b.LocalCenter)
	in.Apart, in.Tiles, in.Chain, in.OneWay, in.Fixed, in.Time, in.Pace = apart, nil, nil, nil,
		b.Type != broad.DynamicBody, w.Time, w.Pace
	g := w.Grounds.At(^c.ShapeB)
	o := narrow.Outline{Tiles: &g.Tiles, Box: g.Box, At: b.LocalCenter}
	if s.Owner.Kind() == broad.Chain {
		in.Chain = &w.Chains.At(s.Owner.Slot()).Chain
	} else {
		f := w.Grounds.At(s.Owner.Slot())
		in.Tiles, o.BoxA, o.Aside = &f.Tiles, f.Box, narrow.Aside(s.Owner.Slot(), ^c.ShapeB)
	}
	if o.Ways = w.OneWays.Any(); o.Ways {
		was, now := w.LastPose(c.BodyA, false).InvMul(w.LastPose(c.BodyB, false)), w.Steps+1
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
func (k *narrower) keepGrounds(
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
