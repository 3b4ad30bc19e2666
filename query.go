package quarry

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/query"
)

// QueryFilter chooses the shapes, tiles and chain segments that a query finds. The zero value finds all shapes but
// sensors, all tiles and all chains.
type QueryFilter struct {
	// Mask is the set of categories that the query finds; 0 means all. A shape, ground or chain is found if
	// its Category is in Mask.
	Mask uint64
	// Category is the set of categories that the query belongs to: it finds a shape, ground or chain with one of
	// them in its Mask. With 0, masks do not matter.
	Category uint64
	// Except is a body whose shapes, grounds and chains are not found, such as the body that casts the ray;
	// 0 for none.
	Except BodyID
	// ExceptShape is a shape that is not found; 0 for none.
	ExceptShape ShapeID
	// Types is the set of types of bodies whose shapes, grounds and chains are found, such as DynamicBodies for a
	// hook that only holds dynamic bodies; 0 means all.
	Types BodyTypes
	// Sensors also finds sensors.
	Sensors bool
	// Solid makes the start count: a ray that starts in a shape or in solid ground hits it at Fraction 0, and a
	// cast shape hits all targets that it touches at the start, whichever way it moves. Otherwise a ray passes
	// through a target in which it starts, and a target in touch at the start stops a cast shape only if the shape
	// moves deeper into it.
	Solid bool
	// OneWay chooses whether one-way tiles are found.
	OneWay OneWayQuery
	// Test, unless nil, is called for each shape, and for each tile and chain segment that would be found; if it
	// returns false, the query leaves out the target. Test must be a pure function that does not change the world.
	// It may be called for targets that the query does not return, in any order, and concurrently if several
	// goroutines query. A tile left out does not uncover the buried faces of its neighbours.
	Test func(Target) bool
}

// BodyTypes is a set of types of bodies: StaticBodies|KinematicBodies leaves out dynamic ones.
type BodyTypes uint8

const (
	StaticBodies    BodyTypes = 1 << Static
	KinematicBodies BodyTypes = 1 << Kinematic
	DynamicBodies   BodyTypes = 1 << Dynamic
)

// OneWayQuery is how a query treats one-way tiles.
type OneWayQuery uint8

