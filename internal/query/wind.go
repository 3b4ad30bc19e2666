package query

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
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

// Push returns the impulse of a blast at the probe's Origin on t, a shape or a ground, in its frame, and the point
// on which it acts, relative to Origin. This is the nearest point of t. If Origin is inside t, it is the centroid
// of a shape, or for a ground center, the centre of mass of its body. ok is false if Origin is at that point
// itself, or t is out of reach.
func (s *Scratch) Push(b *Blast, p *Probe, t *Target, center geom.Vec) (j, at geom.Vec, ok bool) {
	reach := b.Radius + b.Falloff
	near, ok := s.Near(p, t, reach)
	if !ok && (t.Tiles != nil || near.Separation > 0) {
		return geom.Vec{}, at, false
	}
	if near.Separation <= 0 {
		if t.Tiles == nil {
			center = t.Hull.Centroid
		}
		near.Point = center.Sub(p.Origin)
	}
	share := 1.0
	if beyond := max(0, near.Separation) - b.Radius; beyond > 0 {
		if beyond >= b.Falloff {
			return geom.Vec{}, near.Point, false
		}
		share = 1 - beyond/b.Falloff
	}
	dir, l := near.Point.Unit()
	length := 0.0
	if t.Tiles == nil {
		length = Facing(t.Hull, dir)
	} else {
		length = s.facing(p, t, dir, reach)
	}
	return dir.Mul(b.ImpulsePerLength * length * share), near.Point, l > 0
}

// facing returns the length of the shadow, in light along the unit direction u, of the outline of a ground that is
// within reach of the probe's Origin.
func (s *Scratch) facing(p *Probe, t *Target, u geom.Vec, reach float64) float64 {
	around := geom.Box(p.Origin, p.Origin).Expand(reach)
	cells, ok := surface.Cells(geom.AABB{Min: around.Min.Max(t.Box.Min), Max: around.Max.Min(t.Box.Max)})
	if !ok {
		return 0
	}
	s.spans = s.spans[:0]
	across := u.Left()
	s.eachSegment(p, t.Tiles, geom.Vec{}, cells, func(f *collide.Face, of *faceOf) float64 {
		d := f.B.Sub(f.A)
		if place := t.placeAt(of, p, geom.Vec{}); d.Right().Dot(u) >= 0 || !s.admits(&place) {
			return Beyond
		}
		// The part within reach: |A + x*d| <= reach.
		a, b := d.Len2(), f.A.Dot(d)
		root := float64(b*b) - float64(a*(f.A.Len2()-float64(reach*reach)))
		if root <= 0 {
			return Beyond
		}
		root = math.Sqrt(root)
		from, to := f.A.MulAdd(max(0, (-b-root)/a), d).Dot(across), f.A.MulAdd(min(1, (root-b)/a), d).Dot(across)
		if from > to { // a lit face runs against across
			s.spans = append(s.spans, [2]float64{to, from})
		}
		return Beyond
	})
	slices.SortFunc(s.spans, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	length, end := 0.0, math.Inf(-1)
	for _, x := range s.spans {
		length += max(0, x[1]-max(x[0], end))
		end = max(end, x[1])
	}
	return length
}

// Gust is a wind on shapes and grounds of a body, in the body's frame, and the sum of its loads so far.
type Gust struct {
	Wind, Velocity, Center geom.Vec // of the air; of the body, at Center, its centre of mass
	Spin                   float64
	Drag, Lift             float64

	Force  geom.Vec
	Torque float64 // about Center
}

// gauss is the distance of the points of Gauss's rule from the middle of an edge, as a part of its length.
const gauss = 0.28867513459481287 // 1/sqrt(12)

// Load adds the load on h.
//
// Half an edge has the length a and the outward normal n, and the air moves over it at v = s*u. It faces the wind with
// the length f = -a*(n.u), if that is positive. The drag on it is Drag*f*s*s along u, and the lift is Lift*f*s*s times
// the part of -n across u: the law of a flat plate. The rounding adds twice its radius to f, in the middle of the hull
// and without lift. The speed is taken at the two points of Gauss's rule, so that a paddle that turns about its middle
// is braked.
func (g *Gust) Load(h *collide.Hull) {
	for i := range h.N {
		if h.N == 1 {
			break
		}
		out := h.Nrm[i].Mul(h.Radius).Sub(g.Center)
		g.addEdge(h.V[i].Add(out), h.V[(i+1)%h.N].Add(out), h.Nrm[i])
	}
	if h.Radius > 0 {
		g.add(h.Centroid.Sub(g.Center), geom.Vec{}, 2*h.Radius)
	}
}

// LoadGround adds to g the load on the outline of the tiles of t, in box.
func (s *Scratch) LoadGround(g *Gust, t *surface.Tiles, box geom.AABB) {
	cells, ok := surface.Cells(box)
	if !ok || box.IsEmpty() {
		return
	}
	s.tiles.Query.Collect(t.Grid, cells)
	for i := range s.tiles.Runs.List {
		run := &s.tiles.Runs.List[i]
		a, b := surface.Local(run.A, g.Center), surface.Local(run.B, g.Center)
		n, _ := b.Sub(a).Right().Unit()
		g.addEdge(a, b, n)
	}
}

// addEdge adds the load on an edge with the normal n, where a and b are relative to Center.
func (g *Gust) addEdge(a, b, n geom.Vec) {
	for _, t := range [2]float64{0.5 - gauss, 0.5 + gauss} {
		g.add(a.Lerp(b, t), n, 0.5*a.Dist(b))
	}
}

// add adds the load on a part of an edge of the given length and normal, at arm from Center; with a zero normal it
// faces the wind.
func (g *Gust) add(arm, n geom.Vec, length float64) {
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
	g.Force = g.Force.Add(f)
	g.Torque += arm.Cross(f)
}
