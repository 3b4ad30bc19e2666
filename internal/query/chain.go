package query

import (
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

func placeOn(c *surface.Chain, segment int) Place {
	return Place{Segment: segment, Material: c.MaterialOf(segment)}
}

// ChainPlanes appends the contact planes of p and a chain, at most margin apart.
func (s *Scratch) ChainPlanes(dst []Hit, p *Probe, c *surface.Chain, margin float64) []Hit {
	box := p.Box.Expand(max(margin, contact.SpeculativeDistance)).Translate(p.Origin)
	s.chain.Collect(c, &p.Hull, p.At, box, p.Origin)
	return s.appendPlanes(dst, p, &s.chain, margin)
}

// CastChain returns where p first touches c from its front, at a fraction below most.
func (s *Scratch) CastChain(p *Probe, c *surface.Chain, most float64) (hit Hit, ok bool) {
	if p.Ray {
		s.planes = s.ChainRay(s.planes[:0], p, c)
		if len(s.planes) == 0 || s.planes[0].Fraction >= most {
			return Hit{}, false
		}
		return s.planes[0], true
	}
	s.planes = s.ChainPlanes(s.planes[:0], p, c, touchSlop)
	if hit, ok = deepest(s.planes, p); ok {
		return hit, true
	}
	s.near = c.AppendSwept(s.near[:0], p.Box.Expand(cellSlack).Translate(p.Origin), p.D)
	for _, k := range s.near {
		f := c.Face(int(k), p.Origin)
		if s.Judge == nil {
			if time, n, at, touches := p.castFace(&f, most); touches {
				most, ok = time, true
				hit = Hit{Fraction: time, Normal: n, Point: at, Place: placeOn(c, c.SegmentAt(int(k), at, p.Origin))}
			}
			continue
		}
		for j := range c.Count(int(k)) {
			i, g := c.SegmentFace(int(k), j, &f, p.Origin)
			if time, n, at, touches := p.castFace(&g, most); touches {
				if place := placeOn(c, i); s.admits(&place) {
					most, ok, hit = time, true, Hit{Fraction: time, Normal: n, Point: at, Place: place}
				}
			}
		}
	}
	return hit, ok
}

// ChainRay appends the hits of a ray with the front of a chain, in order.
func (s *Scratch) ChainRay(dst []Hit, p *Probe, c *surface.Chain) []Hit {
	from := len(dst)
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
	return dst[:from+len(mergeRay(dst[from:], p.D.Len()))]
}

// ChainOverlaps appends the segments that share a point with p, in ascending order of faces; with one,
// only the first.
func (s *Scratch) ChainOverlaps(dst []Hit, p *Probe, c *surface.Chain, one bool) []Hit {
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

// NearChain returns the point of c nearest to the probe's Origin, from either side, at most most away.
func (s *Scratch) NearChain(p *Probe, c *surface.Chain, most float64) (hit Hit, ok bool) {
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
