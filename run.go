package quarry

import (
	"math"
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// gather is the ground near one shape, as it is being looked at: the resolved
// segments of the cells under it, joined into runs.
//
// A run is a chain of collinear segments taken as one face. That is what makes
// seams vanish: a crate on ten tiles stands on one face with two points, the
// very face that one unbroken segment would be. A run may be cut where the
// gathered cells end, always beyond the shape's box, so the cut is never felt.
type gather struct {
	segments []gridseg.Segment
	next     []int32 // index of the segment that continues this one in a straight line, -1: none
	joined   []bool  // continues another one
	old      []manifold

	// Where there are one-way tiles; see sieve.
	cells    []gridseg.Cell
	edges    []edge
	bared    []gridseg.Segment
	ways     []OneWay
	chains   []int32
	verdicts []verdict
	joints   []gridseg.Point
}

// lattice is one cell, as a float64.
const lattice = float64(gridseg.Unit)

// collect gathers the segments of the cells of r.
func (ga *gather) collect(g *gridseg.Grid, r gridseg.Rect) {
	ga.segments = g.AppendSegments(ga.segments[:0], r)
	if g.Preserves() {
		ga.forgetKept()
	}
	ga.join()
}

// join finds for each segment the one that goes on from it in a straight line.
func (ga *gather) join() {
	n := len(ga.segments)
	ga.next, ga.joined = ga.next[:0], ga.joined[:0]
	for range n {
		ga.next = append(ga.next, -1)
		ga.joined = append(ga.joined, false)
	}
	for i := range ga.segments {
		s := &ga.segments[i]
		if !s.HasGhost2 || !straight(s.A, s.B, s.Ghost2) {
			continue
		}
		if j := ga.find(s.Next); j >= 0 {
			ga.next[i] = int32(j)
			ga.joined[j] = true
		}
	}
}

// straight reports whether b-c goes on in the direction of a-b.
func straight(a, b, c gridseg.Point) bool {
	ux, uy, vx, vy := b.X-a.X, b.Y-a.Y, c.X-b.X, c.Y-b.Y
	return ux*vy == uy*vx && ux*vx+uy*vy > 0
}

// find returns the index of the segment id, or -1: AppendSegments sorts by
// row, column, number.
func (ga *gather) find(id gridseg.SegmentID) int {
	i := sort.Search(len(ga.segments), func(i int) bool {
		at := ga.segments[i].ID
		if at.Cell.Y != id.Cell.Y {
			return at.Cell.Y > id.Cell.Y
		}
		if at.Cell.X != id.Cell.X {
			return at.Cell.X > id.Cell.X
		}
		return at.N >= id.N
	})
	if i < len(ga.segments) && ga.segments[i].ID == id {
		return i
	}
	return -1
}

// face returns the run that begins at segment i as a face, seen from origin
// (in cells, the ground's frame), and its last segment. The lattice is exact
// in float64, so the one rounding is that of the difference.
func (ga *gather) face(i int32, origin geom.Vec) (f collide.Face, last int32) {
	last = i
	for ga.next[last] >= 0 {
		last = ga.next[last]
	}
	a, b := &ga.segments[i], &ga.segments[last]
	f = collide.Face{A: local(a.A, origin), B: local(b.B, origin)}
	if a.HasGhost1 {
		f.Ghost1, f.HasGhost1 = local(a.Ghost1, origin), true
	}
	if b.HasGhost2 {
		f.Ghost2, f.HasGhost2 = local(b.Ghost2, origin), true
	}
	return f, last
}

// under returns the segment of the run from i that a point (seen from origin)
// lies beside.
func (ga *gather) under(i int32, p, origin geom.Vec) *gridseg.Segment {
	for ga.next[i] >= 0 {
		s := &ga.segments[i]
		end := local(s.B, origin)
		if p.Sub(end).Dot(end.Sub(local(s.A, origin))) < 0 {
			break
		}
		i = ga.next[i]
	}
	return &ga.segments[i]
}

// mayHide reports whether the surface that goes on from a concave corner of f
// has c behind it: whether it may come between f and c.
func mayHide(f *collide.Face, c geom.Vec) bool {
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

// hidden reports whether the front of another surface is between c and the
// place on f that a point would be pushed off: then that is on the other side
// of a wedge of solid, or of two tiles that meet in a point, and to push from
// there is to push from behind. (collide looks no farther than f's neighbours,
// and what is longer than a cell looks past those.)
func (ga *gather) hidden(p *collide.Point, n geom.Vec, f *collide.Face, c, origin geom.Vec) bool {
	foot := p.Anchor.MulAdd(-n.Dot(p.Anchor.Sub(f.A)), n)
	d := foot.Sub(c)
	for i := range ga.segments {
		s := &ga.segments[i]
		a, b := local(s.A, origin).Sub(c), local(s.B, origin).Sub(c)
		away := b.Sub(a).Right()
		h0 := -away.Dot(a) // of c above the line
		h1 := away.Dot(d.Sub(a))
		if !(h0 > 0 && h1 < -hiddenSlop*math.Sqrt(away.Len2())) {
			continue
		}
		if x, y := d.Cross(a), d.Cross(b); x*y <= 0 {
			return true
		}
	}
	return false
}

// hiddenSlop (cells) is how far beyond a surface a place must be to be hidden
// by it: above the rounding of what is seen from a body's centre, and far below
// anything that is felt.
const hiddenSlop = 1e-6

func local(p gridseg.Point, origin geom.Vec) geom.Vec {
	return geom.Vec{X: float64(float64(p.X)/lattice) - origin.X, Y: float64(float64(p.Y)/lattice) - origin.Y}
}

// lineFeature names the line through a segment: its direction in lowest terms
// and its offset, exact.
func lineFeature(s *gridseg.Segment) feature {
	dx, dy := s.B.X-s.A.X, s.B.Y-s.A.Y
	d := gcd(dx, dy)
	dx, dy = dx/d, dy/d
	return feature{kind: ofLine, x: s.A.X*dy - s.A.Y*dx, y: dx<<32 | int64(uint32(dy))}
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
