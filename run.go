package quarry

import (
	"math"
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
// Where neither preserved layers nor one-way tiles change what stops a body, the
// runs come from the grid as they are, and of their segments only those that
// points lie on are looked at. Else the segments are listed, and joined here.
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

	near []gridseg.Segment // see hidden

	about []int32 // the runs that the shape may touch, if there are several
	tops  []int32 // those, where there are combs: about then has runs in their place
	lines []combLine
	combs []comb
	bases int // how many runs there are besides those that stand for combs

	old   []manifold // of the step before
	found int        // which of them a point was found in last

	strangers int // how many points had none since a comb's were shared

	// See has.
	noted int    // manifolds
	round uint32 // of looking at a contact
	notes [1 << noteBits]uint32

	// Where there are one-way tiles; see sieve.
	stance    stance // of the contact in work
	materials []uint16
	cells     []gridseg.Cell
	edges     []edge
	bared     []gridseg.Segment
	ways      []OneWay
	chains    []int32
	verdicts  []verdict
	joints    []gridseg.Point
}

// has reports whether a point of the manifolds, which are all that were found in this
// round but that in work, has the feature f, and whether one of those is pushed as
// good as along n. Of few each is asked. A wide shape on rough ground has hundreds:
// then the features are noted by a hash, and asked only where one with that of f was.
func (ga *gather) has(manifolds []manifold, f feature, n geom.Vec) (met, same bool) {
	if len(manifolds) > fewManifolds {
		for ; ga.noted < len(manifolds); ga.noted++ {
			m := &manifolds[ga.noted]
			for k := range m.n {
				*ga.note(m.points[k].feature) = ga.round
			}
		}
		if *ga.note(f) != ga.round {
			return false, false
		}
	}
	for i := range manifolds {
		m := &manifolds[i]
		for k := range m.n {
			if m.points[k].feature != f {
				continue
			}
			if m.normal.Dot(n) >= alike {
				return true, true
			}
			met = true
		}
	}
	return met, false
}

// fewManifolds is how many are asked one by one.
const fewManifolds = 8

// note returns where the round is written in which f, or a feature like it, was noted
// last.
func (ga *gather) note(f feature) *uint32 {
	h := uint64(f.x)*0x9E3779B97F4A7C15 ^ uint64(f.y)*0xD413CCCFE7799215 ^ uint64(f.pair)
	return &ga.notes[h*0x9E3779B97F4A7C15>>(64-noteBits)]
}

// noteBits is the binary logarithm of how many sorts of features are told apart.
const noteBits = 11

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
		ga.listed = false // not even looked at: there is nothing to hide a place
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
	ga.listed = true
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
// place on a face that p, along n, pushes off: then that is on the other side
// of a wedge of solid, or of two tiles that meet in a point, and to push from
// there is to push from behind. (collide looks no farther than the face's
// neighbours, and what is longer than a cell looks past those.)
func (ga *gather) hidden(p *collide.Point, n, c, origin geom.Vec) bool {
	foot := p.Anchor.MulAdd(-0.5*p.Separation, n)
	d := foot.Sub(c)
	// What is in between lies in the cells on the way.
	from, to := c.Add(origin), foot.Add(origin)
	if to.Y < from.Y {
		from, to = to, from
	}
	y0, y1 := math.Floor(from.Y-besideWay), math.Floor(to.Y+besideWay)
	if !(y0 <= float64(ga.rect.MaxY) && y1 >= float64(ga.rect.MinY)) {
		return false
	}
	y0, y1 = max(y0, float64(ga.rect.MinY)), min(y1, float64(ga.rect.MaxY))
	for y := y0; y <= y1; y++ {
		// From where to where it is in the row.
		lo, hi := from.X, to.X
		if rise := to.Y - from.Y; rise > besideWay {
			side := to.X - from.X
			lo = from.X + float64(max(0, min(1, (y-besideWay-from.Y)/rise))*side)
			hi = from.X + float64(max(0, min(1, (y+1+besideWay-from.Y)/rise))*side)
		}
		if hi < lo {
			lo, hi = hi, lo
		}
		lo, hi = math.Floor(lo-besideWay), math.Floor(hi+besideWay)
		if !(lo <= float64(ga.rect.MaxX) && hi >= float64(ga.rect.MinX)) {
			continue
		}
		x1 := int64(min(hi, float64(ga.rect.MaxX)))
		for x := int64(max(lo, float64(ga.rect.MinX))); x <= x1; x += rowPart {
			r := gridseg.Rect{MinX: int32(x), MinY: int32(y), MaxX: int32(min(x+rowPart-1, x1)), MaxY: int32(y)}
			if ga.hides(r, c, d, origin) {
				return true
			}
		}
	}
	return false
}

// besideWay (cells) is how far beside the way to a place that may be hidden is looked:
// far above any rounding.
const besideWay = 1.0 / 256

// rowPart is how many cells of a row are looked at at once: few enough for the grid to
// need no memory.
const rowPart = 128

// hides reports whether the front of a segment in the row of cells r is between c and
// what is at d from there.
func (ga *gather) hides(r gridseg.Rect, c, d, origin geom.Vec) bool {
	for _, s := range ga.row(r) {
		a, b := local(s.A, origin).Sub(c), local(s.B, origin).Sub(c)
		if !inFrontOf(a, b, d) {
			continue
		}
		f := collide.Face{A: a, B: b, HasGhost1: s.HasGhost1, HasGhost2: s.HasGhost2}
		if s.HasGhost1 {
			f.Ghost1 = local(s.Ghost1, origin).Sub(c)
		}
		if s.HasGhost2 {
			f.Ghost2 = local(s.Ghost2, origin).Sub(c)
		}
		if crosses(&f, d) {
			return true
		}
	}
	return false
}

// inFrontOf reports whether the origin is in front of the line a-b, and d behind it.
func inFrontOf(a, b, d geom.Vec) bool {
	away := b.Sub(a).Right()
	return away.Dot(a) < 0 && away.Dot(d.Sub(a)) < -hiddenSlop*math.Sqrt(away.Len2())
}

// crosses reports whether the line from the origin along d, which goes through the line
// of f from its front, goes through the surface there. At an end of f, as nearly as
// hiddenSlop, it does so if the surface goes on from there to the other side of it. If
// that turns back, or ends, the line goes by a tip: collide gives a point that is just
// in sight right past one.
func crosses(f *collide.Face, d geom.Vec) bool {
	slop := hiddenSlop * d.Len()
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

// row returns the segments in the row of cells r, which is of what was gathered.
func (ga *gather) row(r gridseg.Rect) []gridseg.Segment {
	if !ga.listed {
		ga.near = ga.grid.AppendSegments(ga.near[:0], r)
		return ga.near
	}
	i := ga.from(r.MinX, r.MinY)
	j := i
	for j < len(ga.segments) && ga.segments[j].ID.Cell.Y == r.MinY && ga.segments[j].ID.Cell.X <= r.MaxX {
		j++
	}
	return ga.segments[i:j]
}

// hiddenSlop (cells) is how far beyond a surface a place must be to be hidden
// by it: above the rounding of what is seen from a body's centre, and far below
// anything that is felt.
const hiddenSlop = 1e-6

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
