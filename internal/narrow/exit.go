package narrow

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// exitScratch is the working memory. The zero value is ready for use.
type exitScratch struct {
	surface.Filter
}

// exitShape is a shape in a ground.
type exitShape struct {
	Tiles       *surface.Tiles
	Hull        *collide.Hull
	InnerRadius float64        // radius of the largest disc about the hull's centroid in the shape
	At          geom.Transform // of the body in the ground, relative to Origin
	Origin      geom.Vec       // the body's centre of mass in the ground, in cells
	Searched    *Searched      // of this shape in this ground, from step to step
}

// Middle returns the shape's centroid, in cells.
func (p *exitShape) Middle() geom.Vec { return p.At.Apply(p.Hull.Centroid).Add(p.Origin) }

// extent returns the largest distance of a point of the shape from its centroid.
func (p *exitShape) extent() (far float64) {
	for i := range p.Hull.N {
		far = max(far, p.Hull.V[i].Dist(p.Hull.Centroid))
	}
	return far + p.Hull.Radius
}

// Exit is a way out for a shape: along Normal, until all of the shape is past the point that is Far
// from its centroid along Normal. The zero Exit is none.
type Exit struct {
	Normal     geom.Vec     // unit, in the ground's axes
	Far        float64      // in cells
	Separation float64      // of the contact point that pushes the shape
	Kind       contact.Kind // Inside or Escape; 0 if there is no exit
	Source     contact.Source
	Thin       bool // the shape is thinner than the slop and lies on the surface: it may slide on it
}

// exit returns the exit along n.
func (p *exitShape) exit(n geom.Vec, far float64, kind contact.Kind, from contact.Source) Exit {
	middle := p.At.Apply(p.Hull.Centroid)
	back := 0.0 // how far the shape reaches from its centroid along -n
	for k := range p.Hull.N {
		back = max(back, middle.Sub(p.At.Apply(p.Hull.V[k])).Dot(n))
	}
	return Exit{
		Normal: n, Far: far, Separation: -(far + back + p.Hull.Radius), Kind: kind, Source: from,
		Thin: p.InnerRadius <= geom.LinearSlop && far <= geom.LinearSlop,
	}
}

// SearchDepth is the distance, in cells, within which the nearest surface is searched for around a shape in solid
// ground. If there is no surface, the shape is crushed: reported, and held in place.
const SearchDepth = 16

// OutOfSolid returns the exit of a shape whose centroid is in solid ground: through the nearest surface, without
// turning the shape, or, if that leads to a place too narrow for the shape or the shape is escaping already, to a
// free spot. inside is false if the centroid is in front of the surface after all: the grid counts a point within one
// lattice step above a surface as solid, and to push such a shape towards the surface would push it in, and in the next
// step back, for ever. If there is no exit, the Kind is 0, and the shape is held.
//
// Whether a point is inside a chain depends on the whole chain; whether it is inside a ground, on the tile of one cell.
func (s *exitScratch) OutOfSolid(p *exitShape, escaping bool) (out Exit, inside bool) {
	middle := p.At.Apply(p.Hull.Centroid)
	best, nearest, before := -1, math.MaxFloat64, false
	for reach := 1.0; reach <= SearchDepth; reach *= 2 {
		r, ok := surface.Cells(geom.AABB{Min: middle, Max: middle}.Expand(reach).Translate(p.Origin))
		if !ok {
			break
		}
		s.ListSolid(p.Tiles, r)
		best, nearest = -1, math.MaxFloat64
		for i := range s.Segments {
			seg := &s.Segments[i]
			from, to := surface.Local(seg.A, p.Origin), surface.Local(seg.B, p.Origin)
			d := distToSegment(middle, from, to)
			if d > nearest {
				continue
			}
			front := to.Sub(from).Right().Dot(middle.Sub(from)) > 0
			if d < nearest {
				best, nearest, before = i, d, front
			} else {
				before = before || front // nearest to a corner: in front of either segment is outside
			}
		}
		if nearest <= reach {
			break // no surface beyond the gathered cells is nearer
		}
	}
	if best < 0 {
		return Exit{}, true
	}
	if before && nearest < 2/surface.Lattice {
		return Exit{}, false
	}
	seg := &s.Segments[best]
	from, to := surface.Local(seg.A, p.Origin), surface.Local(seg.B, p.Origin)
	e := to.Sub(from)
	at := from.MulAdd(max(0, min(1, middle.Sub(from).Dot(e)/e.Len2())), e)
	n, depth := at.Sub(middle).Unit()
	if depth < 1/surface.Lattice {
		n, _ = e.Right().Unit() // the centroid is on the surface, to rounding
	}
	source := contact.Source{Cell: seg.ID.Cell, Tile: seg.Tile, Material: p.Tiles.Material(seg.Tile.Material)}
	kind, here := contact.Inside, middle.Add(p.Origin)
	// A point on the surface counts as solid, so a shape without thickness is tried a little beyond.
	past := depth + max(p.InnerRadius, 2/surface.Lattice)
	if escaping || !s.fits(p.Tiles, here.MulAdd(past, n), p.InnerRadius) {
		if q, _, ok := s.freeSpotAround(p.Tiles, p.Searched, p.InnerRadius, p.extent(), here); ok {
			n, depth = q.Sub(here).Unit()
			kind = contact.Escape
		}
	}
	return p.exit(n, depth, kind, source), true
}

// OutOfPinch returns the exit of a pinched shape: to a free spot, through the ground if need be.
// rests is true if the shape has arrived there: there is no better place. The exit has the Kind 0
// if there is none. from is the source of the exit.
func (s *exitScratch) OutOfPinch(p *exitShape, from contact.Source) (out Exit, rests bool) {
	middle := p.Middle()
	q, beside, ok := s.freeSpotAround(p.Tiles, p.Searched, p.InnerRadius, p.extent(), middle)
	if !ok {
		return Exit{}, false
	}
	n, far := q.Sub(middle).Unit()
	if far <= beside {
		return Exit{}, true
	}
	if far <= geom.LinearSlop {
		return Exit{}, false
	}
	out = p.exit(n, far, contact.Escape, from)
	if beside > 0 {
		// There is room for the whole shape: it is pushed exactly to the spot, or it would
		// overshoot, and come back, for ever.
		out.Separation = -(far + geom.LinearSlop)
	}
	return out, false
}

// HasRoom reports whether there is a free spot for all of the shape near its centroid.
func (s *exitScratch) HasRoom(p *exitShape) bool {
	m, middle, extent := p.Searched, p.Middle(), p.extent()
	m.begin(p.Tiles.Edition(), cellOfPlaces(middle), p.InnerRadius, extent)
	_, ok := s.freeSpot(p.Tiles, middle, extent, 0, &m.empty[1])
	return ok
}
