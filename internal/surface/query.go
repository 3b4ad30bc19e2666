package surface

import (
	"math"
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/lattice"
)

// Query is the surface of a ground near one shape: the runs of the cells under it.
//
// A run is a sequence of collinear segments, taken as one face. Runs make seams vanish: a
// crate on ten tiles stands on one face with two points, the face that one unbroken segment
// would be. A run may be cut where the gathered cells end. That is always beyond the shape's
// box, so the cut has no effect.
//
// Where neither preserved layers nor one-way tiles change the surface, as among tops of blocks, the runs come from
// the grid, and only the segments under points are read. Otherwise the segments are listed, and joined here.
type Query struct {
	Runs      gridseg.Runs
	Materials []uint16 // by a tile's material number, the world's material id; nil: the number is the id
	Rect      gridseg.Rect
	grid      *gridseg.Grid
	origin    geom.Vec // of the shape; see Select
	count     int      // number of runs that the shape may touch
	onComb    bool     // the shape lies on a comb

	Listed   bool // segments holds the segments of the runs
	Segments []gridseg.Segment
	next     []int32 // index of the segment that continues this one in a straight line, -1: none
	joined   []bool  // the segment continues another one
	starts   []int32 // the first segment of each run

	rowSegments []gridseg.Segment // see segmentsInRow
	tree        cellTree          // of the segments, if listed and treed are set
	treed       bool

	Candidates []int32 // the runs that the shape may touch, if there are several
	Gathered   int     // number of runs gathered; the runs after them stand for combs

	combs combs

	Tally Tally // of all contacts
}

// Lattice is the number of lattice steps in a cell, as a float64.
const Lattice = float64(gridseg.Unit)

// Cull lists the runs that a shape with the box far may touch.
func (sq *Query) Cull(far CullBox) {
	sq.Candidates = sq.Candidates[:0]
	for i := range sq.Runs.List {
		if !far.Misses(&sq.Runs.List[i]) {
			sq.Candidates = append(sq.Candidates, int32(i))
		}
	}
}

// Collect gathers the runs of the cells of r.
func (sq *Query) Collect(g *gridseg.Grid, r gridseg.Rect) {
	sq.grid, sq.Rect, sq.Listed = g, r, g.Engine(lattice.Key{}).Preserves()
	if !sq.Listed {
		sq.Runs.Gather(g, r)
		return
	}
	if g.Engine(lattice.Key{}).GatherTops(&sq.Runs, r) {
		sq.Listed = false // occlusion needs no segments either: tops occlude no point
		return
	}
	sq.ListSurface(g, r)
	sq.Join()
}

// Distance returns a bound on the distance of the collected runs from a box, relative to origin: the shortest distance
// along an axis from the box of a run. It is at most 0 if one overlaps the box, and infinite without runs.
func (sq *Query) Distance(box geom.AABB, origin geom.Vec) float64 {
	least := math.Inf(1)
	for i := range sq.Runs.List {
		a, b := Local(sq.Runs.List[i].A, origin), Local(sq.Runs.List[i].B, origin)
		x := max(min(a.X, b.X)-box.Max.X, box.Min.X-max(a.X, b.X))
		y := max(min(a.Y, b.Y)-box.Max.Y, box.Min.Y-max(a.Y, b.Y))
		least = min(least, max(x, y))
	}
	return least
}

// ListSurface gathers the segments of the cells of r, without preserved faces.
func (sq *Query) ListSurface(g *gridseg.Grid, r gridseg.Rect) {
	if !g.Engine(lattice.Key{}).Preserves() {
		sq.Segments = g.AppendSegments(sq.Segments[:0], r)
		return
	}
	// With the ring of cells around them: a preserved face cancels with its other side.
	sq.Segments = g.AppendSegments(sq.Segments[:0], GrowRect(r))
	sq.CancelPreserved()
	sq.KeepCells(r)
}

