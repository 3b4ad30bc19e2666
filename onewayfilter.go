package quarry

import (
	"cmp"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/surface"
)

// This file filters the surface near a shape where there are one-way tiles: the result is
// the surface without the one-way tiles that do not stop the shape. Their faces are removed,
// the faces of solid tiles that they buried are added, and the vertices where that happened
// are linked again by the ground's own rule, the radial match. So seams between one-way
// tiles and others have no effect.

// filterOneWay collects the runs that stop the shape of oq in the cells of r. It returns
// false if there is no one-way tile near.
func (w *World) filterOneWay(sq *surfaceQuery, oq *oneWayQuery, r gridseg.Rect) bool {
	all, ok := oq.cellsMet(w)
	if !ok || !w.collectOneWay(sq, oq.g, unionRect(all, r), oq) {
		return false
	}
	if oq.c.drop != notDropping {
		oq.c.drop = notDropping
		for i := range sq.Segments {
			if s := &sq.Segments[i]; sq.passable(int32(i), oq) && oq.touches(w, s, sq.oneWays[i]) {
				oq.c.drop = dropping
				break
			}
		}
	}
	sq.dropBehindOneWay(oq)
	sq.dropPassable(oq)
	sq.relink()
	sq.KeepCells(r)
	sq.Rect = r
	sq.Join()
	return true
}

// filterTops collects the runs in the cells of r in the most common case, faster: in the
// last step the shape stood on a tile that is one-way upwards, and one row of such tiles,
// which continues on both sides, is all there is. Then their tops are one platform, which
// stops the shape since it stood on it, and their other faces do not collide. It returns
// false in all other cases, for filterOneWay.
func (w *World) filterTops(sq *surfaceQuery, oq *oneWayQuery, r gridseg.Rect) bool {
	if oq.passesAll || oq.c.drop != notDropping || !oq.onTop(w, r) || oq.g.grid.Preserves() {
		return false
	}
	sq.Collect(oq.g.grid, r)
	top := -1
	y := int64(r.MinY) * gridseg.Unit
	for i := range sq.Runs.List {
		run := &sq.Runs.List[i]
		switch {
		case top < 0 && run.A.Y == y+gridseg.Unit && sq.spansRect(run):
			top = i
		case run.A.Y == y && run.B.Y == y && run.A.X < run.B.X: // a bottom of these tiles
		default:
			return false
		}
	}
	if top < 0 {
		return false
	}
	sq.materials = sq.Runs.AppendMaterials(sq.materials[:0], &sq.Runs.List[top])
	for _, m := range sq.materials {
		if w.material(oq.g.materialOf(m)).OneWay != OneWayUp {
			return false
		}
	}
	sq.Runs.List[0] = sq.Runs.List[top]
	sq.Runs.List = sq.Runs.List[:1]
	return true
}

// onTop reports whether the shape stood on a tile that is one-way upwards, in the lowest row
// of r.
func (oq *oneWayQuery) onTop(w *World, r gridseg.Rect) bool {
	for i := range oq.manifolds {
		m := &oq.manifolds[i]
		for k := range m.N {
			p := &m.Points[k]
			if p.Source.Cell.Y == r.MinY && r.Contains(p.Source.Cell) && w.material(MaterialID(p.Source.Material)).OneWay == OneWayUp {
				return true
			}
		}
	}
	return false
}

// spansRect reports whether run is the tops of all gathered columns, and continues on both
// sides.
func (sq *surfaceQuery) spansRect(run *gridseg.Run) bool {
	x0, x1 := int64(sq.Rect.MinX)*gridseg.Unit, (int64(sq.Rect.MaxX)+1)*gridseg.Unit
	return run.B.X == x0 && run.A.X == x1 && run.A.Y == run.B.Y &&
		run.HasGhost1 && run.Ghost1.X > x1 && run.Ghost1.Y == run.A.Y &&
		run.HasGhost2 && run.Ghost2.X < x0 && run.Ghost2.Y == run.A.Y
}

// unionRect returns the smallest rectangle that holds a and b.
func unionRect(a, b gridseg.Rect) gridseg.Rect {
	return gridseg.Rect{
		MinX: min(a.MinX, b.MinX), MinY: min(a.MinY, b.MinY),
		MaxX: max(a.MaxX, b.MaxX), MaxY: max(a.MaxY, b.MaxY),
	}
}

// containsRect reports whether b holds all of a.
func containsRect(a, b gridseg.Rect) bool {
	return a.MinX >= b.MinX && a.MinY >= b.MinY && a.MaxX <= b.MaxX && a.MaxY <= b.MaxY
}

