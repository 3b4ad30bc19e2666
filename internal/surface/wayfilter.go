package surface

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/lattice"
)

// Filter is the surface of a ground near one shape, without the one-way tiles that do not stop
// the shape. The zero value is ready for use, and keeps its memory.
//
// The faces of such tiles are removed, the faces of solid tiles that they buried are added, and
// the vertices where that happened are linked again by the ground's own rule, the radial match.
// So seams between one-way tiles and others have no effect.
type Filter struct {
	Query

	materials     []uint16
	oneWayCells   []gridseg.Cell
	edges         []edge
	buried        []gridseg.Segment
	ways          []Direction  // of Segments
	stopping      []bool       // of Segments: of one-way tiles that stop the shape of the query
	bodies        [2]bodyFaces // of the queries that do not drop, and those that do
	dirtyVertices []gridseg.Point
	dirtyTable    contact.Table // of dirtyVertices
}

// Collect collects the runs that stop the shape of q in the cells of r. It needs no q for tiles
// without directions.
func (f *Filter) Collect(t *Tiles, q *WayQuery, r gridseg.Rect) {
	f.Materials = t.Materials
	if t.HasWays() && (f.collectTops(t, q, r) || f.collectFiltered(t, q, r)) {
		return
	}
	if q != nil {
		q.Drop = NotDropping
	}
	f.Query.Collect(t.Grid, r)
}

// collectFiltered is Collect near one-way tiles. It returns false if there is none.
func (f *Filter) collectFiltered(t *Tiles, q *WayQuery, r gridseg.Rect) bool {
	if !f.collectNear(t, q, r) {
		return false
	}
	if q.Drop != NotDropping {
		q.Drop = NotDropping
		for i := range f.Segments {
			if s := &f.Segments[i]; f.passable(i) && q.touches(s, f.ways[i]) {
				q.Drop = Dropping
				break
			}
		}
	}
	f.join(q, r)
	return true
}

// join makes runs, in the cells of r, of the collected segments that stop the shape.
func (f *Filter) join(q *WayQuery, r gridseg.Rect) {
	f.dropBehindOneWay(q)
	f.dropPassable(q)
	f.relink()
	f.KeepCells(r)
	f.Rect = r
	f.Join()
}

// CollectSweep collects the runs in the cells of r that stop the shape of q in its motion
// through a step, from the pose q.Now.
func (f *Filter) CollectSweep(t *Tiles, q *WayQuery, r gridseg.Rect) {
	if t.HasWays() && f.collectNear(t, q, r) {
		f.join(q, r)
		return
	}
	f.Query.Collect(t.Grid, r)
}

// ListSweep is CollectSweep for segments that are not joined.
func (f *Filter) ListSweep(t *Tiles, q *WayQuery, r gridseg.Rect) {
	if t.HasWays() && f.collectNear(t, q, r) {
		f.dropPassable(q)
		f.Segments = append(f.Segments, f.buried...)
		return
	}
	f.Segments = t.Grid.AppendSegments(f.Segments[:0], r)
}

// ListLinked lists the segments in the cells of r that stop the shape of q, which is at q.Now, in a
// motion, linked again where others are missing. They are not joined.
func (f *Filter) ListLinked(t *Tiles, q *WayQuery, r gridseg.Rect) {
	if t.HasWays() && f.collectNear(t, q, r) {
		f.dropBehindOneWay(q)
		f.dropPassable(q)
		f.relink()
		f.KeepCells(r)
		return
	}
	f.ListSurface(t.Grid, r)
}

// AppendFaces appends the faces, relative to origin, in the cells of r that stop the shape of q in its motion through a
// step; with a nil q one-way tiles let it pass. With joined, faces in a straight line are one, and have their ghosts.
// Segments for which keep is false are left out; keep may be nil.
func (f *Filter) AppendFaces(
	dst []collide.Face, t *Tiles, q *WayQuery, r gridseg.Rect, origin geom.Vec, joined bool,
	keep func(*gridseg.Segment) bool,
) []collide.Face {
	switch {
	case keep != nil:
		if q == nil {
			f.ListSolid(t, r)
		} else {
			f.ListLinked(t, q, r)
		}
		if f.drop(keep); joined {
			f.Join()
		}
	case q == nil && t.HasWays():
		if f.ListSolid(t, r); joined {
			f.Join()
		}
	case joined:
		f.CollectSweep(t, q, r)
	default:
		f.ListSweep(t, q, r)
	}
	if !joined {
		for _, e := range f.Segments {
			dst = append(dst, collide.Face{A: Local(e.A, origin), B: Local(e.B, origin)})
		}
		return dst
	}
	for i := range f.Runs.List {
		dst = append(dst, collide.Face{})
		SetFace(&dst[len(dst)-1], &f.Runs.List[i], origin)
	}
	return dst
}

