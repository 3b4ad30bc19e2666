package query

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// Facing returns the length of h across the unit direction u: the length of its shadow in light along u,
// both in the hull's frame.
func Facing(h *collide.Hull, u geom.Vec) float64 {
	across := u.Left()
	lo := across.Dot(h.V[0])
	hi := lo
	for _, v := range h.V[1:h.N] {
		x := across.Dot(v)
		lo, hi = min(lo, x), max(hi, x)
	}
	return hi - lo + float64(2*h.Radius)
}

// Blast is an explosion: see quarry.ExplosionDef.
type Blast struct{ Radius, Falloff, ImpulsePerLength float64 }

// Push returns the impulse of a blast at the probe's Origin on h, in the frame of h, and the point of h that it pushes,
// relative to Origin. From inside, that is the centroid; ok is false at the centroid itself, and out of reach.
func (b *Blast) Push(p *Probe, h *collide.Hull) (j, at geom.Vec, ok bool) {
	near := NearShape(p, h)
	at = near.Point
	if near.Separation <= 0 {
		at = h.Centroid.Sub(p.Origin)
	}
	share := 1.0
	if beyond := max(0, near.Separation) - b.Radius; beyond > 0 {
		if beyond >= b.Falloff {
			return geom.Vec{}, at, false
		}
		share = 1 - beyond/b.Falloff
	}
	dir, l := at.Unit()
	return dir.Mul(b.ImpulsePerLength * Facing(h, dir) * share), at, l > 0
}

// Gust is a wind on a hull, in the hull's frame, about a point of it.
type Gust struct {
	Wind, Velocity, Center geom.Vec // of the air; of the body, at Center
	Spin                   float64
	Drag, Lift             float64
}

// gauss is the distance of the points of Gauss's rule from the middle of an edge, as a part of its length.
const gauss = 0.28867513459481287 // 1/sqrt(12)

// Load returns the force of the wind on h and its torque about g.Center.
//
// Half an edge, of length a, with the outward normal n, over which the air moves at v = s*u, faces the wind with the length f = -a*(n.u), if that is positive. The drag on it is Drag*f*s*s
// along u, and the lift Lift*f*s*s times the part of -n across u: the law of a flat plate. The rounding
// adds twice its radius to f, in the middle of the hull and without lift. The speed is taken at the two
// points of Gauss's rule, so that a paddle that turns about its middle is braked.
func (g *Gust) Load(h *collide.Hull) (force geom.Vec, torque float64) {
	add := func(at, n geom.Vec, length float64) {
		arm := at.Sub(g.Center)
		u, s := g.Wind.Sub(g.Velocity.MulAdd(g.Spin, arm.Left())).Unit()
		if s == 0 {
			return
		}
		facing, tilt := length, geom.Vec{}
		if n != (geom.Vec{}) {
			lean := n.Dot(u)
			facing, tilt = max(0, -float64(length*lean)), n.MulAdd(-lean, u)
		}
		load := facing * s * s
		f := u.Mul(g.Drag*load).MulAdd(-g.Lift*load, tilt)
		force = force.Add(f)
		torque += arm.Cross(f)
	}
	for i := range h.N {
		if h.N == 1 {
			break
		}
		a, b := h.V[i], h.V[(i+1)%h.N]
		for _, t := range [2]float64{0.5 - gauss, 0.5 + gauss} {
			add(a.Lerp(b, t).MulAdd(h.Radius, h.Nrm[i]), h.Nrm[i], 0.5*a.Dist(b))
		}
	}
	if h.Radius > 0 {
		add(h.Centroid, geom.Vec{}, 2*h.Radius)
	}
	return force, torque
}