// collectSolid collects the segments in the cells of r without one-way tiles, not joined
// into runs.
func (w *World) collectSolid(sq *surfaceQuery, g *ground, r gridseg.Rect) {
	if w.oneWayMaterials > 0 && w.collectOneWay(sq, g, r, nil) {
		sq.dropPassable(nil)
		sq.insert()
		sq.KeepCells(r)
		return
	}
	sq.ListSurface(g.grid, r)
}

// filterSweep collects the segments in the cells of r that stop the shape s in its motion
// through a step, joined into runs or not; it returns false as filterOneWay does. The origin
// is the start of the motion, in the ground.
func (w *World) filterSweep(sq *surfaceQuery, gi int32, s *shape, r gridseg.Rect, origin geom.Vec, runs bool) bool {
	c := w.contactOn(gi, s)
	now := w.lastPose(c.bodyA, true).InvMul(w.lastPose(c.bodyB, true))
	now.P = now.P.Sub(origin)
	oq := w.oneWayQueryOf(c, c.manifolds, now, origin, true)
	all := r
	if at, ok := oq.cellsMet(w); ok {
		all = unionRect(r, at)
	}
	if !w.collectOneWay(sq, oq.g, all, &oq) {
		return false
	}
	if runs {
		sq.dropBehindOneWay(&oq)
		sq.dropPassable(&oq)
		sq.relink()
		sq.KeepCells(r)
		sq.Join()
		return true
	}
	sq.dropPassable(&oq)
	sq.Segments = append(sq.Segments, sq.buried...)
	return true
}

// contactOn returns the contact of the shape s with the ground in slot gi. If there is none,
// since the shape was not near at the start of the step, it returns an empty one in scratch.
func (w *World) contactOn(gi int32, s *shape) *contactState {
	b := w.bodies.At(s.body)
	for l := b.firstContact; l >= 0; {
		c := w.contacts.At(l >> 1)
		if c.ground == gi && w.shapes.At(c.shapeB) == s {
			return c
		}
		l = c.next[l&1]
	}
	si := b.firstShape
	for w.shapes.At(si) != s {
		si = w.shapes.At(si).next
	}
	w.scratch.noContact = contactState{shapeA: -1, shapeB: si, ground: gi, chain: -1, bodyA: w.grounds.At(gi).body, bodyB: s.body}
	return &w.scratch.noContact
}

// collectOneWay collects the segments and the buried faces of the cells of r and of the ring
// around them, which relinking the vertices in r needs. With a query it also classifies the
// one-way faces. It returns false if there is no one-way tile.
func (w *World) collectOneWay(sq *surfaceQuery, g *ground, r gridseg.Rect, oq *oneWayQuery) bool {
	r = surface.GrowRect(r)
	at := g.version + w.oneWayVersion // neither number ever decreases
	if oq != nil && oq.c.plainAt == at && containsRect(r, oq.c.plainCells) {
		return false
	}
	w.listOneWay(sq, g, r)
	if len(sq.oneWayCells) == 0 {
		if oq != nil {
			oq.c.plainCells, oq.c.plainAt = r, at
		}
		return false
	}
	w.collectBuried(sq, g)
	sq.Segments = g.grid.AppendSegments(sq.Segments[:0], r)
	if g.grid.Preserves() {
		sq.CancelPreserved() // and the preserved faces of solid tiles are uncovered now
	}
	sq.oneWays, sq.states = sq.oneWays[:0], sq.states[:0]
	sq.platforms.Reset(len(sq.Segments))
	for i := range sq.Segments {
		sq.oneWays = append(sq.oneWays, w.oneWayOf(g, sq.Segments[i].Tile))
		sq.states = append(sq.states, 0)
	}
	if oq == nil {
		return true
	}
	for i := range sq.Segments {
		s := &sq.Segments[i]
		if !sq.isOneWayFace(i) {
			continue
		}
		if j := sq.IndexOf(s.Next); s.HasGhost2 && j >= 0 && sq.isOneWayFace(j) {
			sq.platforms.Join(int32(i), int32(j))
		}
	}
	w.listSiblings(sq, oq)
	for i := range sq.Segments {
		if sq.isOneWayFace(i) {
			v := oq.stateOf(sq, &sq.Segments[i], sq.oneWays[i])
			sq.states[i] |= v
			sq.states[sq.platforms.Root(int32(i))] |= v & ofPlatform
		}
	}
	return true
}

// isOneWayFace reports whether segment i is a face of a one-way tile that can stop a shape.
func (sq *surfaceQuery) isOneWayFace(i int) bool {
	s := &sq.Segments[i]
	return sq.oneWays[i] != NotOneWay && sq.oneWays[i].stops(s.A, s.B)
}

