package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// arrive sets k.arrival to the pair of a and the shape in slot b, and reports whether the pre-solve function is
// asked about the pair.
func (k *advancer) arrive(a broad.Owner, b int32) bool {
	w, x := k.world, &k.arrival
	if !k.asks(w.FlagsOf(a, b)) {
		return false
	}
	s := w.Shapes.At(b)
	x.A, x.B = a, b
	k.nearest.Set(w.LastPose(w.Proxied(a).Body, true), &s.Hull, w.LastPose(s.Body, true))
	return true
}

// keepsShape reports whether the pre-solve function keeps the arrival at its side A, a shape.
func (k *advancer) keepsShape() bool {
	s := k.world.Shapes.At(k.arrival.A.Slot())
	return k.keeps(k.nearest.ToHull(&s.Hull), contact.Source{Material: s.Material})
}

// keepsSegment reports whether the pre-solve function keeps the arrival at a segment of its side A, a ground.
func (k *advancer) keepsSegment(s *gridseg.Segment) bool {
	material := k.world.Grounds.At(k.arrival.A.Slot()).Tiles.Material(s.Tile.Material)
	near := k.nearest.ToFace(surface.Local(s.A, geom.Vec{}), surface.Local(s.B, geom.Vec{}))
	return k.keeps(near, contact.Source{Cell: s.ID.Cell, Tile: s.Tile, Material: material})
}

// keepsFace reports whether the pre-solve function keeps the arrival at a face of its side A, the chain c.
func (k *advancer) keepsFace(c *surface.Chain, face int) bool {
	near := k.nearest.ToFace(c.Ends(face))
	i := c.SegmentAt(face, k.nearest.A.Inv(near.Point), geom.Vec{})
	return k.keeps(near, contact.Source{Segment: int32(i), Material: c.MaterialOf(i)})
}

// keeps reports whether the pre-solve function keeps the arrival at a point with the given source on side A.
func (k *advancer) keeps(at ccd.Near, from contact.Source) bool {
	k.arrival.Near, k.arrival.Source = at, from
	return k.game.KeepsArrival(k.number, &k.arrival)
}

// asks reports whether the pre-solve function is called for a pair with the flags f.
func (k *advancer) asks(f state.Flags) bool { return f&state.AskPreSolve != 0 && k.game != nil }
