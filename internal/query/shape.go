package query

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
)

// Hit is the place at which a probe touches a target.
type Hit struct {
	Fraction float64  // of the probe's motion
	Point    geom.Vec // of the target, relative to the probe's Origin, in the target's axes
	Normal   geom.Vec // unit, out of the target, in its axes
	// Separation is the distance of the surfaces along the normal: of a plane, or of the nearest point;
	// negative if they overlap, or the point is inside.
	Separation float64
	Overlap    bool // the two touched or overlapped at the start
	Place
}

// Place is a part of a ground or chain.
type Place struct {
	Cell     gridseg.Cell
	Tile     gridseg.Tile
	Segment  int    // of a chain
	Material uint16 // id in the world's table
}

// Source returns p as the source of a contact.
func (p *Place) Source() contact.Source {
	return contact.Source{Cell: p.Cell, Tile: p.Tile, Segment: int32(p.Segment), Material: p.Material}
}

// castShape returns where p first touches the hull h. A probe that touches h at the start is stopped if
// it moves deeper.
func castShape(p *Probe, h *collide.Hull) (hit Hit, ok bool) {
	a, at := coreOf(h), geom.At(p.Origin)
	if gap, _, _ := geom.Gap(&a, &p.Core, at); gap > touchSlop {
		r, ok := geom.ShapeCast(&a, &p.Core, at, p.D)
		return Hit{Fraction: r.Fraction, Point: r.Point.Sub(p.Origin), Normal: r.Normal}, ok
	}
	if hit, ok = shapePlane(p, h, 2*touchSlop); ok {
		hit.Overlap = true
		return hit, p.blocks(hit.Normal)
	}
	// Two sharp corners touch, so there is no normal. A cast from a little farther back has one.
	u, l := p.D.Unit()
	if l == 0 {
		return Hit{Overlap: true, Normal: geom.V(0, 1)}, p.Solid
	}
	const back = 1e-6
	r, ok := geom.ShapeCast(&a, &p.Core, geom.At(p.Origin.MulAdd(-back, u)), p.D.MulAdd(back, u))
	if !ok && p.Solid {
		return Hit{Overlap: true, Normal: u.Neg()}, true
	}
	return Hit{
		Fraction: max(0, float64(r.Fraction*(l+back))-back) / l, Point: r.Point.Sub(p.Origin), Normal: r.Normal,
		Overlap: true,
	}, ok
}

// shapePlane returns the contact plane of p and h, of the deepest point, if they are at most margin apart.
func shapePlane(p *Probe, h *collide.Hull, margin float64) (plane Hit, ok bool) {
	var m collide.Manifold
	collide.Hulls(&m, h, &p.Hull, geom.Transform{P: p.Origin.Add(p.At.P), Q: p.At.Q}, margin)
	if m.N == 0 {
		return Hit{}, false
	}
	plane, _ = planeOf(&m)
	plane.Point = plane.Point.Sub(p.Origin)
	return plane, plane.Separation <= margin
}

// planeOf returns the plane of a manifold, and its deepest point. Where the surfaces lie flat on each other, the
// plane's point is in the middle of the two of the manifold: which of them is the deeper is then a matter of rounding,
// and a push at one end tips a crate.
func planeOf(m *collide.Manifold) (Hit, *collide.Point) {
	q, other := &m.Points[0], &m.Points[1]
	if m.N > 1 && other.Separation < q.Separation {
		q, other = other, q
	}
	at := q.Anchor.MulAdd(-0.5*q.Separation, m.Normal)
	if m.N > 1 {
		if flat := 1 - (other.Separation-q.Separation)/flatSlop; flat > 0 {
			at = at.MulAdd(0.5*flat, other.Anchor.MulAdd(-0.5*other.Separation, m.Normal).Sub(at))
		}
	}
	return Hit{Normal: m.Normal, Separation: q.Separation, Point: at}, q
}

// flatSlop is the difference of the separations of two points, in units of length, from which only the deeper point
// counts: too small to be seen, and far above rounding.
const flatSlop = 0.005

// overlapsShape reports whether p and h share a point.
func overlapsShape(p *Probe, h *collide.Hull) bool {
	a := coreOf(h)
	gap, _, _ := geom.Gap(&a, &p.Core, geom.At(p.Origin))
	return gap <= touchSlop
}

// nearHull returns the point of the outline of h nearest to q, relative to q.
func nearHull(h *collide.Hull, q geom.Vec) Hit {
	at, n, separation := h.Nearest(q)
	return Hit{Normal: n, Separation: separation, Point: at.Sub(q)}
}
