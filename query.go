package quarry

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/query"
)

// QueryFilter chooses the shapes, tiles and chain segments that a query finds. The zero value finds all shapes but sensors, all tiles and all
// chains.
type QueryFilter struct {
	// Mask is the set of categories that the query finds; 0 means all. A shape, ground or chain is found if
	// its Category is in Mask.
	Mask uint64
	// Category is the set of categories that the query belongs to: it finds a shape, ground or chain with one
	// of them in its Mask. 0 does not ask masks.
	Category uint64
	// Except is a body whose shapes, grounds and chains are not found, such as the body that casts the ray;
	// 0 for none.
	Except BodyID
	// Sensors also finds sensors.
	Sensors bool
	// Solid makes the start count: a ray that starts in a shape or in solid ground hits it at Fraction 0,
	// and a cast shape hits all that it touches at the start, whichever way it moves. Otherwise a ray
	// passes through a target in which it starts, and a target in touch at the start stops a cast shape only
	// if the shape moves deeper into it.
	Solid bool
	// OneWay says how one-way tiles answer.
	OneWay OneWayRule
	// Test, unless nil, is asked for each shape, and for each tile and chain segment that would be found;
	// false leaves it out. It must be a pure function: it may be called for targets that the query does not
	// return, in any order, and by several goroutines at once if they query at once. It must
	// not change the world. A tile left out does not uncover the buried faces of its neighbours.
	Test func(Target) bool
}

// OneWayRule says how one-way tiles answer a query.
type OneWayRule uint8

const (
	// OneWaySolid tiles are solid from all sides, like others.
	OneWaySolid = OneWayRule(query.AsSolid)
	// OneWayAsBodies tiles stop rays and cast shapes as they stop bodies: only by the faces in their
	// direction, and only if the ray or shape comes from the front. Elsewhere they are air, and the solid tiles beside them have
	// their faces. Overlaps do not find them.
	OneWayAsBodies = OneWayRule(query.AsBodies)
	// OneWayIgnored tiles are air, as for a body that drops through.
	OneWayIgnored = OneWayRule(query.AsNone)
)

// Target is a place found by a query: a shape, a tile of a ground, or a segment of a chain.
type Target struct {
	Body     BodyID
	Shape    ShapeID      // 0 if it is not a shape
	Ground   GroundID     // 0 if it is not a ground
	Cell     gridseg.Cell // of a ground
	Tile     gridseg.Tile // of a ground
	Chain    ChainID      // 0 if it is not a chain
	Segment  int          // of a chain
	Material MaterialID   // of the shape, the tile or the segment
}

// CastHit is where a ray or a cast shape hits a target.
type CastHit struct {
	Target
	// Fraction is the fraction of the motion up to the hit, in [0, 1].
	Fraction float64
	Point    geom.Vec // of the target, in the world
	Normal   geom.Vec // unit, in the world, out of the target
	// Overlap reports that a cast shape touched or overlapped the target at the start, or that the ray
	// started in it: Fraction is 0. Normal is the way out for a shape, and against the ray for a ray.
	Overlap bool
}

// asker is a query in progress: its filter and its working memory. The world keeps askers for later
// queries, so that a warm query allocates nothing, and concurrent ones have one each.
type asker struct {
	w      *World
	filter QueryFilter
	kinds  uint64 // categories of the broad phase
	target Target // of the proxy in work
	of     query.Target
	frame  geom.Transform
	probe  query.Probe
	query.Scratch
	boxes []grid.Hit
	near  []grid.ID
	hits  []query.Hit
}

// ask returns an asker. Give it back to w.askers.
func (w *World) ask(f *QueryFilter) *asker {
	w.mustBeMade()
	a := w.askers.Take()
	a.w, a.filter, a.Judge, a.kinds = w, *f, nil, broad.Dynamic|broad.Fixed|broad.Surfaces
	a.filter.Mask = cmp.Or(f.Mask, math.MaxUint64)
	if f.Test != nil {
		a.Judge = a
	}
	if f.Sensors {
		a.kinds |= broad.Sensors
	}
	a.probe.Solid, a.probe.Ways, a.probe.Ray = f.Solid, query.Ways(min(f.OneWay, OneWayIgnored)), false
	return a
}

// done gives a back.
func (a *asker) done() {
	a.filter.Test = nil
	a.w.askers.Give(a)
}

// Admits implements query.Judge.
func (a *asker) Admits(at query.Place) bool { return a.filter.Test(a.at(&at)) }

// at returns the target in work, at a place of it.
func (a *asker) at(p *query.Place) Target {
	t := a.target
	if t.Shape == 0 {
		t.Cell, t.Tile, t.Segment, t.Material = p.Cell, p.Tile, p.Segment, MaterialID(p.Material)
	}
	return t
}

// begin makes e the proxy in work, and returns false if the filter leaves it out.
func (a *asker) begin(e *broad.Entry) bool {
	f, w := &a.filter, a.w
	if e.Category&f.Mask == 0 || f.Category != 0 && e.Mask&f.Category == 0 {
		return false
	}
	a.target = Target{Body: BodyID(w.bodies.ID(e.Body))}
	if f.Except != 0 && a.target.Body == f.Except {
		return false
	}
	a.frame = w.bodies.At(e.Body).transform()
	i := e.Owner.Slot()
	a.target.Shape, a.target.Ground, a.target.Chain = w.idsOf(e.Owner)
	switch e.Owner.Kind() {
	case broad.Ground:
		a.of = query.Target{Tiles: &w.grounds.At(i).tiles, Box: w.grounds.At(i).bounds()}
	case broad.Chain:
		a.of = query.Target{Chain: &w.chains.At(i).Chain}
	default:
		s := w.shapes.At(i)
		a.of, a.target.Material = query.Target{Shape: s.geometry, Hull: &s.hull}, s.material
		return f.Test == nil || f.Test(a.target)
	}
	return true
}

