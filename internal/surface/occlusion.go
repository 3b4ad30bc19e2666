package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// Occlusion: a point of a surface does not push a shape if other solid lies between it and
// the shape's centroid.

// OcclusionSlop (cells) is how far beyond a surface a place must be to be occluded by it:
// above the rounding of coordinates relative to a body's centre, and far below any visible
// distance.
const OcclusionSlop = 1e-6

// SightMargin (cells) is the half width of the strip that is searched around a line of
// sight: far above rounding.
const SightMargin = 1.0 / 256

// rowPart is the number of cells of a row in one query: so few that the grid allocates
// nothing.
const rowPart = 128

// farRows is the number of rows of cells, or parts of rows, up to which a line of sight is
// searched row by row; of more, only those with segments are searched.
const farRows = 128

// MayOcclude reports whether c is behind a surface that continues f at a concave corner, so
// that the surface may lie between f and c.
func MayOcclude(f *collide.Face, c geom.Vec) bool {
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

// Occluded implements Faces. (collide looks no farther than the face's neighbours, and a shape
// longer than a cell sees past those: over a wedge of solid, or over two tiles that meet in a
// point.)
func (sq *Query) Occluded(p *collide.Point, n, c geom.Vec) bool {
	origin := sq.origin
	foot := p.Anchor.MulAdd(-0.5*p.Separation, n)
	d := foot.Sub(c)
	// An occluding segment lies in the cells along the line of sight.
	from, to := c.Add(origin), foot.Add(origin)
	if to.Y < from.Y {
		from, to = to, from
	}
	y0, y1 := math.Floor(from.Y-SightMargin), math.Floor(to.Y+SightMargin)
	if !(y0 <= float64(sq.Rect.MaxY) && y1 >= float64(sq.Rect.MinY)) {
		return false
	}
	y0, y1 = max(y0, float64(sq.Rect.MinY)), min(y1, float64(sq.Rect.MaxY))
	if y1-y0+float64(math.Abs(to.X-from.X)/rowPart) > farRows {
		return sq.occludedFar(from, to, c, d, origin)
	}
	for y := y0; y <= y1; y++ {
		// The part of the line in this row.
		lo, hi := from.X, to.X
		if rise := to.Y - from.Y; rise > SightMargin {
			side := to.X - from.X
			lo = from.X + float64(max(0, min(1, (y-SightMargin-from.Y)/rise))*side)
			hi = from.X + float64(max(0, min(1, (y+1+SightMargin-from.Y)/rise))*side)
		}
		if hi < lo {
			lo, hi = hi, lo
		}
		lo, hi = math.Floor(lo-SightMargin), math.Floor(hi+SightMargin)
		if !(lo <= float64(sq.Rect.MaxX) && hi >= float64(sq.Rect.MinX)) {
			continue
		}
		x1 := int64(min(hi, float64(sq.Rect.MaxX)))
		for x := int64(max(lo, float64(sq.Rect.MinX))); x <= x1; x += rowPart {
			r := gridseg.Rect{MinX: int32(x), MinY: int32(y), MaxX: int32(min(x+rowPart-1, x1)), MaxY: int32(y)}
			if sq.occludesInRow(r, c, d, origin) {
				return true
			}
		}
	}
	return false
}

// occludedFar is occluded for so long a line of sight that only cells with segments are
// searched.
func (sq *Query) occludedFar(from, to, c, d, origin geom.Vec) bool {
	if sq.Listed {
		if !sq.treed {
			sq.tree.build(sq.Segments)
			sq.treed = true
		}
		l := sightLine{c: c, d: d, origin: origin}
		hidden := sq.tree.occludes(sq.Segments, 0, len(sq.tree.cells), &l)
		sq.Tally.Segments += l.looks
		return hidden
	}
	return sq.grid.Engine(lattice.Key{}).RowsAlong(from.X, from.Y, to.X, to.Y, SightMargin,
		sq.Rect, func(r gridseg.Rect) bool {
			return sq.occludesInRow(r, c, d, origin)
		})
}

// occludesInRow reports whether the front of a segment in the row of cells r lies between c
// and c+d.
func (sq *Query) occludesInRow(r gridseg.Rect, c, d, origin geom.Vec) bool {
	segments := sq.segmentsInRow(r)
	for i := range segments {
		if occludes(&segments[i], c, d, origin) {
			return true
		}
	}
	return false
}

// occludes reports whether the front of s lies between c and c+d.
func occludes(s *gridseg.Segment, c, d, origin geom.Vec) bool {
	a, b := Local(s.A, origin).Sub(c), Local(s.B, origin).Sub(c)
	if !inFrontOf(a, b, d) {
		return false
	}
	f := collide.Face{A: a, B: b, HasGhost1: s.HasGhost1, HasGhost2: s.HasGhost2}
	if s.HasGhost1 {
		f.Ghost1 = Local(s.Ghost1, origin).Sub(c)
	}
	if s.HasGhost2 {
		f.Ghost2 = Local(s.Ghost2, origin).Sub(c)
	}
	return crosses(&f, d)
}

// CrossesFront reports whether the line from the origin to d crosses the surface at f from its front.
func CrossesFront(f *collide.Face, d geom.Vec) bool {
	return inFrontOf(f.A, f.B, d) && crosses(f, d)
}

// inFrontOf reports whether the origin is in front of the line a-b, and d behind it.
func inFrontOf(a, b, d geom.Vec) bool {
	away := b.Sub(a).Right()
	return away.Dot(a) < 0 && away.Dot(d.Sub(a)) < -OcclusionSlop*math.Sqrt(away.Len2())
}

// crosses reports whether the line from the origin along d, which crosses the line of f from
// its front, crosses the surface there. At an end of f, to OcclusionSlop, it does so if the
// surface continues to the other side of the line. If the surface turns back, or ends, the
// line passes a tip: collide gives a point that is just visible right past a tip.
func crosses(f *collide.Face, d geom.Vec) bool {
	slop := OcclusionSlop * d.Len()
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

// segmentsInRow returns the segments in the row r of the gathered cells.
func (sq *Query) segmentsInRow(r gridseg.Rect) []gridseg.Segment {
	sq.Tally.Rows++
	if !sq.Listed {
		sq.rowSegments = sq.grid.AppendSegments(sq.rowSegments[:0], r)
		sq.Tally.Segments += len(sq.rowSegments)
		return sq.rowSegments
	}
	k := sq.segmentsOfCells(r.MinX, r.MaxX, r.MinY)
	return sq.Segments[k.From:k.To]
}
