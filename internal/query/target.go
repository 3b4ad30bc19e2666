package query

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

// Target is a shape, a ground or a chain: the one whose fields are set.
type Target struct {
	Shape geom.Shape
	Hull  *collide.Hull // of Shape

	Tiles *surface.Tiles
	Chain *surface.Chain
	Box   geom.AABB // of Tiles or Chain
}

// Cast returns where p first touches t, at a fraction below most.
func (s *Scratch) Cast(p *Probe, t *Target, most float64) (Hit, bool) {
	switch {
	case t.isSurface():
		return s.castSurface(p, t, most)
	case !p.Ray:
		return castShape(p, t.Hull)
	case p.Solid && t.Shape.Contains(p.Origin):
		n, _ := p.D.Neg().Unit()
		return Hit{Normal: n, Overlap: true}, true
	}
	hit, ok := t.Shape.RayCast(p.Origin, p.D)
	return Hit{Fraction: hit.Fraction, Normal: hit.Normal}, ok
}

// Beyond is the smallest fraction beyond the end of a cast.
const Beyond = 1 + 0x1p-52

// Hits appends the hits of p with t: of a ray with a ground or chain all, in order; otherwise the first.
func (s *Scratch) Hits(dst []Hit, p *Probe, t *Target) []Hit {
	if p.Ray && t.isSurface() {
		return s.rayHits(dst, p, t)
	}
	hit, ok := s.Cast(p, t, Beyond)
	return appendIf(dst, &hit, ok)
}

func appendIf(dst []Hit, hit *Hit, ok bool) []Hit {
	if ok {
		dst = append(dst, *hit)
	}
	return dst
}

// Overlaps appends the places of t that share a point with p: of a shape one without a tile or segment. With one, it
// appends at most one.
func (s *Scratch) Overlaps(dst []Hit, p *Probe, t *Target, one bool) []Hit {
	if t.isSurface() {
		return s.surfaceOverlaps(dst, p, t, one)
	}
	return appendIf(dst, &Hit{}, overlapsShape(p, t.Hull))
}

// Planes appends the contact planes of p and t, at most margin apart.
func (s *Scratch) Planes(dst []Hit, p *Probe, t *Target, margin float64) []Hit {
	if t.isSurface() {
		return s.surfacePlanes(dst, p, t, margin)
	}
	plane, ok := shapePlane(p, t.Hull, margin)
	return appendIf(dst, &plane, ok)
}

// Near returns the point of the surface of t nearest to the probe's Origin, at most most away; for a Solid probe a
// point inside is itself the nearest, with a distance of negative zero.
func (s *Scratch) Near(p *Probe, t *Target, most float64) (hit Hit, ok bool) {
	if t.isSurface() {
		hit, ok = s.nearSurface(p, t, most)
	} else {
		hit, ok = nearHull(t.Hull, p.Origin), true
	}
	if ok && p.Solid && math.Signbit(hit.Separation) { // negative zero is inside
		hit.Separation, hit.Point = math.Copysign(0, -1), geom.Vec{}
	}
	return hit, ok && math.Abs(hit.Separation) <= most
}
