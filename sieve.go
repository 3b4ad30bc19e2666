package quarry

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// How the ground near a shape is gathered where there are one-way tiles: as it
// would be if those that do not stop the shape were not there. Their faces are
// taken out, what they hid of solid tiles is put in, and what now meets at a
// vertex is linked anew, by the rule of the ground itself, the radial match. So
// the seams of one-way tiles with others are felt no more than any.

// sieve gathers the ground in the cells of r that stops the shape of st, in runs.
// It returns false where there is nothing one-way near.
func (w *World) sieve(ga *gather, st *stance, r gridseg.Rect) bool {
	all, ok := st.reach(w)
	if !ok || !w.sift(ga, st.g, union(all, r), st) {
		return false
	}
	if st.c.drop != notDropping {
		st.c.drop = notDropping
		for i := range ga.segments {
			if s := &ga.segments[i]; ga.shut(int32(i), st) && st.touches(w, s, ga.ways[i]) {
				st.c.drop = dropping
				break
			}
		}
	}
	ga.cover(st)
	ga.drop(st)
	ga.relink()
	ga.keep(r)
	ga.rect = r
	ga.join()
	return true
}

// sieveTops gathers the runs in the cells of r the quick way, for the most common stance:
// the shape stood, in the last step, on a tile that is one-way upwards, and nothing is
// there but one row of such tiles, which goes on to both sides. Then their tops are one
// chain, which stops it as it stood on one, and their other faces are not there. It
// returns false where it is not so simple, and sieve must look at all.
func (w *World) sieveTops(ga *gather, st *stance, r gridseg.Rect) bool {
	if st.none || st.c.drop != notDropping || !st.onTop(w, r) || st.g.grid.Preserves() {
		return false
	}
	ga.collect(st.g.grid, r)
	top := -1
	y := int64(r.MinY) * gridseg.Unit
	for i := range ga.runs.List {
		run := &ga.runs.List[i]
		switch {
		case top < 0 && run.A.Y == y+gridseg.Unit && ga.across(run):
			top = i
		case run.A.Y == y && run.B.Y == y && run.A.X < run.B.X: // a bottom of these tiles
		default:
			return false
		}
	}
	if top < 0 {
		return false
	}
	ga.materials = ga.runs.AppendMaterials(ga.materials[:0], &ga.runs.List[top])
	for _, m := range ga.materials {
		if w.material(st.g.materialOf(m)).OneWay != OneWayUp {
			return false
		}
	}
	ga.runs.List[0] = ga.runs.List[top]
	ga.runs.List = ga.runs.List[:1]
	return true
}

// onTop reports whether the shape stood on a tile that is one-way upwards, in the lowest
// row of r.
func (st *stance) onTop(w *World, r gridseg.Rect) bool {
	for i := range st.manifolds {
		m := &st.manifolds[i]
		for k := range m.n {
			p := &m.points[k]
			if p.cell.Y == r.MinY && r.Contains(p.cell) && w.material(p.material).OneWay == OneWayUp {
				return true
			}
		}
	}
	return false
}

// across reports whether run is tops all the way across what was gathered, and goes on
// at both sides.
func (ga *gather) across(run *gridseg.Run) bool {
	x0, x1 := int64(ga.rect.MinX)*gridseg.Unit, (int64(ga.rect.MaxX)+1)*gridseg.Unit
	return run.B.X == x0 && run.A.X == x1 && run.A.Y == run.B.Y &&
		run.HasGhost1 && run.Ghost1.X > x1 && run.Ghost1.Y == run.A.Y &&
		run.HasGhost2 && run.Ghost2.X < x0 && run.Ghost2.Y == run.A.Y
}

// keep drops the segments that are not of the cells of r.
func (ga *gather) keep(r gridseg.Rect) {
	n := 0
	for i := range ga.segments {
		if r.Contains(ga.segments[i].ID.Cell) {
			ga.segments[n] = ga.segments[i]
			n++
		}
	}
	ga.segments = ga.segments[:n]
}

// union returns the smallest rectangle that holds a and b.
func union(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: min(a.MinX, b.MinX), MinY: min(a.MinY, b.MinY),
		MaxX: max(a.MaxX, b.MaxX), MaxY: max(a.MaxY, b.MaxY),
	}
}

// within reports whether b holds all of a.
func within(a, b gridseg.Rect) bool {
	return a.MinX >= b.MinX && a.MinY >= b.MinY && a.MaxX <= b.MaxX && a.MaxY <= b.MaxY
}

