package quarry

import (
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/store"
)

// surfaceQuery is the surface of a ground near one shape: the runs of the cells under it.
//
// A run is a sequence of collinear segments, taken as one face. Runs make seams vanish: a
// crate on ten tiles stands on one face with two points, the face that one unbroken segment
// would be. A run may be cut where the gathered cells end. That is always beyond the shape's
// box, so the cut has no effect.
//
// Where neither preserved layers nor one-way tiles change the surface, as among tops of
// blocks, the runs come from the grid, and only the segments under points are looked at.
// Otherwise the segments are listed, and joined here.
type surfaceQuery struct {
	face     collide.Face     // the run in work
	manifold collide.Manifold // of the shape and face

	runs gridseg.Runs
	grid *gridseg.Grid
	rect gridseg.Rect

	listed   bool // segments holds the segments of the runs
	segments []gridseg.Segment
	next     []int32 // index of the segment that continues this one in a straight line, -1: none
	joined   []bool  // the segment continues another one
	starts   []int32 // the first segment of each run

	rowSegments []gridseg.Segment // see segmentsInRow
	tree        cellTree          // of the segments, if listed and treed are set
	treed       bool

	candidates []int32 // the runs that the shape may touch, if there are several
	gathered   int     // number of runs gathered; the runs after them stand for combs

	// See findCombs.
	lines  []combLine
	lineOf contact.Table // of lines
	combs  []comb
	tops   []int32 // the candidates before one run replaced the tops of a comb

	matcher contact.Matcher // of the points in work

	tally tally // of all contacts

	// For one-way tiles; see filterOneWay.
	stance        oneWayQuery // of the contact in work
	materials     []uint16
	oneWayCells   []gridseg.Cell
	edges         []edge
	buried        []gridseg.Segment
	oneWays       []OneWay
	platforms     store.UnionFind // of segments
	states        []oneWayState
	siblings      []siblingShape
	stoodOn       []gridseg.Cell // of parts
	dirtyVertices []gridseg.Point
	dirtyTable    contact.Table // of dirtyVertices
}

// lattice is the number of lattice steps in a cell, as a float64.
const lattice = float64(gridseg.Unit)

// cull lists the runs that a shape with the box far may touch.
func (sq *surfaceQuery) cull(far cullBox) {
	sq.candidates = sq.candidates[:0]
	for i := range sq.runs.List {
		if !far.misses(&sq.runs.List[i]) {
			sq.candidates = append(sq.candidates, int32(i))
		}
	}
}

// collect gathers the runs of the cells of r.
func (sq *surfaceQuery) collect(g *gridseg.Grid, r gridseg.Rect) {
	sq.grid, sq.rect, sq.listed = g, r, g.Preserves()
	if !sq.listed {
		sq.runs.Gather(g, r)
		return
	}
	if sq.runs.GatherTops(g, r) {
		sq.listed = false // nor will segments be needed to see what hides: tops hide nothing
		return
	}
	sq.listSurface(g, r)
	sq.join()
}

// listSurface gathers the segments of the cells of r, without preserved faces.
func (sq *surfaceQuery) listSurface(g *gridseg.Grid, r gridseg.Rect) {
	if !g.Preserves() {
		sq.segments = g.AppendSegments(sq.segments[:0], r)
		return
	}
	// With the ring of cells around them: a preserved face cancels with its other side.
	sq.segments = g.AppendSegments(sq.segments[:0], growRect(r))
	sq.cancelPreserved()
	sq.keepCells(r)
}

