package advance

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// arrive sets the arrival to the pair of a and the shape b, and reports whether the pre-solve function is asked about it.
func (k *worker) arrive(a broad.Owner, b int32) bool {
	w, x := k.world, &k.arrival
	if !w.AsksPreSolve(w.FlagsOf(a, b)) {
		return false
	}
	s := w.Shapes.At(b)
	x.A, x.B = a, b
	k.approach.Set(w.LastPose(w.Proxied(a).Body, true), &s.Hull, w.LastPose(s.Body, true))
	return true
}

// keepsShape asks about the shape of the arrival's A.
func (k *worker) keepsShape() bool {
	s := k.world.Shapes.At(k.arrival.A.Slot())
	return k.keeps(k.approach.OfHull(&s.Hull), contact.Source{Material: s.Material})
}

// keepsSegment asks about a segment of the ground of the arrival.
func (k *worker) keepsSegment(s *gridseg.Segment) bool {
	material := k.world.Grounds.At(k.arrival.A.Slot()).Tiles.Material(s.Tile.Material)
	near := k.approach.OfFace(surface.Local(s.A, geom.Vec{}), surface.Local(s.B, geom.Vec{}))
	return k.keeps(near, contact.Source{Cell: s.ID.Cell, Tile: s.Tile, Material: material})
}

// keepsFace asks about a face of the chain of the arrival.
func (k *worker) keepsFace(c *surface.Chain, face int) bool {
	near := k.approach.OfFace(c.Ends(face))
	i := c.SegmentAt(face, k.approach.A.Inv(near.Point), geom.Vec{})
	return k.keeps(near, contact.Source{Segment: int32(i), Material: c.MaterialOf(i)})
}

// keeps asks the pre-solve function about the arrival at a point of side A.
func (k *worker) keeps(at ccd.Near, from contact.Source) bool {
	k.arrival.Near, k.arrival.Source = at, from
	return k.world.Game.KeepsArrival(k.number, &k.arrival)
}
