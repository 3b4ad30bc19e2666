package quarry

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
)

// RayHit is the hit of a ray on a shape, a ground or a chain.
type RayHit struct {
	Shape   ShapeID  // 0 if a ground or chain was hit
	Ground  GroundID // 0 if no ground was hit
	Cell    gridseg.Cell
	Tile    gridseg.Tile
	Chain   ChainID // 0 if no chain was hit
	Segment int     // of the chain
	// Fraction is the fraction of the ray's length up to the hit, in [0, 1].
	Fraction float64
	Point    geom.Vec // in the world
	Normal   geom.Vec // unit, in the world, outward
}

// RayCast returns the first hit of the ray from origin to origin+d on the shapes, grounds
// and chains with a category in mask; 0 means all. The ray passes through sensors, through
// shapes and ground in which it starts, and through chains from behind. A ray that is not
// finite, or has no length, hits nothing.
func (w *World) RayCast(origin, d geom.Vec, mask uint64) (RayHit, bool) {
	w.mustBeMade()
	if !origin.IsFinite() || !d.IsFinite() {
		return RayHit{}, false
	}
	mask = cmp.Or(mask, math.MaxUint64)
	best := RayHit{Fraction: math.MaxFloat64}
	var room [32]grid.Hit
	for _, h := range w.broad.AppendRay(room[:0], origin, d, 1, inDynamic|inFixed|inGrounds|inChains) {
		if h.T > best.Fraction {
			break // all later boxes begin beyond the best hit
		}
		switch p := w.proxyAt(h.ID); p.kind() {
		case shapeProxy:
			w.rayShape(&best, p.slot(), origin, d, mask)
		case groundProxy:
			w.rayGround(&best, p.slot(), origin, d, mask)
		case chainProxy:
			w.rayChain(&best, p.slot(), origin, d, mask)
		}
	}
	if best.Fraction > 1 {
		return RayHit{}, false
	}
	best.Point = origin.MulAdd(best.Fraction, d)
	return best, true
}

// rayShape sets best to the hit of the ray with the shape in slot si, if its category is in
// mask and the ray meets it before best.
func (w *World) rayShape(best *RayHit, si int32, origin, d geom.Vec, mask uint64) {
	s := w.shapes.At(si)
	if s.category&mask == 0 {
		return
	}
	t := w.bodies.At(s.body).transform()
	hit, ok := s.geometry.RayCast(t.Inv(origin), t.Q.Inv(d))
	if ok && hit.Fraction < best.Fraction {
		*best = RayHit{Shape: ShapeID(w.shapes.ID(si)), Fraction: hit.Fraction, Normal: t.Q.Apply(hit.Normal)}
	}
}

// rayGround is rayShape for the ground in slot gi.
func (w *World) rayGround(best *RayHit, gi int32, origin, d geom.Vec, mask uint64) {
	g := w.grounds.At(gi)
	if g.category&mask == 0 {
		return
	}
	t := w.bodies.At(g.body).transform()
	o, e := t.Inv(origin), t.Q.Inv(d)
	if hit, ok := g.tiles.Grid.RayCast(o.X, o.Y, e.X, e.Y); ok && hit.Fraction < best.Fraction {
		*best = RayHit{
			Ground: GroundID(w.grounds.ID(gi)), Cell: hit.Segment.ID.Cell, Tile: hit.Segment.Tile,
			Fraction: hit.Fraction, Normal: t.Q.Apply(geom.V(hit.NX, hit.NY)),
		}
	}
}

// AppendOverlaps appends the shapes, sensors too, whose tight boxes (see Shape.Bounds) share
// a point with box (in the world, closed), in an order that depends only on the calls made,
// and returns the extended slice. For grounds use Ground.AppendSegments, for chains
// AppendChains.
func (w *World) AppendOverlaps(dst []ShapeID, box geom.AABB) []ShapeID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.broad.AppendOverlaps(room[:0], box, inShapes) {
		si := w.proxyAt(id).slot()
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
	for _, id := range w.broad.AppendPoint(room[:0], p, inShapes) {
		si := w.proxyAt(id).slot()
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
	for _, c := range w.contacts.All() {
		n := 0
		for k := range c.manifolds {
			n += c.manifolds[k].N
		}
		if n > 0 {
			s.Touching++
			s.Points += n
		}
	}
	for _, sh := range w.shapes.All() {
		s.Dropped += int(sh.dropped)
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
