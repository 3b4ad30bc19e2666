package step

import (
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/state"
)

// updateShapes is updateContact for two shapes.
func (k *narrower) updateShapes(i int32, c *state.Contact, a, b *state.Body) {
	w := k.world
	ra, rb := &w.RowShapes[c.ShapeA], &w.RowShapes[c.ShapeB]
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
		if base := &w.Contacts.Bases[i]; !base.Turned(a.Rot) {
			deepest := base.Follow(&w.Contacts.Manifolds[i], a.Rot, b.Rot, a.Center.Sub(b.Center))
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
func (k *narrower) updateDiscs(i int32, c *state.Contact, a, b *state.Body, ra, rb float64) {
	m := &k.world.Contacts.Manifolds[i]
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

// computeShapes computes the manifold of contact i, of two shapes, whose bodies are at pose, and lists the
// outcome if it changes something else.
func (k *narrower) computeShapes(i int32, c *state.Contact, a, b *state.Body, pose *narrow.Pose) {
	w := k.world
	m := &w.Contacts.Manifolds[i]
	sa, sb := w.Shapes.At(c.ShapeA), w.Shapes.At(c.ShapeB)
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
		w.Contacts.Bases[i].Keep(&c.Last, m, pose, a.Rot, b.Rot, p.ReachB())
	}
	if k.setPoints(i, int8(m.N)); touching && !k.preSolveShapes(i, c) {
		return
	}
	k.noteShapes(i, c, a, b, touching, deepest, min(sa.InnerRadius, sb.InnerRadius))
}

// noteShapes lists the outcome of contact i, of two shapes, if it changes something besides the manifold;
// innerRadius is the lesser of their inner radii. Most contacts need no outcome, or only jam the two bodies.
func (k *narrower) noteShapes(i int32, c *state.Contact, a, b *state.Body, touching bool, deepest,
	innerRadius float64,
) {
	if touching != c.Touching || touching && (a.Asleep() || b.Asleep()) || (a.InvMass == 0 || b.InvMass == 0) &&
		deepest < 0 && isDeep(-deepest, innerRadius) {
		out := k.addOutcome(i)
		out.Touching, out.Deepest = touching, deepest
	} else if deepest < -narrow.PinchDepth {
		k.jams = append(k.jams, i)
	}
}

// setPoints sets the number of points in the manifold of contact i, of two shapes.
func (k *narrower) setPoints(i int32, n int8) {
	if at := &k.world.Contacts.Points[i]; *at != n {
		*at, k.relists = n, true
	}
}
