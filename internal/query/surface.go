package query

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/lattice"
)

// A ground and a chain are both one-sided surfaces, so the casts, rays and planes of this file are the same for both.
// ground.go and chain.go find their faces near a probe, along a motion and along a ray.

// faceOf names a face relative to a probe: a segment of a ground, or a face of a chain, or one of its segments.
type faceOf struct {
	segment *gridseg.Segment // nil: of a chain
	face    int              // of the chain
	number  int              // of the segment in the chain, -1: the whole face
}

// placeAt returns the place of a point of a face of t.
func (t *Target) placeAt(of *faceOf, p *Probe, at geom.Vec) Place {
	if of.segment != nil {
		return placeOf(t.Tiles, of.segment.ID.Cell, of.segment.Tile)
	}
	if of.number >= 0 {
		return placeOn(t.Chain, of.number)
	}
	return placeOn(t.Chain, t.Chain.SegmentAt(of.face, at, p.Origin))
}

// isSurface reports whether t is a ground or a chain.
func (t *Target) isSurface() bool { return t.Tiles != nil || t.Chain != nil }

// solid reports whether the probe's Origin is in solid. A chain has no inside.
func (s *Scratch) solid(p *Probe, t *Target) bool { return t.Tiles != nil && s.inTiles(p, t.Tiles) }

// eachFace calls do for the faces of t, relative to p.Origin, that p may meet in its motion. do returns the fraction
// at which the motion ends.
func (s *Scratch) eachFace(p *Probe, t *Target, do func(*collide.Face, *faceOf) float64) {
	if t.Chain != nil {
		s.sweep(p, t.Chain, do)
	} else {
		s.march(p, t.Tiles, t.Box, do)
	}
}

// castSurface returns where p first touches a surface from its front, at a fraction below most.
func (s *Scratch) castSurface(p *Probe, t *Target, most float64) (hit Hit, ok bool) {
	if p.Ray {
		return s.firstOfRay(p, t, most)
	}
	s.planes = s.surfacePlanes(s.planes[:0], p, t, touchSlop)
	if hit, ok = deepest(s.planes, p); ok {
		return hit, true
	}
	s.eachFace(p, t, func(f *collide.Face, of *faceOf) float64 {
		if time, n, at, touches := p.castFace(f, most); touches {
			if place := t.placeAt(of, p, at); s.admits(&place) {
				most, ok, hit = time, true, Hit{Fraction: time, Normal: n, Point: at, Place: place}
			}
		}
		return most
	})
	return hit, ok
}

// surfacePlanes appends the contact planes of p and a surface, at most margin apart: one for each straight
// part. If the probe's centroid is in solid, there is one plane, of the nearest part.
func (s *Scratch) surfacePlanes(dst []Hit, p *Probe, t *Target, margin float64) []Hit {
	if s.solid(p, t) {
		if exit, ok := s.exit(p, t.Tiles); ok && s.admits(&exit.Place) {
			dst = append(dst, exit)
		}
		return dst
	}
	box := p.Box.Expand(max(margin, contact.SpeculativeDistance)).Translate(p.Origin)
	if t.Chain != nil {
		s.chain.Collect(t.Chain, &p.Hull, p.At, box, p.Origin)
		return s.appendPlanes(dst, p, &s.chain, margin)
	}
	if !s.collectTiles(p, t.Tiles, box) {
		return dst
	}
	from := len(dst)
	if dst = s.appendPlanes(dst, p, &s.tiles, margin); len(dst) == from {
		if plane, ok := s.pinchedPlane(p, t.Tiles); ok {
			dst = append(dst, plane)
		}
	}
	return dst
}

// start returns the hit of a Solid ray that starts in solid.
func (s *Scratch) start(p *Probe, t *Target) (hit Hit, ok bool) {
	if !p.Solid || !s.solid(p, t) {
		return Hit{}, false
	}
	n, _ := p.D.Neg().Unit()
	hit = Hit{Normal: n, Overlap: true, Place: p.cellOf(t.Tiles)}
	return hit, s.admits(&hit.Place)
}

// firstOfRay returns the first hit of a ray with a surface, at a fraction below most.
func (s *Scratch) firstOfRay(p *Probe, t *Target, most float64) (hit Hit, ok bool) {
	if hit, ok = s.start(p, t); ok {
		return hit, true
	}
	if t.Tiles != nil && p.plain(t.Tiles) && s.Judge == nil { // the first alone takes less
		r, ok := t.Tiles.Grid.RayCast(p.Origin.X, p.Origin.Y, p.D.X, p.D.Y)
		if !ok || r.Fraction >= most {
			return Hit{}, false
		}
		return hitOfRay(p, t.Tiles, &r), true
	}
	s.planes = s.appendRay(s.planes[:0], p, t)
	if len(s.planes) == 0 || s.planes[0].Fraction >= most {
		return Hit{}, false
	}
	return s.planes[0], true
}

// rayHits appends the hits of a ray with a surface, in order: each place where it meets the front, and its start
// if that is in solid and p is Solid.
func (s *Scratch) rayHits(dst []Hit, p *Probe, t *Target) []Hit {
	hit, ok := s.start(p, t)
	return s.appendRay(appendIf(dst, &hit, ok), p, t)
}

// appendRay appends the hits of a ray with the front of a surface, in order.
func (s *Scratch) appendRay(dst []Hit, p *Probe, t *Target) []Hit {
	from := len(dst)
	switch {
	case t.Chain != nil:
		dst = s.appendChainRay(dst, p, t.Chain)
	case p.plain(t.Tiles):
		s.rays = t.Tiles.Grid.Engine(lattice.Key{}).AppendRayHits(s.rays[:0], p.Origin.X, p.Origin.Y, p.D.X, p.D.Y)
		for i := range s.rays {
			if h := hitOfRay(p, t.Tiles, &s.rays[i]); s.admits(&h.Place) {
				dst = append(dst, h)
			}
		}
	default:
		s.eachFace(p, t, func(f *collide.Face, of *faceOf) float64 {
			if time, n, at, ok := p.castFace(f, Beyond); ok {
				if place := t.placeAt(of, p, at); s.admits(&place) {
					dst = append(dst, Hit{Fraction: time, Normal: n, Point: at, Place: place})
				}
			}
			return Beyond
		})
	}
	return dst[:from+len(mergeRay(dst[from:], p.D.Len()))]
}

// nearSurface returns the point of a surface nearest to the probe's Origin, at most most away.
func (s *Scratch) nearSurface(p *Probe, t *Target, most float64) (Hit, bool) {
	if t.Chain != nil {
		return s.nearChain(p, t.Chain, most)
	}
	return s.nearTiles(p, t.Tiles, t.Box, most)
}

// surfaceOverlaps appends the tiles or chain segments of a surface that share a point with p; with one, only the first.
func (s *Scratch) surfaceOverlaps(dst []Hit, p *Probe, t *Target, one bool) []Hit {
	if t.Chain != nil {
		return s.segmentOverlaps(dst, p, t.Chain, one)
	}
	return s.tileOverlaps(dst, p, t.Tiles, t.Box, one)
}

// nearOf returns the point of the segment a-b nearest to 0; inside says on which side 0 is of the
// surface.
func nearOf(a, b geom.Vec, inside bool) Hit {
	d, q, _ := geom.Distance([]geom.Vec{a, b}, []geom.Vec{{}})
	n, _ := b.Sub(a).Right().Unit()
	if inside {
		d = -d
	}
	return Hit{Normal: n, Separation: d, Point: q}
}