// ring returns r with the cells round it.
func ring(r gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: max(r.MinX, math.MinInt32+1) - 1, MinY: max(r.MinY, math.MinInt32+1) - 1,
		MaxX: min(r.MaxX, math.MaxInt32-1) + 1, MaxY: min(r.MaxY, math.MaxInt32-1) + 1,
	}
}

// collectSolid gathers the ground in the cells of r without what is one-way, not
// in runs.
func (w *World) collectSolid(ga *gather, g *ground, r gridseg.Rect) {
	if w.oneWayMaterials > 0 && w.sift(ga, g, r, nil) {
		ga.drop(nil)
		ga.insert()
		ga.keep(r)
		return
	}
	ga.listSurface(g.grid, r)
}

// sieveSweep gathers the ground in the cells of r that stops the shape s on its
// way through a step, in runs or not; false is as of sieve. The origin is where its
// centroid sets out, in the ground.
func (w *World) sieveSweep(ga *gather, gi int32, s *shape, r gridseg.Rect, origin geom.Vec, runs bool) bool {
	c := w.contactOn(gi, s)
	now := w.lastPose(&w.bodies.items[c.bodyA], true).InvMul(w.lastPose(&w.bodies.items[c.bodyB], true))
	now.P = now.P.Sub(origin)
	st := w.stanceOf(c, c.manifolds, now, origin, true)
	all := r
	if at, ok := st.reach(w); ok {
		all = union(r, at)
	}
	if !w.sift(ga, st.g, all, &st) {
		return false
	}
	if runs {
		ga.cover(&st)
		ga.drop(&st)
		ga.relink()
		ga.keep(r)
		ga.join()
		return true
	}
	ga.drop(&st)
	ga.segments = append(ga.segments, ga.bared...)
	return true
}

// contactOn returns the contact of the shape s with the ground in slot gi. If there is none,
// since the shape was not near when the step began, it returns an empty one in scratch.
func (w *World) contactOn(gi int32, s *shape) *contact {
	b := &w.bodies.items[s.body]
	for l := b.firstContact; l >= 0; {
		c := &w.contacts.items[l>>1]
		if c.ground == gi && &w.shapes.items[c.shapeB] == s {
			return c
		}
		l = c.next[l&1]
	}
	si := b.firstShape
	for &w.shapes.items[si] != s {
		si = w.shapes.items[si].next
	}
	w.scratch.noContact = contact{shapeA: -1, shapeB: si, ground: gi, chain: -1, bodyA: w.grounds.items[gi].body, bodyB: s.body}
	return &w.scratch.noContact
}

// sift gathers the segments and the hidden faces of the cells of r, and of those
// round them, so that all is known of what meets in r. It judges the faces of what
// is one-way, if there is a stance to judge by. It returns false where there is
// nothing one-way.
func (w *World) sift(ga *gather, g *ground, r gridseg.Rect, st *stance) bool {
	r = ring(r)
	at := g.version + w.oneWayVersion // neither ever falls
	if st != nil && st.c.plainAt == at && within(r, st.c.plain) {
		return false
	}
	w.listOneWay(ga, g, r)
	if len(ga.cells) == 0 {
		if st != nil {
			st.c.plain, st.c.plainAt = r, at
		}
		return false
	}
	w.uncover(ga, g)
	ga.segments = g.grid.AppendSegments(ga.segments[:0], r)
	if g.grid.Preserves() {
		ga.forgetKept() // and what they were of solid tiles is bare now
	}
	ga.ways, ga.chains, ga.verdicts = ga.ways[:0], ga.chains[:0], ga.verdicts[:0]
	for i := range ga.segments {
		ga.ways = append(ga.ways, w.oneWayOf(g, ga.segments[i].Tile))
		ga.chains = append(ga.chains, int32(i))
		ga.verdicts = append(ga.verdicts, 0)
	}
	if st == nil {
		return true
	}
	for i := range ga.segments {
		s := &ga.segments[i]
		if !ga.top(i) {
			continue
		}
		if j := ga.find(s.Next); s.HasGhost2 && j >= 0 && ga.top(j) {
			x, y := find(ga.chains, int32(i)), find(ga.chains, int32(j))
			ga.chains[max(x, y)] = min(x, y)
		}
	}
	w.listParts(ga, st)
	for i := range ga.segments {
		if ga.top(i) {
			v := st.judge(ga, &ga.segments[i], ga.ways[i])
			ga.verdicts[i] |= v
			ga.verdicts[find(ga.chains, int32(i))] |= v & ofChain
		}
	}
	return true
}

// top reports whether segment i is a face of a one-way tile that may stop.
func (ga *gather) top(i int) bool {
	s := &ga.segments[i]
	return ga.ways[i] != NotOneWay && ga.ways[i].stops(s.A, s.B)
}