// castHit returns h, of the target in work, in the world; center is that of the probe.
func (a *asker) castHit(h *query.Hit, center geom.Vec) CastHit {
	return CastHit{
		Target: a.at(&h.Place), Fraction: h.Fraction, Normal: a.frame.Q.Apply(h.Normal).Add(geom.Vec{}), // without -0
		Point: center.Add(a.frame.Q.Apply(h.Point)), Overlap: h.Overlap,
	}
}

// RayCast returns the first hit of the ray from origin to origin+d on the shapes, tiles and chains that
// f finds. The ray passes through chains from behind and, unless f.Solid is set, through shapes and
// ground in which it starts. A ray that is not finite, or has no length, hits nothing.
func (w *World) RayCast(origin, d geom.Vec, f QueryFilter) (CastHit, bool) {
	a := w.ask(&f)
	hit, ok := a.closest(geom.At(origin), &query.PointHull, d, false)
	a.done()
	return hit, ok
}

// RayBlocked reports whether the ray hits anything, as in RayCast. It stops at the first hit that it
// finds: use it for lines of sight.
func (w *World) RayBlocked(origin, d geom.Vec, f QueryFilter) bool {
	a := w.ask(&f)
	_, ok := a.closest(geom.At(origin), &query.PointHull, d, true)
	a.done()
	return ok
}

// AppendRayHits appends all hits of the ray, as in RayCast, in the order of Fraction, and returns the
// extended slice: a shape once, and a ground and a chain at each place where the ray enters it. Hits at
// one Fraction are in an order that depends only on the calls made.
func (w *World) AppendRayHits(dst []CastHit, origin, d geom.Vec, f QueryFilter) []CastHit {
	a := w.ask(&f)
	dst = a.appendHits(dst, geom.At(origin), &query.PointHull, d)
	a.done()
	return dst
}

// AppendShapesIn appends the shapes, sensors too, whose tight boxes (see Shape.Bounds) share a point
// with box (in the world, closed), in an order that depends only on the calls made, and returns the
// extended slice. For exact overlaps, and for grounds and chains, use AppendOverlaps.
func (w *World) AppendShapesIn(dst []ShapeID, box geom.AABB) []ShapeID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.broad.Grid.AppendOverlaps(room[:0], box, broad.Shapes) {
		si := w.broad.At(id).Owner.Slot()
		s := w.shapes.At(si)
		if s.hull.Bounds(w.bodies.At(s.body).transform()).Overlaps(box) {
			dst = append(dst, ShapeID(w.shapes.ID(si)))
		}
	}
	return dst
}

// AppendShapesAt appends the shapes, sensors too, that contain the world point p, borders
// included, in an order that depends only on the calls made, and returns the extended slice.
// A segment contains no point; for grounds use Ground.Solid.
func (w *World) AppendShapesAt(dst []ShapeID, p geom.Vec) []ShapeID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.broad.Grid.AppendPoint(room[:0], p, broad.Shapes) {
		si := w.broad.At(id).Owner.Slot()
		s := w.shapes.At(si)
		if s.geometry.Contains(w.bodies.At(s.body).transform().Inv(p)) {
			dst = append(dst, ShapeID(w.shapes.ID(si)))
		}
	}
	return dst
}

// Stats counts the contents of a world.
type Stats struct {
	Bodies, Awake, Shapes int
	// Contacts is the number of pairs of shapes, and of shapes and grounds or chains, whose
	// boxes in the broad phase overlap; Touching of those with a contact point; Points of
	// their contact points.
	Contacts, Touching, Points int
	// Dropped is the number of pairs of shapes that overlap, or nearly, without a contact,
	// because the boxes of each overlap those of more than 64 shapes of other dynamic bodies
	// and the pair is not among the 8 deepest of either shape, or not among the 16 deepest
	// that a body keeps. It is 0 in most worlds.
	Dropped int
	// Segments and Tiles are the totals of all grounds.
	Segments, Tiles int
	// Chains is the number of chains, ChainSegments the total of their segments.
	Chains, ChainSegments int
}

// Stats counts the present contents of the world.
func (w *World) Stats() Stats {
	s := Stats{Bodies: w.bodies.Len(), Shapes: w.shapes.Len(), Contacts: w.contacts.Len(), Chains: w.chains.Len()}
	for _, b := range w.bodies.All() {
		if b.kind != Static && b.awake {
			s.Awake++
		}
	}
	for i, c := range w.contacts.All() {
		if c.touching && !c.sensor {
			s.Touching++
		}
		for m := range w.manifoldsOf(i, c) {
			s.Points += int(m.N)
		}
	}
	for _, sh := range w.shapes.All() {
		if sh.proxy != broad.None {
			s.Dropped += w.broad.At(sh.proxy).Dropped()
		}
	}
	s.Dropped /= 2 // each pair is counted at both shapes
	for _, g := range w.grounds.All() {
		tiles, segments := g.tiles.Grid.Count()
		s.Tiles += tiles
		s.Segments += segments
	}
	for _, c := range w.chains.All() {
		s.ChainSegments += c.Segments()
	}
	return s
}
