package quarry

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// What of the ground is in sight of a shape's centroid: for nothing is pushed off a
// surface that has solid in between.

// occlusionSlop (cells) is how far beyond a surface a place must be to be hidden
// by it: above the rounding of what is seen from a body's centre, and far below
// anything that is felt.
const occlusionSlop = 1e-6

// sightMargin (cells) is how far beside the way to a place that may be hidden is looked:
// far above any rounding.
const sightMargin = 1.0 / 256

// rowPart is how many cells of a row are looked at at once: few enough for the grid to
// need no memory.
const rowPart = 128

// farRows is how many rows of cells, or parts of rows, are looked at one by one on the
// way to a place; of more, only those that hold segments are.
const farRows = 128

// mayOcclude reports whether the surface that goes on from a concave corner of f
// has c behind it: whether it may come between f and c.
func mayOcclude(f *collide.Face, c geom.Vec) bool {
	n := f.B.Sub(f.A).Right()
	if f.HasGhost1 {
		if g := f.Ghost1.Sub(f.A); n.Dot(g) > 0 && g.Left().Dot(c.Sub(f.A)) < 0 {
			return true
		}
	}
	if f.HasGhost2 {
		if g := f.Ghost2.Sub(f.B); n.Dot(g) > 0 && g.Right().Dot(c.Sub(f.B)) < 0 {
			return true
		}
	}
	return false
}

// occluded reports whether the front of another surface is between c and the
// place on a face that p, along n, pushes off: then that is on the other side
// of a wedge of solid, or of two tiles that meet in a point, and to push from
// there is to push from behind. (collide looks no farther than the face's
// neighbours, and what is longer than a cell looks past those.)
func (sq *surfaceQuery) occluded(p *collide.Point, n, c, origin geom.Vec) bool {
	foot := p.Anchor.MulAdd(-0.5*p.Separation, n)
	d := foot.Sub(c)
	// What is in between lies in the cells on the way.
	from, to := c.Add(origin), foot.Add(origin)
	if to.Y < from.Y {
		from, to = to, from
	}
	y0, y1 := math.Floor(from.Y-sightMargin), math.Floor(to.Y+sightMargin)
	if !(y0 <= float64(sq.rect.MaxY) && y1 >= float64(sq.rect.MinY)) {
		return false
	}
	y0, y1 = max(y0, float64(sq.rect.MinY)), min(y1, float64(sq.rect.MaxY))
	if y1-y0+float64(math.Abs(to.X-from.X)/rowPart) > farRows {
		return sq.occludedFar(from, to, c, d, origin)
	}
	for y := y0; y <= y1; y++ {
		// From where to where it is in the row.
		lo, hi := from.X, to.X
		if rise := to.Y - from.Y; rise > sightMargin {
			side := to.X - from.X
			lo = from.X + float64(max(0, min(1, (y-sightMargin-from.Y)/rise))*side)
			hi = from.X + float64(max(0, min(1, (y+1+sightMargin-from.Y)/rise))*side)
		}
		if hi < lo {
			lo, hi = hi, lo
		}
		lo, hi = math.Floor(lo-sightMargin), math.Floor(hi+sightMargin)
		if !(lo <= float64(sq.rect.MaxX) && hi >= float64(sq.rect.MinX)) {
			continue
		}
		x1 := int64(min(hi, float64(sq.rect.MaxX)))
		for x := int64(max(lo, float64(sq.rect.MinX))); x <= x1; x += rowPart {
			r := gridseg.Rect{MinX: int32(x), MinY: int32(y), MaxX: int32(min(x+rowPart-1, x1)), MaxY: int32(y)}
			if sq.occludesInRow(r, c, d, origin) {
				return true
			}
		}
	}
	return false
}

// occludedFar is hidden where the way from and to the two places is so long that only the
// cells that hold something are looked at.
func (sq *surfaceQuery) occludedFar(from, to, c, d, origin geom.Vec) bool {
	if sq.listed {
		if !sq.treed {
			sq.tree.build(sq.segments)
			sq.treed = true
		}
		l := sightLine{c: c, d: d, origin: origin}
		hidden := sq.tree.occludes(sq.segments, 0, len(sq.tree.cells), &l)
		sq.tally.segments += l.looks
		return hidden
	}
	return sq.grid.RowsAlong(from.X, from.Y, to.X, to.Y, sightMargin, sq.rect, func(r gridseg.Rect) bool {
		return sq.occludesInRow(r, c, d, origin)
	})
}

// occludesInRow reports whether the front of a segment in the row of cells r is between c and
// what is at d from there.
func (sq *surfaceQuery) occludesInRow(r gridseg.Rect, c, d, origin geom.Vec) bool {
	segments := sq.segmentsInRow(r)
	for i := range segments {
		if occludes(&segments[i], c, d, origin) {
			return true
		}
	}
	return false
}

// occludes reports whether the front of s is between c and the place at d from there.
func occludes(s *gridseg.Segment, c, d, origin geom.Vec) bool {
	a, b := local(s.A, origin).Sub(c), local(s.B, origin).Sub(c)
	if !inFrontOf(a, b, d) {
		return false
	}
	f := collide.Face{A: a, B: b, HasGhost1: s.HasGhost1, HasGhost2: s.HasGhost2}
	if s.HasGhost1 {
		f.Ghost1 = local(s.Ghost1, origin).Sub(c)
	}
	if s.HasGhost2 {
		f.Ghost2 = local(s.Ghost2, origin).Sub(c)
	}
	return crosses(&f, d)
}

// inFrontOf reports whether the origin is in front of the line a-b, and d behind it.
func inFrontOf(a, b, d geom.Vec) bool {
	away := b.Sub(a).Right()
	return away.Dot(a) < 0 && away.Dot(d.Sub(a)) < -occlusionSlop*math.Sqrt(away.Len2())
}

// crosses reports whether the line from the origin along d, which goes through the line
// of f from its front, goes through the surface there. At an end of f, as nearly as
// occlusionSlop, it does so if the surface goes on from there to the other side of it. If
// that turns back, or ends, the line goes by a tip: collide gives a point that is just
// in sight right past one.
func crosses(f *collide.Face, d geom.Vec) bool {
	slop := occlusionSlop * d.Len()
	x, y := d.Cross(f.A), d.Cross(f.B)
	switch atA, atB := math.Abs(x) <= slop, math.Abs(y) <= slop; {
	case atA && atB:
		return false // the line is along f
	case atA:
		x = 0
		if f.HasGhost1 {
			x = d.Cross(f.Ghost1)
		}
	case atB:
		y = 0
		if f.HasGhost2 {
			y = d.Cross(f.Ghost2)
		}
	}
	return min(x, y) < -slop && max(x, y) > slop
}

// segmentsInRow returns the segments in the row of cells r, which is of what was gathered.
func (sq *surfaceQuery) segmentsInRow(r gridseg.Rect) []gridseg.Segment {
	sq.tally.rows++
	if !sq.listed {
		sq.rowSegments = sq.grid.AppendSegments(sq.rowSegments[:0], r)
		sq.tally.segments += len(sq.rowSegments)
		return sq.rowSegments
	}
	k := sq.segmentsOfCells(r.MinX, r.MaxX, r.MinY)
	return sq.segments[k.from:k.to]
}