// Join makes runs of the segments: it finds the segment that continues each one in a
// straight line.
func (sq *Query) Join() {
	n := len(sq.Segments)
	sq.next, sq.joined = sq.next[:0], sq.joined[:0]
	for range n {
		sq.next = append(sq.next, -1)
		sq.joined = append(sq.joined, false)
	}
	for i := range sq.Segments {
		s := &sq.Segments[i]
		if !s.HasGhost2 || !straight(s.A, s.B, s.Ghost2) {
			continue
		}
		if j := sq.IndexOf(s.Next); j >= 0 {
			sq.next[i] = int32(j)
			sq.joined[j] = true
		}
	}
	sq.Listed, sq.treed = true, false
	sq.starts, sq.Runs.List = sq.starts[:0], sq.Runs.List[:0]
	for i := range sq.Segments {
		if sq.joined[i] {
			continue
		}
		last := i
		for sq.next[last] >= 0 {
			last = int(sq.next[last])
		}
		a, b := &sq.Segments[i], &sq.Segments[last]
		sq.starts = append(sq.starts, int32(i))
		sq.Runs.List = append(sq.Runs.List, gridseg.Run{
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

// IndexOf returns the index of the segment id, or -1. AppendSegments sorts by row, column
// and number.
func (sq *Query) IndexOf(id gridseg.SegmentID) int {
	i := sort.Search(len(sq.Segments), func(i int) bool {
		at := sq.Segments[i].ID
		if at.Cell.Y != id.Cell.Y {
			return at.Cell.Y > id.Cell.Y
		}
		if at.Cell.X != id.Cell.X {
			return at.Cell.X > id.Cell.X
		}
		return at.N >= id.N
	})
	if i < len(sq.Segments) && sq.Segments[i].ID == id {
		return i
	}
	return -1
}

// firstInCell returns the index of the first segment of the cell (x, y), or of the next cell
// that has one. The cell may be beyond the last one, so it is wider than an int32.
func (sq *Query) firstInCell(x, y int64) int {
	return sort.Search(len(sq.Segments), func(i int) bool {
		c := sq.Segments[i].ID.Cell
		return int64(c.Y) > y || int64(c.Y) == y && int64(c.X) >= x
	})
}

// SetFace sets f to the face of a run, relative to origin (in cells, the ground's frame).
// The lattice is exact in float64, so only the difference is rounded.
func SetFace(f *collide.Face, r *gridseg.Run, origin geom.Vec) {
	f.A, f.B = Local(r.A, origin), Local(r.B, origin)
	f.Ghost1, f.Ghost2 = geom.Vec{}, geom.Vec{}
	if f.HasGhost1 = r.HasGhost1; f.HasGhost1 {
		f.Ghost1 = Local(r.Ghost1, origin)
	}
	if f.HasGhost2 = r.HasGhost2; f.HasGhost2 {
		f.Ghost2 = Local(r.Ghost2, origin)
	}
}

// Local returns the lattice point p, in cells, relative to origin.
func Local(p gridseg.Point, origin geom.Vec) geom.Vec {
	return geom.Vec{X: float64(float64(p.X)/Lattice) - origin.X, Y: float64(float64(p.Y)/Lattice) - origin.Y}
}

// KeepCells removes the segments outside the cells of r.
func (sq *Query) KeepCells(r gridseg.Rect) {
	n := 0
	for i := range sq.Segments {
		if r.Contains(sq.Segments[i].ID.Cell) {
			sq.Segments[n] = sq.Segments[i]
			n++
		}
	}
	sq.Segments = sq.Segments[:n]
}

// GrowRect returns r with the ring of cells around it.
func GrowRect(r gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: max(r.MinX, math.MinInt32+1) - 1, MinY: max(r.MinY, math.MinInt32+1) - 1,
		MaxX: min(r.MaxX, math.MaxInt32-1) + 1, MaxY: min(r.MaxY, math.MaxInt32-1) + 1,
	}
}

// UnionRect returns the smallest rectangle that holds a and b.
func UnionRect(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: min(a.MinX, b.MinX), MinY: min(a.MinY, b.MinY),
		MaxX: max(a.MaxX, b.MaxX), MaxY: max(a.MaxY, b.MaxY),
	}
}

// Stroke returns the outline of the points within radius of the line from a to b, in cells.
func Stroke(a, b geom.Vec, radius float64) ([][]gridseg.Point, error) {
	if a == b {
		return gridseg.Circle(a.X, a.Y, radius)
	}
	return gridseg.Capsule(a.X, a.Y, b.X, b.Y, radius)
}

// BoxOf returns the box of the cells of r, in cells.
func BoxOf(r gridseg.Rect) geom.AABB {
	return geom.AABB{
		Min: geom.V(float64(r.MinX), float64(r.MinY)),
		Max: geom.V(float64(r.MaxX)+1, float64(r.MaxY)+1),
	}
}

// CellAt returns the cell that contains the point p (in cells); a point on a border is in the upper
// or right cell. ok is false if p is outside the lattice or NaN.
func CellAt(p geom.Vec) (c gridseg.Cell, ok bool) {
	x, y := math.Floor(p.X), math.Floor(p.Y)
	if !(x >= math.MinInt32 && x <= math.MaxInt32 && y >= math.MinInt32 && y <= math.MaxInt32) {
		return gridseg.Cell{}, false
	}
	return gridseg.Cell{X: int32(x), Y: int32(y)}, true
}

// Cells returns the cells that the closed box b (in cells) overlaps; ok is false if b is
// wholly beyond the lattice or not finite.
func Cells(b geom.AABB) (r gridseg.Rect, ok bool) {
	lo, hi := float64(math.MinInt32), float64(math.MaxInt32)
	x0, y0, x1, y1 := math.Floor(b.Min.X), math.Floor(b.Min.Y), math.Floor(b.Max.X), math.Floor(b.Max.Y)
	if !(x0 <= hi && y0 <= hi && x1 >= lo && y1 >= lo) {
		return gridseg.Rect{}, false
	}
	if x0 >= lo && y0 >= lo && x1 <= hi && y1 <= hi { // faster than min and max of floats
		return gridseg.Rect{MinX: int32(x0), MinY: int32(y0), MaxX: int32(x1), MaxY: int32(y1)}, true
	}
	return gridseg.Rect{
		MinX: int32(max(lo, x0)), MinY: int32(max(lo, y0)),
		MaxX: int32(min(hi, x1)), MaxY: int32(min(hi, y1)),
	}, true
}

// LatticeBits is the binary logarithm of gridseg.Unit; otherwise the line below does not compile.
const (
	LatticeBits = 12
	_           = uint(gridseg.Unit-1<<LatticeBits) + uint(1<<LatticeBits-gridseg.Unit)
)
