package ccd

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Nearest finds the point of a shape B that is nearest to a shape or surface A, at the start of the step, for a pair
// that has no manifold yet. The two may be far apart.
type Nearest struct {
	A        geom.Transform // frame of A's body
	vertices [2][geom.MaxVertices]geom.Vec
	hull     *collide.Hull // of B
}

// Near is the point of B that is nearest to A.
type Near struct {
	Point, Normal geom.Vec // in the world; the normal points from A to B
	Separation    float64  // along the normal, units of length
}

// Set sets side B to the hull b of a body in the frame at, and the frame of A's body to a.
func (x *Nearest) Set(a geom.Transform, b *collide.Hull, at geom.Transform) {
	x.A, x.hull = a, b
	x.place(1, b, at)
}

func (x *Nearest) place(side int, h *collide.Hull, at geom.Transform) {
	for i, v := range h.V[:h.N] {
		x.vertices[side][i] = at.Apply(v)
	}
}

// ToHull returns the point of B nearest to the hull a, of A's body.
func (x *Nearest) ToHull(a *collide.Hull) (out Near) {
	x.place(0, a, x.A)
	dist, p, q := geom.Distance(x.vertices[0][:a.N], x.vertices[1][:x.hull.N])
	var l float64
	if out.Normal, l = q.Sub(p).Unit(); l == 0 || dist == 0 {
		out.Normal, l = x.vertices[1][0].Sub(x.vertices[0][0]).Unit()
	}
	if l == 0 {
		out.Normal = geom.V(0, 1)
	}
	out.Point, out.Separation = q.MulAdd(-x.hull.Radius, out.Normal), dist-a.Radius-x.hull.Radius
	return out
}

// ToFace returns the point of B nearest to the one-sided face from a to b, in the frame of A's body.
func (x *Nearest) ToFace(a, b geom.Vec) (out Near) {
	n, _ := b.Sub(a).Unit()
	out.Normal = x.A.Q.Apply(geom.V(n.Y, -n.X))
	line := [2]geom.Vec{x.A.Apply(a), x.A.Apply(b)}
	shape := x.vertices[1][:x.hull.N]
	_, _, q := geom.Distance(line[:], shape)
	least := out.Normal.Dot(q.Sub(line[0]))
	for _, p := range shape {
		least = min(least, out.Normal.Dot(p.Sub(line[0])))
	}
	out.Point, out.Separation = q.MulAdd(-x.hull.Radius, out.Normal), least-x.hull.Radius
	return out
}
