package narrow

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// The centroid of a shape decides on which side of a face the shape is. This fails for two kinds of shapes under a
// ground that moves, such as a floor under a raft of tiles. If the floor is much wider than the raft, its centroid
// is far from the contact, where the smallest tilt of the raft lifts or lowers the plane of the raft's bottom. If the
// floor is thin, its centroid is on either side of the bottom by rounding. So a ground that yields is compared with
// the part of such a shape that is near, which has a centroid of its own.

// backing is the depth, in units of length, of the part's centroid behind the side of the shape that faces the ground.
const backing = 0.5

// back replaces the hull of in by one with a centroid in its part near the ground, if the ground yields, the whole
// ground is on one side of the shape, and the shape is thin or its centroid far. The ground may have sunk in that side
// as far as the inner radius: deeper, it would be on the far side of a small shape, or be a tray with a plank in it. It
// may be deeper, up to backing, if it has come from that side, since it passes the inner radius of a floor of 0.02
// units in one step: if it was less deep at the start of the last step, or was pushed back then.
func (s *Scratch) back(mem *Memory, in *Input) {
	h := in.Hull
	if !in.Yields || h.N < 2 || in.Bounds.IsEmpty() {
		return
	}
	box, deep := in.Bounds.Translate(in.Origin.Neg()), -in.InnerRadius-geom.LinearSlop
	side, best := -1, min(-backing, deep)
	for i := range h.N {
		if d := beyond(h, i, &in.At, &box); d > best && (d >= deep || beyond(h, i, &in.Was, &box) >= deep ||
			pushes(mem.Manifolds, in.Frame.Q.Apply(in.At.Q.Apply(h.Nrm[i])))) {
			side, best = i, d
		}
	}
	if side < 0 {
		return
	}
	next := side + 1
	if next == h.N {
		next = 0
	}
	e, l := h.V[next].Sub(h.V[side]).Unit()
	here := max(0, min(l, e.Dot(in.At.Inv(box.Center()).Sub(h.V[side]))))
	to := h.Centroid
	if off := here - e.Dot(h.Centroid.Sub(h.V[side])); off > 2*(in.InnerRadius+backing) ||
		off < -2*(in.InnerRadius+backing) {
		to = h.V[side].MulAdd(here, e).MulAdd(-backing, h.Nrm[side])
	} else if in.InnerRadius < backing {
		to = to.MulAdd(in.InnerRadius-backing, h.Nrm[side])
	} else {
		return
	}
	s.backed = *h
	if s.backed.Centroid = to; in.InnerRadius < backing {
		thicken(&s.backed, side, next)
	}
	in.Hull = &s.backed
}

// beyond returns the distance of box from the plane of side i of h, at the pose at; negative if the plane cuts box.
func beyond(h *collide.Hull, i int, at *geom.Transform, box *geom.AABB) float64 {
	n, near := at.Q.Apply(h.Nrm[i]), box.Min
	if n.X < 0 {
		near.X = box.Max.X
	}
	if n.Y < 0 {
		near.Y = box.Max.Y
	}
	return n.Dot(near.Sub(at.Apply(h.V[i]))) - h.Radius
}

// pushes reports whether a manifold pushes the shape away from a ground that lies in the direction n, in the world:
// within 60 degrees of -n.
func pushes(manifolds []contact.SurfaceManifold, n geom.Vec) bool {
	for i := range manifolds {
		if manifolds[i].Normal.Dot(n) < -0.5 {
			return true
		}
	}
	return false
}

// thicken moves h, except its edge from vertex a to vertex b, back by backing; a segment becomes a rectangle.
// Otherwise a face of the ground that has passed a thin shape by less than backing would not meet the shape.
func thicken(h *collide.Hull, a, b int) {
	by := h.Nrm[a].Mul(-backing)
	if h.N == 2 {
		p, q := h.V[a], h.V[b]
		h.N, h.V[0], h.V[1], h.V[2], h.V[3] = 4, p, q, q.Add(by), p.Add(by)
	} else {
		for i := range h.N {
			if i != a && i != b {
				h.V[i] = h.V[i].Add(by)
			}
		}
		dropReflex(h)
	}
	for i := range h.N {
		next := i + 1
		if next == h.N {
			next = 0
		}
		h.Nrm[i], _ = h.V[next].Sub(h.V[i]).Right().Unit()
	}
}

// dropReflex drops vertices of h until it is convex: those beside an edge that has kept its place may be inside now,
// and their normals would separate the hull from a face that it meets.
func dropReflex(h *collide.Hull) {
	for i := 0; i < h.N && h.N > 3; i++ {
		v, was, next := h.V[i], h.V[(i+h.N-1)%h.N], h.V[(i+1)%h.N]
		if v.Sub(was).Cross(next.Sub(v)) <= 0 {
			copy(h.V[i:h.N-1], h.V[i+1:h.N])
			h.N--
			i = -1 // again: the vertices beside it may be inside now
		}
	}
}