// join makes runs of the segments: it finds the segment that continues each one in a
// straight line.
func (sq *surfaceQuery) join() {
	n := len(sq.segments)
	sq.next, sq.joined = sq.next[:0], sq.joined[:0]
	for range n {
		sq.next = append(sq.next, -1)
		sq.joined = append(sq.joined, false)
	}
	for i := range sq.segments {
		s := &sq.segments[i]
		if !s.HasGhost2 || !straight(s.A, s.B, s.Ghost2) {
			continue
		}
		if j := sq.indexOf(s.Next); j >= 0 {
			sq.next[i] = int32(j)
			sq.joined[j] = true
		}
	}
	sq.listed, sq.treed = true, false
	sq.starts, sq.runs.List = sq.starts[:0], sq.runs.List[:0]
	for i := range sq.segments {
		if sq.joined[i] {
			continue
		}
		last := i
		for sq.next[last] >= 0 {
			last = int(sq.next[last])
		}
		a, b := &sq.segments[i], &sq.segments[last]
		sq.starts = append(sq.starts, int32(i))
		sq.runs.List = append(sq.runs.List, gridseg.Run{
			A: a.A, Ghost1: a.Ghost1, HasGhost1: a.HasGhost1,
			B: b.B, Ghost2: b.Ghost2, HasGhost2: b.HasGhost2,
		})
	}
}

// straight reports whether b-c goes on in the direction of a-b.
func straight(a, b, c gridseg.Point) bool {
	ux, uy, vx, vy := b.X-a.X, b.Y-a.Y, c.X-b.X, c.Y-b.Y
	return ux*vy == uy*vx && ux*vx+uy*vy > 0
}

// indexOf returns the index of the segment id, or -1. AppendSegments sorts by row, column
// and number.
func (sq *surfaceQuery) indexOf(id gridseg.SegmentID) int {
	i := sort.Search(len(sq.segments), func(i int) bool {
		at := sq.segments[i].ID
		if at.Cell.Y != id.Cell.Y {
			return at.Cell.Y > id.Cell.Y
		}
		if at.Cell.X != id.Cell.X {
			return at.Cell.X > id.Cell.X
		}
		return at.N >= id.N
	})
	if i < len(sq.segments) && sq.segments[i].ID == id {
		return i
	}
	return -1
}

// firstInCell returns the index of the first segment of the cell (x, y), or of the next cell
// that has one.
func (sq *surfaceQuery) firstInCell(x, y int32) int {
	return sort.Search(len(sq.segments), func(i int) bool {
		c := sq.segments[i].ID.Cell
		return c.Y > y || c.Y == y && c.X >= x
	})
}

// setFace sets f to the face of a run, relative to origin (in cells, the ground's frame).
// The lattice is exact in float64, so only the difference is rounded.
func setFace(f *collide.Face, r *gridseg.Run, origin geom.Vec) {
	f.A, f.B = local(r.A, origin), local(r.B, origin)
	f.Ghost1, f.Ghost2 = geom.Vec{}, geom.Vec{}
	if f.HasGhost1 = r.HasGhost1; f.HasGhost1 {
		f.Ghost1 = local(r.Ghost1, origin)
	}
	if f.HasGhost2 = r.HasGhost2; f.HasGhost2 {
		f.Ghost2 = local(r.Ghost2, origin)
	}
}

// setSource sets the cell and tile of p to those of the segment of run k that the place at
// (relative to origin) lies beside.
func (sq *surfaceQuery) setSource(p *contact.Point, k int, at, origin geom.Vec) {
	if k >= sq.gathered {
		k = sq.topUnder(&sq.combs[k-sq.gathered], at, origin)
	}
	if !sq.listed {
		p.Source.Cell = sq.runs.Under(&p.Source.Tile, &sq.runs.List[k], at.X, at.Y, origin.X, origin.Y)
		return
	}
	i := sq.starts[k]
	for sq.next[i] >= 0 {
		s := &sq.segments[i]
		end := local(s.B, origin)
		if at.Sub(end).Dot(end.Sub(local(s.A, origin))) < 0 {
			break
		}
		i = sq.next[i]
	}
	p.Source.Cell, p.Source.Tile = sq.segments[i].ID.Cell, sq.segments[i].Tile
}

func local(p gridseg.Point, origin geom.Vec) geom.Vec {
	return geom.Vec{X: float64(float64(p.X)/lattice) - origin.X, Y: float64(float64(p.Y)/lattice) - origin.Y}
}
