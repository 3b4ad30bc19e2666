package query

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
)

// MostCast (units of length) bounds the coordinates of casts; it is beyond all bounds of the broad phase
// in cells of one unit. A longer motion is cut: squares of longer ones would overflow.
const MostCast = 1e15

// castMargin (units of length) grows the box of a cast: it is above the rounding of all boxes.
const castMargin = 0.1

// Source knows the targets of a world.
type Source interface {
	// Begin sets the Of and the Frame of a search to the target of the proxy id. It returns false if the search
	// leaves out the target.
	Begin(id grid.ID) bool
}

// Search compares a probe with the targets near it, in the order of a broad phase. The zero value is ready for use,
// and keeps its memory. The caller sets Grid, Kinds and Source, and the fields Solid and Ways of the Probe.
type Search struct {
	Scratch
	Grid   *grid.Grid
	Kinds  uint64 // categories of Grid
	Source Source
	Probe  Probe
	Of     Target         // current
	Frame  geom.Transform // of Of, in the world
	hits   []Hit          // of Of, in its frame

	boxes  []grid.Hit
	near   []grid.ID
	center geom.Vec // of the probe at the start, in the world
	cut    float64  // of the motion of a cast
	d      geom.Vec // that motion, cut
	hit    Hit      // in the world
}

// aim sets the probe's hull, and lists the boxes that it may touch in its motion by d, in order. If the motion is
// not finite, the list is empty.
func (s *Search) aim(at geom.Transform, h *collide.Hull, d geom.Vec) {
	s.Probe.Hull, s.Probe.Ray, s.boxes, s.d, s.cut = *h, h == &PointHull, s.boxes[:0], d, 1
	s.center = at.Apply(h.Centroid)
	longest := max(math.Abs(d.X), math.Abs(d.Y))
	if !at.P.IsFinite() || !(longest <= math.MaxFloat64) || s.Probe.Ray && longest == 0 {
		return
	}
	if longest > MostCast {
		s.cut = MostCast / longest
		s.d = geom.V(d.X*s.cut, d.Y*s.cut)
	}
	if s.Probe.Ray {
		s.boxes = s.Grid.AppendRay(s.boxes, at.P, s.d, 1, s.Kinds)
	} else {
		s.boxes = s.Grid.AppendBoxCast(s.boxes, h.Bounds(at).Expand(castMargin), s.d, 1, s.Kinds)
	}
}

// inWorld returns h, of Of, in the world, valid until the next call.
func (s *Search) inWorld(h *Hit) *Hit {
	s.hit = *h
	s.hit.Normal = s.Frame.Q.Apply(h.Normal).Add(geom.Vec{}) // without -0
	s.hit.Point = s.center.Add(s.Frame.Q.Apply(h.Point))
	return &s.hit
}

// castInWorld is inWorld for the hit of a cast: its fraction is of the whole motion.
func (s *Search) castInWorld(h *Hit) *Hit {
	s.inWorld(h)
	if s.Probe.Ray {
		s.hit.Point = s.center.MulAdd(h.Fraction, s.d)
	}
	s.hit.Fraction *= s.cut
	return &s.hit
}

// Closest yields hits of the hull h, which moves by d from the pose at, in the world. Each hit has a lower fraction
// than the one before, so the last one is the first of the motion. With anyHit it yields any one hit.
func (s *Search) Closest(at geom.Transform, h *collide.Hull, d geom.Vec, anyHit bool) func(func(*Hit) bool) {
	return func(yield func(*Hit) bool) {
		s.aim(at, h, d)
		most := float64(Beyond)
		for _, b := range s.boxes {
			if b.T > most {
				return // all later boxes begin beyond the best hit
			}
			if !s.Source.Begin(b.ID) {
				continue
			}
			s.Probe.Place(s.Frame, at, s.d)
			if hit, found := s.Cast(&s.Probe, &s.Of, most); found && hit.Fraction < most {
				if most = hit.Fraction; !yield(s.castInWorld(&hit)) || anyHit {
					return
				}
			}
		}
	}
}