// collectNear collects the segments and the buried faces in the cells of r and around them, as far as they have an
// effect on those in r, and finds which one-way faces stop the shape of q. It returns false if no one-way tile is in
// the cells of r or the ring around them. Then those elsewhere do not matter: no vertex of a segment in r is on one of
// them.
func (f *Filter) collectNear(t *Tiles, q *WayQuery, r gridseg.Rect) bool {
	ring, at := GrowRect(r), t.Version+t.waysSince // neither number ever decreases
	if q.Memory.plainAt == at && containsRect(ring, q.Memory.plainCells) {
		return false
	}
	if f.listOneWay(t, ring); len(f.oneWayCells) == 0 {
		q.Memory.plainCells, q.Memory.plainAt = ring, at
		return false
	}
	if q.Source != nil {
		q.Source.SetBody(q)
	}
	b := f.facesOf(q)
	all := ring
	if b.metOK {
		all = GrowRect(UnionRect(r, b.met))
	}
	// A buried face in the ring goes if a one-way face stops the shape at either of its ends.
	near := intersect(GrowRect(ring), all)
	if t.Grid.Engine(lattice.Key{}).Preserves() {
		near = all // CancelPreserved links all segments again, or none
	}
	gathered := false
	if !q.passesAll && !(b.built && containsRect(all, b.cells)) {
		cells := all
		if b.built {
			cells = UnionRect(all, b.cells) // shapes are swept over more and more cells
		}
		f.gather(t, cells)
		b.build(f, q, cells)
		gathered = near == cells
	}
	if !gathered {
		f.gather(t, near)
	}
	f.stopping = f.stopping[:0]
	if !q.passesAll {
		b.standOn(f, q)
	}
	for i := range f.Segments {
		f.stopping = append(f.stopping, !q.passesAll && f.isOneWayFace(i) && b.stops(q, &f.Segments[i], f.ways[i]))
	}
	return true
}

// intersect returns the cells in both a and b.
func intersect(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: max(a.MinX, b.MinX), MinY: max(a.MinY, b.MinY), MaxX: min(a.MaxX, b.MaxX),
		MaxY: min(a.MaxY, b.MaxY),
	}
}

// collectTops collects the runs in the cells of r in the most common case, faster: in the last step the shape stood
// on a tile that is one-way upwards, and one row of such tiles, which continues on both sides, is the only row.
// Then their tops are one platform, which stops the shape because the shape stood on it, and their other faces do
// not collide. It returns false in all other cases, for collectFiltered.
func (f *Filter) collectTops(t *Tiles, q *WayQuery, r gridseg.Rect) bool {
	if q.passesAll || q.Whole || q.Drop != NotDropping || !q.onTop(t, r) || t.Grid.Engine(lattice.Key{}).Preserves() {
		return false
	}
	f.Query.Collect(t.Grid, r)
	top := -1
	y := int64(r.MinY) * gridseg.Unit
	for i := range f.Runs.List {
		run := &f.Runs.List[i]
		switch {
		case top < 0 && run.A.Y == y+gridseg.Unit && f.spansRect(run):
			top = i
		case run.A.Y == y && run.B.Y == y && run.A.X < run.B.X: // a bottom of these tiles
		default:
			return false
		}
	}
	if top < 0 {
		return false
	}
	f.materials = t.Grid.Engine(lattice.Key{}).AppendMaterials(&f.Runs, f.materials[:0], &f.Runs.List[top])
	for _, m := range f.materials {
		if t.wayOfNumber(m) != Up {
			return false
		}
	}
	f.Runs.List[0] = f.Runs.List[top]
	f.Runs.List = f.Runs.List[:1]
	return true
}