// passable reports whether segment i is such a face and does not stop the shape.
func (sq *surfaceQuery) passable(i int32, oq *oneWayQuery) bool {
	return sq.isOneWayFace(int(i)) && !oq.stops(sq.states[i], sq.states[sq.platforms.Root(i)])
}

// blocks reports whether segment i stops the shape; without a query no one-way face does.
func (sq *surfaceQuery) blocks(i int, oq *oneWayQuery) bool {
	if sq.oneWays[i] == NotOneWay {
		return true
	}
	return oq != nil && sq.isOneWayFace(i) && !sq.passable(int32(i), oq)
}

// dropBehindOneWay removes the buried faces that are behind one-way faces that stop the
// shape and share a vertex with them: a shape in front of those cannot reach them, and would
// trip over their ends.
func (sq *surfaceQuery) dropBehindOneWay(oq *oneWayQuery) {
	n := 0
	for i := range sq.buried {
		if h := &sq.buried[i]; !sq.behindOneWay(h, h.A, oq) && !sq.behindOneWay(h, h.B, oq) {
			sq.buried[n] = *h
			n++
		}
	}
	sq.buried = sq.buried[:n]
}

// behindOneWay reports whether the buried face h is behind a one-way face that stops the
// shape and has the vertex p, which is an end of h.
func (sq *surfaceQuery) behindOneWay(h *gridseg.Segment, p gridseg.Point, oq *oneWayQuery) bool {
	for _, k := range sq.SegmentsAt(p) {
		for i := k.From; i < k.To; i++ {
			s := &sq.Segments[i]
			if (s.A == p || s.B == p) && sq.oneWays[i] != NotOneWay && leftOf(s, h.A)+leftOf(s, h.B) > 0 && sq.blocks(i, oq) {
				return true
			}
		}
	}
	return false
}

// dropPassable removes the segments that do not stop the shape.
func (sq *surfaceQuery) dropPassable(oq *oneWayQuery) {
	sq.dirtyVertices = sq.dirtyVertices[:0]
	for i := range sq.Segments {
		if !sq.blocks(i, oq) {
			sq.dirtyVertices = append(sq.dirtyVertices, sq.Segments[i].A, sq.Segments[i].B)
			sq.Segments[i].Edge = removedEdge
		}
	}
	n := 0
	for i := range sq.Segments {
		if s := &sq.Segments[i]; s.Edge != removedEdge {
			sq.Segments[n], sq.oneWays[n] = *s, sq.oneWays[i]
			n++
		}
	}
	sq.Segments, sq.oneWays = sq.Segments[:n], sq.oneWays[:n]
}

// removedEdge marks a segment to be removed; no polygon has so many edges.
const removedEdge = 0xffff

// leftOf is positive if the point p is on the left of s, where the solid is, and negative on
// the right.
func leftOf(s *gridseg.Segment, p gridseg.Point) int64 {
	return (s.B.X-s.A.X)*(p.Y-s.A.Y) - (s.B.Y-s.A.Y)*(p.X-s.A.X)
}

// insert adds the buried faces at their places in the order of segments.
func (sq *surfaceQuery) insert() {
	if len(sq.buried) > 0 {
		sq.Segments = append(sq.Segments, sq.buried...)
		slices.SortFunc(sq.Segments, func(a, b gridseg.Segment) int { return compareIDs(a.ID, b.ID) })
	}
}

// relink adds the buried faces and links the vertices again where segments were removed or
// added.
func (sq *surfaceQuery) relink() {
	for i := range sq.buried {
		sq.dirtyVertices = append(sq.dirtyVertices, sq.buried[i].A, sq.buried[i].B)
	}
	sq.insert()
	if n := len(sq.dirtyVertices); n > contact.Few {
		sq.dirtyTable.Clear()
		sq.dirtyTable.Reserve((n + 1) / 2)
		for i, p := range sq.dirtyVertices {
			sq.dirtyTable.Put(contact.Feature{X: p.X, Y: p.Y}, int32(i))
		}
	}
	for i := range sq.Segments {
		s := &sq.Segments[i]
		if sq.isDirty(s.B) {
			sq.LinkEnd(s)
		}
		if sq.isDirty(s.A) {
			sq.LinkStart(s)
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
func (sq *surfaceQuery) isDirty(p gridseg.Point) bool {
	if len(sq.dirtyVertices) > contact.Few {
		for i := sq.dirtyTable.First(contact.Feature{X: p.X, Y: p.Y}); i > 0; i = sq.dirtyTable.Next(i) {
			if sq.dirtyVertices[i-1] == p {
				return true
			}
		}
		return false
	}
	return slices.Contains(sq.dirtyVertices, p)
}
