package quarry

import (
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// gather is the ground near one shape, as it is being looked at: the surface of
// the cells under it, in runs.
//
// A run is a chain of collinear segments taken as one face. That is what makes
// seams vanish: a crate on ten tiles stands on one face with two points, the
// very face that one unbroken segment would be. A run may be cut where the
// gathered cells end, always beyond the shape's box, so the cut is never felt.
//
// Where neither preserved layers nor one-way tiles change what stops a body, as among
// nothing but tops of blocks, the runs come from the grid as they are, and of their
// segments only those that points lie on are looked at. Else the segments are listed,
// and joined here.
type gather struct {
	face collide.Face     // in work
	met  collide.Manifold // with it

	runs gridseg.Runs
	grid *gridseg.Grid
	rect gridseg.Rect

	listed   bool // the segments are those of the runs
	segments []gridseg.Segment
	next     []int32 // index of the segment that continues this one in a straight line, -1: none
	joined   []bool  // continues another one
	starts   []int32 // the first segments of the runs

	near  []gridseg.Segment // see row
	tree  cellTree          // of the segments, if they are listed and treed is set
	treed bool

	about []int32 // the runs that the shape may touch, if there are several
	bases int     // how many runs were gathered: those behind them stand for combs

	// See findCombs.
	lines     []combLine
	lineOf    notes // of lines
	combs     []comb
	tops      []int32 // about, before the tops of a comb were replaced by one run
	strangers int     // points since share was last asked that the step before had none for

	old   []manifold // of the step before
	found int        // which of them a point was found in last

	tally tally // of all contacts

	notes notes // of the points found in this contact; see has
	olds  notes // of the points in old
	nears notes // of the points in old, by place
	rolls bool  // a manifold in old has a rolling impulse

	// Where there are one-way tiles; see sieve.
	stance    stance // of the contact in work
	materials []uint16
	cells     []gridseg.Cell
	edges     []edge
	bared     []gridseg.Segment
	ways      []OneWay
	chains    []int32
	verdicts  []verdict
	parts     []part
	stood     []gridseg.Cell // of parts
	joints    []gridseg.Point
	jointAt   notes // of joints
}

// begin takes the manifolds that a contact had in the step before, and clears the results
// for the contact before it.
func (ga *gather) begin(old []manifold) {
	ga.old = append(ga.old[:0], old...)
	ga.found, ga.rolls = 0, false
	ga.notes.clear()
	ga.olds.clear()
	ga.nears.clear()
	for j := range ga.old {
		ga.rolls = ga.rolls || ga.old[j].rollImpulse != 0
	}
}

// has reports whether one of the manifolds has a point with the feature f (met), and
// whether the normal of such a point is nearly n (same). The manifolds are all of the
// contact in work but the last. A few manifolds are searched one by one; the points of many,
// as of a wide shape on rough ground, are noted by feature.
func (ga *gather) has(manifolds []manifold, f feature, n geom.Vec) (stopped, same bool) {
	if len(manifolds) > fewManifolds {
		ga.notes.add(manifolds)
		for at := ga.notes.first(f); at > 0; at = ga.notes.next[at-1] {
			ga.tally.points++
			m := &manifolds[(at-1)>>1]
			if m.points[(at-1)&1].feature != f {
				continue
			}
			if m.normal.Dot(n) >= alike {
				return true, true
			}
			stopped = true
		}
		return stopped, false
	}
	ga.tally.points += len(manifolds)
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.n {
			if m.points[k].feature != f {
				continue
			}
			if m.normal.Dot(n) >= alike {
				return true, true
			}
			stopped = true
		}
	}
	return stopped, false
}

// fewManifolds is how many are looked through quicker than noted.
const fewManifolds = 8

// lattice is one cell, as a float64.
const lattice = float64(gridseg.Unit)

// lookAbout lists which runs a shape of the reach may touch.
func (ga *gather) lookAbout(far reach) {
	ga.about = ga.about[:0]
	for i := range ga.runs.List {
		if !far.misses(&ga.runs.List[i]) {
			ga.about = append(ga.about, int32(i))
		}
	}
}