// All yields all hits of the hull h, which moves by d from the pose at, in the world, in the order of the boxes.
func (s *Search) All(at geom.Transform, h *collide.Hull, d geom.Vec) func(func(*Hit) bool) {
	return func(yield func(*Hit) bool) {
		s.aim(at, h, d)
		for _, b := range s.boxes {
			if !s.Source.Begin(b.ID) {
				continue
			}
			s.Probe.Place(s.Frame, at, s.d)
			s.hits = s.Hits(s.hits[:0], &s.Probe, &s.Of)
			for k := range s.hits {
				if !yield(s.castInWorld(&s.hits[k])) {
					return
				}
			}
		}
	}
}

// Within yields the proxies whose boxes are within margin of the hull h in its frame at, with the probe placed in the
// frame of each.
func (s *Search) Within(at geom.Transform, h *collide.Hull, margin float64) func(func(grid.ID) bool) {
	return func(yield func(grid.ID) bool) {
		if !at.P.IsFinite() {
			return
		}
		s.Probe.Hull, s.center = *h, at.Apply(h.Centroid)
		s.near = s.Grid.AppendOverlaps(s.near[:0], h.Bounds(at).Expand(margin), s.Kinds)
		for _, id := range s.near {
			if !s.Source.Begin(id) {
				continue
			}
			if s.Probe.Place(s.Frame, at, geom.Vec{}); !yield(id) {
				return
			}
		}
	}
}

// Overlapping yields the places that share a point with the hull h in its frame at; with one, at most one of each
// target.
func (s *Search) Overlapping(at geom.Transform, h *collide.Hull, one bool) func(func(*Place) bool) {
	s.Probe.Hull = *h // the function must not hold h, or it would move to the heap
	return func(yield func(*Place) bool) {
		for range s.Within(at, &s.Probe.Hull, 0) {
			s.hits = s.Overlaps(s.hits[:0], &s.Probe, &s.Of, one)
			for k := range s.hits {
				if !yield(&s.hits[k].Place) {
					return
				}
			}
		}
	}
}

// AllPlanes yields the contact planes of the hull h in its frame at with targets at most margin apart, in the
// world.
func (s *Search) AllPlanes(at geom.Transform, h *collide.Hull, margin float64) func(func(*Hit) bool) {
	s.Probe.Hull = *h // as in Overlapping
	return func(yield func(*Hit) bool) {
		for range s.Within(at, &s.Probe.Hull, margin) {
			s.hits = s.Planes(s.hits[:0], &s.Probe, &s.Of, margin)
			for k := range s.hits {
				if !yield(s.inWorld(&s.hits[k])) {
					return
				}
			}
		}
	}
}

// Nearest yields points of surfaces at most most away from p, in the world, each nearer than the one before, so the
// last one is the nearest. It searches squares around p, each twice as large as the one before.
func (s *Search) Nearest(p geom.Vec, most float64) func(func(*Hit) bool) {
	return func(yield func(*Hit) bool) {
		_, r, some := s.Grid.Nearest(p, most, s.Kinds)
		if !some {
			return
		}
		const soon = 6 // rounds before a look at the bounds of all boxes pays
		all, best, found := geom.AABB{Min: geom.V(math.Inf(-1), math.Inf(-1)), Max: geom.V(math.Inf(1), math.Inf(1))},
			0.0, false
		for round := 1; ; round++ {
			r = 2 * max(r, 0.5)
			reach := min(r, most)
			for range s.Within(geom.At(p), &PointHull, reach*(1+1e-12)) {
				if hit, ok := s.Near(&s.Probe, &s.Of, reach); ok && (!found || math.Abs(hit.Separation) < best) {
					if found, best = true, math.Abs(hit.Separation); !yield(s.inWorld(&hit)) {
						return
					}
				}
			}
			if round == soon {
				all, _ = s.Grid.Bounds()
			}
			if found || reach >= most || geom.Box(p, p).Expand(r).Contains(all) {
				return
			}
		}
	}
}
