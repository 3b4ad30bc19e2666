package quarry

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// Continuous collision, in its first form. A body that moves, in one step, by
// more than half the radius of its core (the largest disc about its centre of
// mass within one of its shapes) could get past a surface between two steps.
// So half the core is swept along the way of the centre, against the ground
// and against static shapes, and the body stops where it first meets one from
// the front; the contact is made in the next step. What slides or rolls along
// a surface keeps half a core's distance, so it is never stopped by it.
//
// What this does not see: fast bodies that meet each other, and a long body
// whose tip, by turning, passes something that its core does not.

// coreShare is the share of the core that is swept.
const coreShare = 0.5

// sweep returns the share of the displacement d that body i may make, in
// [0, 1].
func (w *World) sweep(i int32, d geom.Vec) float64 {
	b := &w.bodies.items[i]
	r := coreShare * b.core
	if d.Len2() <= r*r || r == 0 {
		return 1
	}
	best := 1.0
	for gi := range w.grounds.items {
		if w.grounds.used(int32(gi)) && w.meets(i, int32(gi)) {
			best = min(best, w.sweepGround(&w.grounds.items[gi], b.center, d, r))
		}
	}
	path := geom.Box(b.center, b.center.Add(d)).Expand(r)
	w.scratch.near = w.broad.AppendOverlaps(w.scratch.near[:0], path)
	for _, id := range w.scratch.near {
		s := &w.shapes.items[int32(w.broad.Data(id))]
		o := &w.bodies.items[s.body]
		if o.kind != Static || s.sensor || !w.bodyMeets(b, s) {
			continue
		}
		t := o.transform()
		from := t.Inv(b.center)
		step := t.Q.Inv(d)
		hit, ok := geom.CircleCast(s.geometry, from, r, step)
		if !ok {
			// Perhaps because the disc already overlaps it: then the centre
			// alone, which must not get past either.
			hit, ok = s.geometry.RayCast(from, step)
		}
		if ok {
			best = min(best, hit.Fraction)
		}
	}
	return best
}

// meets reports whether any shape of body i collides with ground gi.
func (w *World) meets(i, gi int32) bool {
	g := &w.grounds.items[gi]
	for si := w.bodies.items[i].firstShape; si >= 0; si = w.shapes.items[si].next {
		s := &w.shapes.items[si]
		if !s.sensor && g.category&s.mask != 0 && s.category&g.mask != 0 {
			return true
		}
	}
	return false
}

// bodyMeets reports whether any shape of b collides with s.
func (w *World) bodyMeets(b *body, s *shape) bool {
	for si := b.firstShape; si >= 0; si = w.shapes.items[si].next {
		if o := &w.shapes.items[si]; !o.sensor && w.mayCollide(o, s) {
			return true
		}
	}
	return false
}

// sweepGround returns the share of d that a disc may go before it meets a
// surface of g from the front.
func (w *World) sweepGround(g *ground, from, d geom.Vec, r float64) float64 {
	t := w.bodies.items[g.body].transform()
	origin, d := t.Inv(from), t.Q.Inv(d)
	cs, ok := cells(geom.Box(geom.Vec{}, d).Expand(r).Translate(origin))
	if !ok {
		return 1
	}
	ga := &w.scratch.gather
	ga.segments = g.grid.AppendSegments(ga.segments[:0], cs)
	best := 1.0
	for i := range ga.segments {
		if f := sweepSegment(&ga.segments[i], origin, d, r); f < best {
			best = f
		}
	}
	return best
}

// sweepSegment returns the share of d that a disc at origin may go before it
// meets the front of s, or 1. One that starts behind it, or is moving away,
// does not meet it.
func sweepSegment(s *gridseg.Segment, origin, d geom.Vec, r float64) float64 {
	a, b := local(s.A, origin), local(s.B, origin)
	n, _ := b.Sub(a).Right().Unit()
	if d.Dot(n) >= 0 || a.Dot(n) > 0 {
		return 1
	}
	// What is already nearer than r may still not get past: a smaller disc is
	// swept, so the centre stays in front while the contact pushes it out.
	r = min(r, 0.5*distToSegment(geom.Vec{}, a, b))
	hit, ok := geom.CircleCast(geom.Segment{A: a, B: b}, geom.Vec{}, r, d)
	if !ok {
		return 1
	}
	return hit.Fraction
}