const (
	// OneWaySolid tiles are solid from all sides, like others.
	OneWaySolid = OneWayQuery(query.AsSolid)
	// OneWayAsBodies tiles stop rays and cast shapes as they stop bodies: only by the faces in their direction, and
	// only if the ray or shape comes from the front. From other sides they are air, and the solid tiles beside them
	// have the faces that they share. Overlaps do not find them.
	OneWayAsBodies = OneWayQuery(query.AsBodies)
	// OneWayIgnored tiles are air, as for a body that drops through.
	OneWayIgnored = OneWayQuery(query.AsNone)
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

// CastHit is the place at which a ray or a cast shape hits a target.
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

// asker is a query in progress: its filter and its working memory. The world keeps askers for later queries, so
// that a warm query allocates nothing. Each concurrent query has an asker of its own.
type asker struct {
	query.Search
	w      *World
	filter QueryFilter
	target Target // of the current proxy
}

// ask returns an asker. Give it back to w.askers.
func (w *World) ask(f *QueryFilter) *asker {
	w.mustBeMade()
	a := w.askers.Take()
	a.w, a.filter, a.Judge, a.Kinds = w, *f, nil, broad.Dynamic|broad.Fixed|broad.Surfaces
	a.Grid, a.Source = w.state.Broad.Grid, a
	a.filter.Mask = cmp.Or(f.Mask, math.MaxUint64)
	if f.Test != nil {
		a.Judge = a
	}
	if f.Sensors {
		a.Kinds |= broad.Sensors
	}
	a.Probe.Solid, a.Probe.Ways, a.Probe.Ray = f.Solid, query.Ways(min(f.OneWay, OneWayIgnored)), false
	return a
}

// done gives a back.
func (a *asker) done() {
	a.filter.Test = nil
	a.w.askers.Give(a)
}

// Admits implements query.Judge.
func (a *asker) Admits(at query.Place) bool { return a.filter.Test(a.at(&at)) }

// at returns the current target, at a place of it.
func (a *asker) at(p *query.Place) Target {
	t := a.target
	if t.Shape == 0 {
		t.Cell, t.Tile, t.Segment, t.Material = p.Cell, p.Tile, p.Segment, MaterialID(p.Material)
	}
	return t
}

// Begin implements query.Source.
func (a *asker) Begin(id grid.ID) bool {
	f, w := &a.filter, a.w
	e := w.state.Broad.At(id)
	if e.Category&f.Mask == 0 || f.Category != 0 && e.Mask&f.Category == 0 ||
		f.Types != 0 && f.Types>>e.BodyType&1 == 0 {
		return false
	}
	a.target = Target{Body: BodyID(w.state.Bodies.ID(e.Body))}
	if f.Except != 0 && a.target.Body == f.Except {
		return false
	}
	a.Frame = w.state.Bodies.At(e.Body).Transform()
	a.target.Shape, a.target.Ground, a.target.Chain = w.idsOf(e.Owner)
	if a.Of = w.state.TargetOf(e.Owner); e.Owner.Kind() == broad.Shape {
		a.target.Material = MaterialID(w.state.Shapes.At(e.Owner.Slot()).Material)
		return (f.ExceptShape == 0 || a.target.Shape != f.ExceptShape) && (f.Test == nil || f.Test(a.target))
	}
	return true
}

// castHit converts a hit on the current target.
func (a *asker) castHit(h *query.Hit) CastHit {
	return CastHit{Target: a.at(&h.Place), Fraction: h.Fraction, Point: h.Point, Normal: h.Normal, Overlap: h.Overlap}
}

// closest returns the first hit of the hull h, which moves by d from the pose at; with anyHit some hit.
func (a *asker) closest(at geom.Transform, h *collide.Hull, d geom.Vec, anyHit bool) (best CastHit, ok bool) {
	for hit := range a.Closest(at, h, d, anyHit) {
		best, ok = a.castHit(hit), true
	}
	return best, ok
}

// appendHits appends all hits of the hull h, which moves by d from the pose at, in order.
func (a *asker) appendHits(dst []CastHit, at geom.Transform, h *collide.Hull, d geom.Vec) []CastHit {
	from := len(dst)
	for hit := range a.All(at, h, d) {
		dst = append(dst, a.castHit(hit))
	}
	slices.SortStableFunc(dst[from:], func(a, b CastHit) int { return cmp.Compare(a.Fraction, b.Fraction) })
	return dst
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

// ShapeCast moves the shape s, in its frame at, by d without rotation, and returns where it first touches a shape,
// tile or chain that f finds: the fraction of d, the point of the target and its normal there.
//
// A target that s touches or overlaps at the start stops s at Fraction 0, with Overlap set, if s moves deeper,
// against the normal; the normal is then the shortest way out. A target that s leaves, or slides along, does not
// stop s; f.Solid makes every overlap a hit. Grounds and chains are one-sided: s stops at their fronts. Seams do
// not stop it: a normal is a face's, or lies between the normals of the two faces at a convex corner.
//
// A motion that is not finite, and a shape that is not Valid, hit nothing.
func (w *World) ShapeCast(s geom.Shape, at geom.Transform, d geom.Vec, f QueryFilter) (CastHit, bool) {
	a := w.ask(&f)
	var hit CastHit
	h, ok := query.HullOf(s)
	if ok {
		hit, ok = a.closest(at, &h, d, false)
	}
	a.done()
	return hit, ok
}

// AppendShapeHits appends all targets that s touches as it moves by d, as in ShapeCast, in the order of
// Fraction, and returns the extended slice: each shape, ground and chain once, where s first touches it.
func (w *World) AppendShapeHits(dst []CastHit, s geom.Shape, at geom.Transform, d geom.Vec, f QueryFilter) []CastHit {
	a := w.ask(&f)
	if h, ok := query.HullOf(s); ok {
		dst = a.appendHits(dst, at, &h, d)
	}
	a.done()
	return dst
}

// Overlaps reports whether the shape s, in its frame at, shares a point with a target that f finds. Use it before a
// body is added, or a character stands up.
func (w *World) Overlaps(s geom.Shape, at geom.Transform, f QueryFilter) bool {
	a := w.ask(&f)
	defer a.done()
	if h, ok := query.HullOf(s); ok {
		for range a.Overlapping(at, &h, true) {
			return true
		}
	}
	return false
}

// AppendOverlaps appends the targets that share a point with the shape s, in its frame at, and returns
// the extended slice: each shape, each tile (also those inside of solid) and each chain segment, from
// either side. Borders count, up to rounding. The order depends only on the calls made. A frame that is
// not finite, and a shape that is not Valid, overlap nothing.
func (w *World) AppendOverlaps(dst []Target, s geom.Shape, at geom.Transform, f QueryFilter) []Target {
	a := w.ask(&f)
	defer a.done()
	if h, ok := query.HullOf(s); ok {
		for p := range a.Overlapping(at, &h, false) {
			dst = append(dst, a.at(p))
		}
	}
	return dst
}

// Plane is a contact plane: a target pushes a shape along Normal, from Point of its surface, until
// Separation is at least 0.
type Plane struct {
	Target
	Normal     geom.Vec // unit, in the world, out of the target
	Separation float64  // of the surfaces along Normal, units of length; negative if they overlap
	Point      geom.Vec // of the target, in the world; in the middle where two faces lie flat on each other
}

// AppendPlanes appends the contact planes of the shape s, in its frame at, with the targets that f finds,
// at most margin (units of length, at least 0) apart, and returns the extended slice: one for a shape, and
// one for each straight surface of a ground or chain, as a body of this shape would have there. A
// character mover stops at them. If the centroid of s is in solid ground, the plane is the plane of the nearest
// surface. The order depends only on the calls made. A frame that is not finite, a shape that is not Valid, and a
// margin that is negative, NaN or above 1e15 have no planes.
func (w *World) AppendPlanes(dst []Plane, s geom.Shape, at geom.Transform, margin float64, f QueryFilter) []Plane {
	a := w.ask(&f)
	defer a.done()
	h, ok := query.HullOf(s)
	if !ok || !(margin >= 0 && margin <= query.MostCast) {
		return dst
	}
	for hit := range a.AllPlanes(at, &h, margin) {
		dst = append(dst, Plane{
			Target: a.at(&hit.Place), Normal: hit.Normal, Separation: hit.Separation,
			Point: hit.Point,
		})
	}
	return dst
}

// NearHit is the point of a target nearest to a given point.
type NearHit struct {
	Target
	Point  geom.Vec // of the target's surface, in the world
	Normal geom.Vec // unit, in the world, out of the target
	// Distance is the distance of the surface from the given point, at least 0, also from inside.
	Distance float64
	// Inside reports that the given point is in the shape or in solid ground.
	Inside bool
}

// Nearest returns the point nearest to p, at most maxDist away, of the surfaces of the shapes, tiles and chains
// that f finds; with f.Solid, a point inside is itself the nearest, at distance 0. maxDist may be infinite. Chains
// count from both sides. If p is NaN, or maxDist is NaN or negative, ok is false. To find all targets within a
// distance, use AppendOverlaps with a circle.
func (w *World) Nearest(p geom.Vec, maxDist float64, f QueryFilter) (best NearHit, ok bool) {
	a := w.ask(&f)
	defer a.done()
	for hit := range a.Search.Nearest(p, maxDist) {
		ok, best = true, NearHit{
			a.at(&hit.Place), hit.Point, hit.Normal, math.Abs(hit.Separation),
			math.Signbit(hit.Separation),
		}
	}
	return best, ok
}

// AppendShapesIn appends the shapes, sensors too, whose tight boxes (see Shape.Bounds) share a point
// with box (in the world, closed), in an order that depends only on the calls made, and returns the
// extended slice. For exact overlaps, and for grounds and chains, use AppendOverlaps.
func (w *World) AppendShapesIn(dst []ShapeID, box geom.AABB) []ShapeID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.state.Broad.Grid.AppendOverlaps(room[:0], box, broad.Shapes) {
		si := w.state.Broad.At(id).Owner.Slot()
		s := w.state.Shapes.At(si)
		if s.Hull.Bounds(w.state.Bodies.At(s.Body).Transform()).Overlaps(box) {
			dst = append(dst, ShapeID(w.state.Shapes.ID(si)))
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
	for _, id := range w.state.Broad.Grid.AppendPoint(room[:0], p, broad.Shapes) {
		si := w.state.Broad.At(id).Owner.Slot()
		s := w.state.Shapes.At(si)
		if s.Geometry.Contains(w.state.Bodies.At(s.Body).Transform().Inv(p)) {
			dst = append(dst, ShapeID(w.state.Shapes.ID(si)))
		}
	}
	return dst
}

// Stats counts the contents of a world.
type Stats struct {
	Bodies, Awake, Shapes int
	// Contacts is the number of pairs whose boxes in the broad phase overlap, Touching the number of pairs that
	// touch, and Points the number of their contact points.
	Contacts, Touching, Points int
	// Dropped is the number of pairs of shapes that overlap, or nearly, without a contact,
	// because the boxes of each overlap more than 64 shapes of other dynamic bodies
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
	s := Stats{
		Bodies: w.state.Bodies.Len(), Shapes: w.state.Shapes.Len(), Contacts: w.state.Contacts.Len(),
		Chains: w.state.Chains.Len(),
	}
	for _, b := range w.state.Bodies.All() {
		if b.Type != broad.StaticBody && b.Awake {
			s.Awake++
		}
	}
	for i, c := range w.state.Contacts.All() {
		if c.Touching && !c.Sensor {
			s.Touching++
		}
		for m := range w.state.Contacts.ManifoldsOf(i, c) {
			s.Points += int(m.N)
		}
	}
	for _, sh := range w.state.Shapes.All() {
		if sh.Proxy != broad.None {
			s.Dropped += w.state.Broad.At(sh.Proxy).Dropped()
		}
	}
	s.Dropped /= 2 // each pair is counted at both shapes
	for _, g := range w.state.Grounds.All() {
		tiles, segments := g.Tiles.Grid.Count()
		s.Tiles += tiles
		s.Segments += segments
	}
	for _, c := range w.state.Chains.All() {
		s.ChainSegments += c.Segments()
	}
	return s
}
