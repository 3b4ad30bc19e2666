package quarry

import (
	"cmp"
	"math"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/surface"
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
	for _, h := range w.broad.Grid.AppendRay(room[:0], origin, d, 1, broad.Dynamic|broad.Fixed|broad.Grounds|broad.Chains) {
		if h.T > best.Fraction {
			break // all later boxes begin beyond the best hit
		}
		p := w.broad.At(h.ID)
		if p.Category&mask == 0 {
			continue
		}
		t := w.bodies.At(p.Body).transform()
		if hit := w.castAt(p.Owner, t.Inv(origin), t.Q.Inv(d), best.Fraction); hit.Fraction < best.Fraction {
			hit.Normal = t.Q.Apply(hit.Normal)
			best = hit
		}
	}
	if best.Fraction > 1 {
		return RayHit{}, false
	}
	best.Point = origin.MulAdd(best.Fraction, d)
	return best, true
}

// castAt returns the hit of a ray with o, in the frame of its body: only Point is not set. A
// Fraction of most or more is no hit.
func (w *World) castAt(o broad.Owner, origin, d geom.Vec, most float64) RayHit {
	switch i := o.Slot(); o.Kind() {
	case broad.Ground:
		if hit, ok := w.grounds.At(i).tiles.Grid.RayCast(origin.X, origin.Y, d.X, d.Y); ok {
			return RayHit{
				Ground: GroundID(w.grounds.ID(i)), Cell: hit.Segment.ID.Cell, Tile: hit.Segment.Tile,
				Fraction: hit.Fraction, Normal: geom.V(hit.NX, hit.NY),
			}
		}
	case broad.Chain:
		r := surface.ChainRay{Origin: origin, Dir: d, Fraction: most, Face: -1}
		if n, segment := w.chains.At(i).RayCast(&r); r.Face >= 0 {
			return RayHit{Chain: ChainID(w.chains.ID(i)), Segment: segment, Fraction: r.Fraction, Normal: n}
		}
	default:
		if hit, ok := w.shapes.At(i).geometry.RayCast(origin, d); ok {
			return RayHit{Shape: ShapeID(w.shapes.ID(i)), Fraction: hit.Fraction, Normal: hit.Normal}
		}
	}
	return RayHit{Fraction: most}
}

// AppendOverlaps appends the shapes, sensors too, whose tight boxes (see Shape.Bounds) share a point
// with box (in the world, closed), in an order that depends only on the calls made, and returns the
// extended slice. For grounds use Ground.AppendSegments, for chains AppendChains.
func (w *World) AppendOverlaps(dst []ShapeID, box geom.AABB) []ShapeID {
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
		s.Dropped += w.broad.At(sh.proxy).Dropped()
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
