package step

import (
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/ccd"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/query"
	"github.com/quarry2d/quarry/internal/surface"
)

// sensed is a sensor, or the shape, ground or chain that it may sense.
type sensed struct {
	query.Target
	Frame       geom.Transform // of its body at the end of the step
	Center      geom.Vec       // the body's centre of mass there, in the world
	LocalCenter geom.Vec       // the same in Frame
	Extent      float64        // of the body
	Number      int32          // of the body, for ccd.Fast
}

// sweptBox returns a box around the path of s in the motion m of its body.
func (s *sensed) sweptBox(m *ccd.Motion) geom.AABB {
	if s.Hull != nil {
		return m.SweptBox(s.Hull, s.Extent)
	}
	return m.BoundsOf(s.Box, m.To, s.LocalCenter)
}

// path is a box around the path of a proxy: a shape, ground or chain of a fast body.
type path struct {
	of  broad.ID
	box geom.AABB
}

// appendPairs appends the pairs of a sensor and a shape, ground or chain of which one may have passed the other,
// in ascending order.
func (s *Sense) appendPairs(dst []broad.Key, in *broad.Phase) []broad.Key {
	from := len(dst)
	for i := range s.paths {
		p := &s.paths[i]
		e := in.At(p.of)
		if dst = in.AppendSensed(dst, e, p.box); !e.Sensor {
			continue
		}
		for j := range s.paths { // at the end of the step the box of such a shape may no longer overlap the path
			if o := in.At(s.paths[j].of); broad.MayCollide(o, e) && s.paths[j].box.Overlaps(p.box) {
				dst = append(dst, broad.KeyOf(o.Owner, e.Owner.Slot()))
			}
		}
	}
	slices.Sort(dst[from:])
	return dst[:from+len(slices.Compact(dst[from:]))]
}

// overlap reports whether A and B overlap at the end of the step, and the first tile or chain segment of A that
// does.
func (s *Sense) overlap() (at contact.Source, overlaps bool) {
	if s.A.Hull != nil {
		return at, ccd.Overlap(s.A.Hull, s.B.Hull, s.A.Frame, s.B.Frame)
	}
	s.probe.Hull = *s.B.Hull
	s.probe.Place(s.A.Frame, s.B.Frame, geom.Vec{})
	s.hits = s.scratch.Overlaps(s.hits[:0], &s.probe, &s.A.Target, true)
	if overlaps = len(s.hits) > 0; overlaps {
		at = s.hits[0].Source()
	}
	return at, overlaps
}

// crosses reports whether A and B overlap within the step. It compares B with the convex pieces of a ground's
// tiles near the path of B, and with the faces of a chain there.
func (s *Sense) crosses() bool {
	a, b := &s.A, &s.B
	ma, mb := s.motionOf(a), s.motionOf(b)
	if a.Hull != nil {
		return ccd.Crosses(a.Hull, b.Hull, &ma, &mb, a.LocalCenter, b.LocalCenter)
	}
	near := mb.PathIn(&ma, b.Hull, b.Extent)
	if s.pieces.Reset(); a.Chain != nil {
		s.pieces.AddFaces(a.Chain, near)
	} else if cells, ok := surface.Cells(near); ok {
		s.pieces.Add(a.Tiles, cells, 0)
	}
	return s.pieces.Passes(&ma, a.LocalCenter, b.Hull, &mb, b.LocalCenter)
}

// motionOf returns the motion of the body of a side, if the body is fast. Other bodies count as at rest, at their
// pose at the end of the step.
func (s *Sense) motionOf(side *sensed) ccd.Motion {
	if m := s.Of(side.Number); m != nil {
		return *m
	}
	return ccd.Motion{From: side.Frame, To: side.Frame, Center: side.Center}
}