// onTop reports whether the shape stood on a tile that is one-way upwards, in the lowest row
// of r.
func (q *WayQuery) onTop(t *Tiles, r gridseg.Rect) bool {
	for i := range q.Old {
		m := &q.Old[i]
		for k := range m.N {
			if s := &m.Sources[k]; s.Cell.Y == r.MinY && r.Contains(s.Cell) && t.wayOf(s.Material) == Up {
				return true
			}
		}
	}
	return false
}

// containsRect reports whether b holds all of a.
func containsRect(a, b gridseg.Rect) bool {
	return a.MinX >= b.MinX && a.MinY >= b.MinY && a.MaxX <= b.MaxX && a.MaxY <= b.MaxY
}

// spansRect reports whether run is the tops of all gathered columns, and continues on both
// sides.
func (f *Filter) spansRect(run *gridseg.Run) bool {
	x0, x1 := int64(f.Rect.MinX)*gridseg.Unit, (int64(f.Rect.MaxX)+1)*gridseg.Unit
	return run.B.X == x0 && run.A.X == x1 && run.A.Y == run.B.Y &&
		run.HasGhost1 && run.Ghost1.X > x1 && run.Ghost1.Y == run.A.Y &&
		run.HasGhost2 && run.Ghost2.X < x0 && run.Ghost2.Y == run.A.Y
}

// ListSolid lists the segments in the cells of r without one-way tiles, not joined
// into runs.
func (f *Filter) ListSolid(t *Tiles, r gridseg.Rect) {
	if t.HasWays() && f.collectOneWay(t, r) {
		f.dropPassable(nil)
		f.insert()
		f.KeepCells(r)
		return
	}
	f.ListSurface(t.Grid, r)
}

// CollectSolid collects the runs in the cells of r without one-way tiles.
func (f *Filter) CollectSolid(t *Tiles, r gridseg.Rect) {
	f.Materials = t.Materials
	if t.HasWays() && f.collectOneWay(t, r) {
		f.join(nil, r)
		return
	}
	f.Query.Collect(t.Grid, r)
}

// HasWays reports whether a tile in the cells of r, or beside them, is one-way.
func (f *Filter) HasWays(t *Tiles, r gridseg.Rect) bool {
	if !t.HasWays() {
		return false
	}
	f.listOneWay(t, GrowRect(r))
	return len(f.oneWayCells) > 0
}

// collectOneWay collects the segments and the buried faces of the cells of r and of the ring around them, which
// relinking the vertices in r needs. It returns false if there is no one-way tile.
func (f *Filter) collectOneWay(t *Tiles, r gridseg.Rect) bool {
	f.gather(t, GrowRect(r))
	return len(f.oneWayCells) > 0
}

// gather collects the segments and the buried faces of the cells of r, if one of them has a one-way tile.
func (f *Filter) gather(t *Tiles, r gridseg.Rect) {
	if f.listOneWay(t, r); len(f.oneWayCells) == 0 {
		return
	}
	f.collectBuried(t)
	f.Segments = t.Grid.AppendSegments(f.Segments[:0], r)
	if t.Grid.Engine(lattice.Key{}).Preserves() {
		f.CancelPreserved() // and the preserved faces of solid tiles are uncovered now
	}
	f.ways = f.ways[:0]
	for i := range f.Segments {
		f.ways = append(f.ways, t.Way(f.Segments[i].Tile))
	}
}

// isOneWayFace reports whether segment i is a face of a one-way tile that can stop a shape.
func (f *Filter) isOneWayFace(i int) bool {
	s := &f.Segments[i]
	return f.ways[i] != None && f.ways[i].stops(s.A, s.B)
}

// passable reports whether segment i is such a face and does not stop the shape.
func (f *Filter) passable(i int) bool {
	return f.isOneWayFace(i) && !f.stopping[i]
}

// blocks reports whether segment i stops the shape; without a query no one-way face does.
func (f *Filter) blocks(i int, q *WayQuery) bool {
	if f.ways[i] == None {
		return true
	}
	return q != nil && f.isOneWayFace(i) && !f.passable(i)
}

// dropBehindOneWay removes the buried faces that are behind a one-way face that stops the shape, and share a vertex
// with it. A shape in front of the one-way face cannot reach them, and would trip over their ends.
func (f *Filter) dropBehindOneWay(q *WayQuery) {
	n := 0
	for i := range f.buried {
		if h := &f.buried[i]; !f.behindOneWay(h, h.A, q) && !f.behindOneWay(h, h.B, q) {
			f.buried[n] = *h
			n++
		}
	}
	f.buried = f.buried[:n]
}

