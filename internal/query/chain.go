package query

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/surface"
)

func placeOn(c *surface.Chain, segment int) Place {
	return Place{Segment: segment, Material: c.MaterialOf(segment)}
}

// sweep is eachFace for the faces of c: without a Judge whole faces, otherwise their segments.
func (s *Scratch) sweep(p *Probe, c *surface.Chain, do func(*collide.Face, *faceOf) float64) {
	s.near = c.AppendSwept(s.near[:0], p.Box.Expand(cellSlack).Translate(p.Origin), p.D)
	f := &s.face
	for _, k := range s.near {
		whole := c.Face(int(k), p.Origin)
		if s.of = (faceOf{face: int(k), number: -1}); s.Judge == nil {
			*f = whole
			do(f, &s.of)
			continue
		}
		for j := range c.Count(int(k)) {
			s.of.number, *f = c.SegmentFace(int(k), j, &whole, p.Origin)
			do(f, &s.of)
		}
	}
}

// appendChainRay appends the hits of a ray with the front of c, in the order of faces.
func (s *Scratch) appendChainRay(dst []Hit, p *Probe, c *surface.Chain) []Hit {
	r := surface.ChainRay{Origin: p.Origin, Dir: p.D}
	s.near = c.AppendSwept(s.near[:0], geom.AABB{Min: p.Origin, Max: p.Origin}, p.D)
	for _, k := range s.near {
		if f, ok := c.Meets(int(k), &r); ok {
			a, b := c.Ends(int(k))
			n, _ := b.Sub(a).Right().Unit()
			at := p.D.Mul(f)
			hit := Hit{Fraction: f, Normal: n, Point: at, Place: placeOn(c, c.SegmentAt(int(k), at, p.Origin))}
			if s.admits(&hit.Place) {
				dst = append(dst, hit)
			}
		}
	}
	return dst
}

// segmentOverlaps appends the segments that share a point with p, in ascending order of faces; with one,
// only the first.
func (s *Scratch) segmentOverlaps(dst []Hit, p *Probe, c *surface.Chain, one bool) []Hit {
	s.found = c.AppendOverlaps(s.found[:0], p.Box.Translate(p.Origin).Expand(surface.RunSlop),
		geom.Transform{Q: geom.Identity}, math.MaxInt)
	for _, i := range s.found {
		g := c.Segment(i)
		gap, _, _ := geom.Distance([]geom.Vec{g.A.Sub(p.Origin), g.B.Sub(p.Origin)}, p.Core.V[:p.Core.N])
		if place := placeOn(c, i); gap <= p.Core.Radius+touchSlop && s.admits(&place) {
			if dst = append(dst, Hit{Overlap: true, Place: place}); one {
				break
			}
		}
	}
	return dst
}

// nearChain returns the point of c nearest to the probe's Origin, from either side, at most most away.
func (s *Scratch) nearChain(p *Probe, c *surface.Chain, most float64) (hit Hit, ok bool) {
	near := surface.ChainNear{From: p.Origin, Distance: most, Segment: -1}
	if s.Judge != nil {
		if s.onNear == nil { // made once, so that a query allocates nothing
			s.onNear = func(i int) bool { place := placeOn(s.nearOn, i); return s.admits(&place) }
		}
		s.nearOn, near.Admits = c, s.onNear
	}
	if c.Nearest(&near); near.Segment < 0 {
		return Hit{}, false
	}
	g := c.Segment(near.Segment)
	hit = nearOf(g.A.Sub(p.Origin), g.B.Sub(p.Origin), false)
	hit.Place = placeOn(c, near.Segment)
	return hit, true
}