// collect gathers the runs of the cells of r.
func (ga *gather) collect(g *gridseg.Grid, r gridseg.Rect) {
	ga.grid, ga.rect, ga.listed = g, r, g.Preserves()
	if !ga.listed {
		ga.runs.Gather(g, r)
		return
	}
	if ga.runs.GatherTops(g, r) {
		ga.listed = false // nor will segments be needed to see what hides: tops hide nothing
		return
	}
	ga.listSurface(g, r)
	ga.join()
}

// listSurface gathers the segments of the cells of r, without kept faces.
func (ga *gather) listSurface(g *gridseg.Grid, r gridseg.Rect) {
	if !g.Preserves() {
		ga.segments = g.AppendSegments(ga.segments[:0], r)
		return
	}
	// With the cells round them: a kept face is forgotten where its other side is known.
	ga.segments = g.AppendSegments(ga.segments[:0], ring(r))
	ga.forgetKept()
	ga.keep(r)
}

// join makes the runs of the segments: it finds for each the one that goes on from
// it in a straight line.
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
	ga.listed, ga.treed = true, false
	ga.starts, ga.runs.List = ga.starts[:0], ga.runs.List[:0]
	for i := range ga.segments {
		if ga.joined[i] {
			continue
		}
		last := i
		for ga.next[last] >= 0 {
			last = int(ga.next[last])
		}
		a, b := &ga.segments[i], &ga.segments[last]
		ga.starts = append(ga.starts, int32(i))
		ga.runs.List = append(ga.runs.List, gridseg.Run{
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

// from returns the index of the first segment of the cell (x, y), or of what
// comes after it.
func (ga *gather) from(x, y int32) int {
	return sort.Search(len(ga.segments), func(i int) bool {
		c := ga.segments[i].ID.Cell
		return c.Y > y || c.Y == y && c.X >= x
	})
}

// setFace makes f the face that a run is, seen from origin (in cells, the ground's
// frame). The lattice is exact in float64, so the one rounding is that of the
// difference.
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

// under tells p of the cell and tile of the segment of run k that the place at (seen
// from origin) lies beside.
func (ga *gather) under(p *point, k int, at, origin geom.Vec) {
	if k >= ga.bases {
		k = ga.topUnder(&ga.combs[k-ga.bases], at, origin)
	}
	if !ga.listed {
		p.cell = ga.runs.Under(&p.tile, &ga.runs.List[k], at.X, at.Y, origin.X, origin.Y)
		return
	}
	i := ga.starts[k]
	for ga.next[i] >= 0 {
		s := &ga.segments[i]
		end := local(s.B, origin)
		if at.Sub(end).Dot(end.Sub(local(s.A, origin))) < 0 {
			break
		}
		i = ga.next[i]
	}
	p.cell, p.tile = ga.segments[i].ID.Cell, ga.segments[i].Tile
}

func local(p gridseg.Point, origin geom.Vec) geom.Vec {
	return geom.Vec{X: float64(float64(p.X)/lattice) - origin.X, Y: float64(float64(p.Y)/lattice) - origin.Y}
}

// lineFeature names the line through two points: its direction in lowest terms
// and its offset, exact.
func lineFeature(a, b gridseg.Point) feature {
	dx, dy := b.X-a.X, b.Y-a.Y
	switch {
	case dy == 0 && dx < 0: // a floor, as most are
		return feature{kind: ofLine, x: a.Y, y: -1 << 32}
	case dx == 0 || dy == 0 || dx == dy || dx == -dy:
		// Quicker than by division.
		dx, dy = min(1, max(-1, dx)), min(1, max(-1, dy))
	default:
		d := gcd(dx, dy)
		dx, dy = dx/d, dy/d
	}
	return feature{kind: ofLine, x: a.X*dy - a.Y*dx, y: dx<<32 | int64(uint32(dy))}
}

func gcd(a, b int64) int64 {
	a, b = max(a, -a), max(b, -b)
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