// behindOneWay reports whether the buried face h is behind a one-way face that stops the
// shape and has the vertex p, which is an end of h.
func (f *Filter) behindOneWay(h *gridseg.Segment, p gridseg.Point, q *WayQuery) bool {
	for _, k := range f.SegmentsAt(p) {
		for i := k.From; i < k.To; i++ {
			s := &f.Segments[i]
			if (s.A == p || s.B == p) && f.ways[i] != None && leftOf(s, h.A)+leftOf(s, h.B) > 0 && f.blocks(i, q) {
				return true
			}
		}
	}
	return false
}

// dropPassable removes the segments that do not stop the shape.
func (f *Filter) dropPassable(q *WayQuery) {
	f.dirtyVertices = f.dirtyVertices[:0]
	for i := range f.Segments {
		if !f.blocks(i, q) {
			f.dirtyVertices = append(f.dirtyVertices, f.Segments[i].A, f.Segments[i].B)
			f.Segments[i].Edge = removedEdge
		}
	}
	n := 0
	for i := range f.Segments {
		if s := &f.Segments[i]; s.Edge != removedEdge {
			f.Segments[n], f.ways[n] = *s, f.ways[i]
			n++
		}
	}
	f.Segments, f.ways = f.Segments[:n], f.ways[:n]
}

// drop removes the segments for which keep is false, and links the others again.
func (f *Filter) drop(keep func(*gridseg.Segment) bool) {
	f.dirtyVertices = f.dirtyVertices[:0]
	n := 0
	for i := range f.Segments { // not slices.DeleteFunc: keep takes a pointer, which would put each copy on the heap
		if s := &f.Segments[i]; !keep(s) {
			f.dirtyVertices = append(f.dirtyVertices, s.A, s.B)
			continue
		}
		f.Segments[n] = f.Segments[i]
		n++
	}
	f.Segments = f.Segments[:n]
	if f.buried = f.buried[:0]; len(f.dirtyVertices) > 0 {
		f.relink()
	}
}

// removedEdge marks a segment to be removed; no polygon has so many edges.
const removedEdge = 0xffff

// leftOf is positive if the point p is on the left of s, where the solid is, and negative on
// the right.
func leftOf(s *gridseg.Segment, p gridseg.Point) int64 {
	return (s.B.X-s.A.X)*(p.Y-s.A.Y) - (s.B.Y-s.A.Y)*(p.X-s.A.X)
}

// insert adds the buried faces at their places in the order of segments.
func (f *Filter) insert() {
	if len(f.buried) > 0 {
		f.Segments = append(f.Segments, f.buried...)
		slices.SortFunc(f.Segments, func(a, b gridseg.Segment) int { return compareIDs(a.ID, b.ID) })
	}
}

// relink adds the buried faces and links the vertices again where segments were removed or
// added.
func (f *Filter) relink() {
	for i := range f.buried {
		f.dirtyVertices = append(f.dirtyVertices, f.buried[i].A, f.buried[i].B)
	}
	f.insert()
	if n := len(f.dirtyVertices); n > contact.Few {
		f.dirtyTable.Clear()
		f.dirtyTable.Reserve((n + 1) / 2)
		for i, p := range f.dirtyVertices {
			f.dirtyTable.Put(contact.Feature{X: p.X, Y: p.Y}, int32(i))
		}
	}
	for i := range f.Segments {
		s := &f.Segments[i]
		if f.isDirty(s.B) {
			f.LinkEnd(s)
		}
		if f.isDirty(s.A) {
			f.LinkStart(s)
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

// isDirty reports whether the segments at p differ from those in the ground. With many dirty
// vertices, dirtyTable holds them.
func (f *Filter) isDirty(p gridseg.Point) bool {
	if len(f.dirtyVertices) > contact.Few {
		for i := f.dirtyTable.First(contact.Feature{X: p.X, Y: p.Y}); i > 0; i = f.dirtyTable.Next(i) {
			if f.dirtyVertices[i-1] == p {
				return true
			}
		}
		return false
	}
	return slices.Contains(f.dirtyVertices, p)
}
