package ccd

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Overlap reports whether two hulls in the frames ta and tb overlap.
func Overlap(a, b *collide.Hull, ta, tb geom.Transform) bool {
	var m collide.Manifold
	collide.Hulls(&m, a, b, ta.InvMul(tb), 0)
	for k := range m.N {
		if m.Points[k].Separation <= 0 {
			return true
		}
	}
	return false
}

// Crosses reports whether the hulls a and b, of bodies with the motions ma and mb and the centres
// of mass localA and localB in their frames, overlap within the step.
func Crosses(a, b *collide.Hull, ma, mb *Motion, localA, localB geom.Vec) bool {
	// Relative to the start of the first body's motion.
	ca, sa := ma.coreAndSweep(a, localA, ma.Center)
	cb, sb := mb.coreAndSweep(b, localB, ma.Center)
	t, ok := geom.TimeOfImpact(&ca, &sa, &cb, &sb, 0)
	// geom.TimeOfImpact returns 0 also for shapes that are very near.
	return ok && (t > 0 || Overlap(a, b, ma.From, mb.From))
}

// coreAndSweep returns the core of the hull h, of the body of m, and its motion, relative to origin. localCenter is
// the body's centre of mass in its frame.
func (m *Motion) coreAndSweep(h *collide.Hull, localCenter, origin geom.Vec) (geom.Core, geom.Sweep) {
	c := geom.Core{V: h.V, N: h.N, Radius: h.Radius}
	from := m.Center.Sub(origin)
	c = c.In(geom.Transform{P: m.From.Q.Apply(localCenter).Neg(), Q: m.From.Q})
	return c, geom.Sweep{From: from, To: from.Add(m.D), Angle1: m.Turn}
}

// PathIn returns a box around the volume that the hull h, of a body of the given extent and the motion m, sweeps in
// the frame of the body of o.
func (m *Motion) PathIn(o *Motion, h *collide.Hull, extent float64) geom.AABB {
	box := h.Bounds(o.From.InvMul(m.From)).Union(h.Bounds(o.To.InvMul(m.To)))
	// As in relativeTo.
	pace := m.D.Sub(o.D).Len() + float64(extent*math.Abs(m.Turn))
	far := m.Center.Dist(o.Center) + extent
	bend := float64(extent*m.Turn*m.Turn) + float64(o.Turn*o.Turn*(far+pace)) + float64(2*math.Abs(o.Turn)*pace)
	return box.Expand(float64(0.125*bend) + touchSlop)
}

// SweptBox returns a box around the volume that the hull h of a body of the given extent sweeps.
func (m *Motion) SweptBox(h *collide.Hull, extent float64) geom.AABB {
	return h.Bounds(m.From).Union(h.Bounds(m.To)).Expand(m.Sagitta(extent))
}

// BoundsOf returns the bounds of local, a box in the frame t of a body with the given centre of mass in
// that frame, and of its path in m unless m is nil.
func (m *Motion) BoundsOf(local geom.AABB, t geom.Transform, center geom.Vec) geom.AABB {
	box := local.In(t)
	if m != nil {
		far := max(center.Dist(local.Min), center.Dist(local.Max), center.Dist(geom.V(local.Min.X, local.Max.Y)),
			center.Dist(geom.V(local.Max.X, local.Min.Y)))
		box = box.Union(local.In(m.From)).Expand(m.Sagitta(far))
	}
	return box
}