// shut reports whether segment i is such a face and does not stop the shape.
func (ga *gather) shut(i int32, st *stance) bool {
	return ga.top(int(i)) && !st.stops(ga.verdicts[i], ga.verdicts[find(ga.chains, i)])
}

// stays reports whether segment i is of what stops the shape; without a stance
// nothing one-way is.
func (ga *gather) stays(i int, st *stance) bool {
	if ga.ways[i] == NotOneWay {
		return true
	}
	return st != nil && ga.top(i) && !ga.shut(int32(i), st)
}

// cover drops the hidden faces that are behind one-way ones that stop the shape
// and begin or end at them: what is before those cannot reach them, and would
// trip over their ends.
func (ga *gather) cover(st *stance) {
	n := 0
	for i := range ga.bared {
		if h := &ga.bared[i]; !ga.covered(h, h.A, st) && !ga.covered(h, h.B, st) {
			ga.bared[n] = *h
			n++
		}
	}
	ga.bared = ga.bared[:n]
}

// covered reports whether the hidden face h is behind a one-way face that stops the shape
// and begins or ends at p, which is an end of h.
func (ga *gather) covered(h *gridseg.Segment, p gridseg.Point, st *stance) bool {
	for _, k := range ga.around(p) {
		for i := k.from; i < k.to; i++ {
			s := &ga.segments[i]
			if (s.A == p || s.B == p) && ga.ways[i] != NotOneWay && leftOf(s, h.A)+leftOf(s, h.B) > 0 && ga.stays(i, st) {
				return true
			}
		}
	}
	return false
}

// drop takes out the segments that do not stop the shape.
func (ga *gather) drop(st *stance) {
	ga.joints = ga.joints[:0]
	for i := range ga.segments {
		if !ga.stays(i, st) {
			ga.joints = append(ga.joints, ga.segments[i].A, ga.segments[i].B)
			ga.segments[i].Edge = gone
		}
	}
	n := 0
	for i := range ga.segments {
		if s := &ga.segments[i]; s.Edge != gone {
			ga.segments[n], ga.ways[n] = *s, ga.ways[i]
			n++
		}
	}
	ga.segments, ga.ways = ga.segments[:n], ga.ways[:n]
}

// gone marks a segment to be taken out; no polygon has so many edges.
const gone = 0xffff

// leftOf returns on which side of s the point p is: positive is the left, where
// the solid is.
func leftOf(s *gridseg.Segment, p gridseg.Point) int64 {
	return (s.B.X-s.A.X)*(p.Y-s.A.Y) - (s.B.Y-s.A.Y)*(p.X-s.A.X)
}

// insert puts the hidden faces in, in their place, so that all comes in the order
// that it has where nothing is hidden.
func (ga *gather) insert() {
	if len(ga.bared) > 0 {
		ga.segments = append(ga.segments, ga.bared...)
		slices.SortFunc(ga.segments, func(a, b gridseg.Segment) int { return compareIDs(a.ID, b.ID) })
	}
}

// relink puts the hidden faces in and links what meets where something was taken
// out or put in.
func (ga *gather) relink() {
	for i := range ga.bared {
		ga.joints = append(ga.joints, ga.bared[i].A, ga.bared[i].B)
	}
	ga.insert()
	if n := len(ga.joints); n > fewManifolds {
		ga.jointAt.clear()
		ga.jointAt.room((n + 1) / 2)
		for i, p := range ga.joints {
			ga.jointAt.put(feature{x: p.X, y: p.Y}, int32(i))
		}
	}
	for i := range ga.segments {
		s := &ga.segments[i]
		if ga.changed(s.B) {
			ga.linkEnd(s)
		}
		if ga.changed(s.A) {
			ga.linkStart(s)
		}
	}
}

// compareIDs orders segments as the ground does.
func compareIDs(a, b gridseg.SegmentID) int {
	return cmp.Or(compareCells(a.Cell, b.Cell), cmp.Compare(a.N, b.N))
}

func compareCells(a, b gridseg.Cell) int {
	return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
}

// changed reports whether the segments that meet at p are other than in the ground. Many
// joints are noted by then.
func (ga *gather) changed(p gridseg.Point) bool {
	if len(ga.joints) > fewManifolds {
		for i := ga.jointAt.first(feature{x: p.X, y: p.Y}); i > 0; i = ga.jointAt.next[i-1] {
			if ga.joints[i-1] == p {
				return true
			}
		}
		return false
	}
	return slices.Contains(ga.joints, p)
}
