package quarry

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/query"
)

// mostCast (units of length) bounds the coordinates of casts; it is beyond all bounds of the broad phase
// in cells of one unit. A longer motion is cut: squares of longer ones would overflow.
const mostCast = 1e15

// aim sets the probe's shape, and lists the boxes that it may touch in its motion by d, in order. It
// returns d, cut to mostCast, and the factor by which that shortened it. Of a motion that is not finite
// it lists nothing.
func (a *asker) aim(at geom.Transform, h *collide.Hull, d geom.Vec) (geom.Vec, float64) {
	a.probe.Hull, a.probe.Ray, a.boxes = *h, h == &query.PointHull, a.boxes[:0]
	longest := max(math.Abs(d.X), math.Abs(d.Y))
	if !at.P.IsFinite() || !(longest <= math.MaxFloat64) || a.probe.Ray && longest == 0 {
		return d, 1
	}
	cut := 1.0
	if longest > mostCast {
		cut = mostCast / longest
		d = geom.V(d.X*cut, d.Y*cut)
	}
	if a.probe.Ray {
		a.boxes = a.w.broad.Grid.AppendRay(a.boxes, at.P, d, 1, a.kinds)
	} else {
		a.boxes = a.w.broad.Grid.AppendBoxCast(a.boxes, h.Bounds(at).Expand(aabbMargin), d, 1, a.kinds)
	}
	return d, cut
}

// closest returns the first hit of the hull h, which moves by d from the pose at; with anyHit some hit.
func (a *asker) closest(at geom.Transform, h *collide.Hull, d geom.Vec, anyHit bool) (best CastHit, ok bool) {
	d, cut := a.aim(at, h, d)
	most := float64(query.Beyond)
	center := at.Apply(h.Centroid)
	for _, b := range a.boxes {
		if b.T > most || anyHit && ok {
			break // all later boxes begin beyond the best hit
		}
		if !a.begin(a.w.broad.At(b.ID)) {
			continue
		}
		a.probe.Place(a.frame, at, d)
		if hit, found := a.Cast(&a.probe, &a.of, most); found && hit.Fraction < most {
			most, ok = hit.Fraction, true
			best = a.castHit(&hit, center)
		}
	}
	return a.finish(best, at, d, cut), ok
}

// finish computes the point of a ray's hit, and the fraction of the whole motion.
func (a *asker) finish(hit CastHit, at geom.Transform, d geom.Vec, cut float64) CastHit {
	if a.probe.Ray {
		hit.Point = at.P.MulAdd(hit.Fraction, d)
	}
	hit.Fraction *= cut
	return hit
}

// appendHits appends all hits, in order.
func (a *asker) appendHits(dst []CastHit, at geom.Transform, h *collide.Hull, d geom.Vec) []CastHit {
	from := len(dst)
	d, cut := a.aim(at, h, d)
	center := at.Apply(h.Centroid)
	for _, b := range a.boxes {
		if !a.begin(a.w.broad.At(b.ID)) {
			continue
		}
		a.probe.Place(a.frame, at, d)
		a.hits = a.Hits(a.hits[:0], &a.probe, &a.of)
		for k := range a.hits {
			dst = append(dst, a.finish(a.castHit(&a.hits[k], center), at, d, cut))
		}
	}
	slices.SortStableFunc(dst[from:], func(a, b CastHit) int { return cmp.Compare(a.Fraction, b.Fraction) })
	return dst
}

// ShapeCast moves the shape s, in its frame at, by d without rotation, and returns where it first
// touches the shapes, tiles and chains that f finds: the fraction of d, the point of the target and its
// normal there.
//
// A target that s touches or overlaps at the start stops s at Fraction 0, with Overlap set, if s moves deeper:
// against the normal, which is the shortest way out. A target that s leaves, or slides along, does not stop s;
// f.Solid makes every overlap a hit. Grounds and chains are one-sided: s stops at their fronts, with no
// seams: a normal is that of a face, or lies between those of the two faces at a convex corner.
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

// Overlaps reports whether the shape s, in its frame at, shares a point with a target that f finds: use
// it before a body appears, or stands up.
func (w *World) Overlaps(s geom.Shape, at geom.Transform, f QueryFilter) bool {
	var one [1]Target
	return len(w.appendOverlaps(one[:0], s, at, &f, true)) > 0
}

// AppendOverlaps appends the targets that share a point with the shape s, in its frame at, and returns
// the extended slice: each shape, each tile (also those inside of solid) and each chain segment, from
// either side. Borders count, up to rounding. The order depends only on the calls made. A frame that is
// not finite, and a shape that is not Valid, overlap nothing.
func (w *World) AppendOverlaps(dst []Target, s geom.Shape, at geom.Transform, f QueryFilter) []Target {
	return w.appendOverlaps(dst, s, at, &f, false)
}

// appendOverlaps is AppendOverlaps; with one it stops at the first target.
func (w *World) appendOverlaps(dst []Target, s geom.Shape, at geom.Transform, f *QueryFilter, one bool) []Target {
	a := w.ask(f)
	defer a.done()
	h, ok := query.HullOf(s)
	if !ok {
		return dst
	}
	for range a.placed(at, &h, 0) {
		a.hits = a.Overlaps(a.hits[:0], &a.probe, &a.of, one)
		for k := range a.hits {
			if dst = append(dst, a.at(&a.hits[k].Place)); one {
				return dst
			}
		}
	}
	return dst
}

// placed yields the proxies whose boxes are within margin of the hull h in its frame at, with the probe
// placed in the frame of each.
func (a *asker) placed(at geom.Transform, h *collide.Hull, margin float64) func(func(*broad.Entry) bool) {
	return func(yield func(*broad.Entry) bool) {
		if !at.P.IsFinite() {
			return
		}
		a.probe.Hull = *h
		a.near = a.w.broad.Grid.AppendOverlaps(a.near[:0], h.Bounds(at).Expand(margin), a.kinds)
		for _, id := range a.near {
			e := a.w.broad.At(id)
			if !a.begin(e) {
				continue
			}
			if a.probe.Place(a.frame, at, geom.Vec{}); !yield(e) {
				return
			}
		}
	}
}

// Plane is a contact plane: a target pushes a shape along Normal, from Point of its surface, until
// Separation is at least 0.
type Plane struct {
	Target
	Normal     geom.Vec // unit, in the world, out of the target
	Separation float64  // of the surfaces along Normal, units of length; negative if they overlap
	Point      geom.Vec // of the target, in the world
}

// AppendPlanes appends the contact planes of the shape s, in its frame at, with the targets that f finds,
// at most margin (units of length, at least 0) apart, and returns the extended slice: one for a shape, and
// one for each straight surface of a ground or chain, as a body of this shape would have there. A
// character mover stops at them. If the centroid of s is in solid ground, the plane is that of the nearest
// surface. The order depends only on the calls made. A frame that is not finite, a shape that is not Valid, and a
// margin that is negative, NaN or above 1e15 have no planes.
func (w *World) AppendPlanes(dst []Plane, s geom.Shape, at geom.Transform, margin float64, f QueryFilter) []Plane {
	a := w.ask(&f)
	defer a.done()
	h, ok := query.HullOf(s)
	if !ok || !(margin >= 0 && margin <= mostCast) {
		return dst
	}
	center := at.Apply(h.Centroid)
	for range a.placed(at, &h, margin) {
		a.hits = a.Planes(a.hits[:0], &a.probe, &a.of, margin)
		for k := range a.hits {
			hit := a.castHit(&a.hits[k], center)
			dst = append(dst, Plane{Target: hit.Target, Normal: hit.Normal, Separation: a.hits[k].Separation, Point: hit.Point})
		}
	}
	return dst
}

// NearHit is the point of a target nearest to a given point.
type NearHit struct {
	Target
	Point  geom.Vec // of the target's surface, in the world
	Normal geom.Vec // unit, in the world, out of the target
	// Distance is that of the surface from the given point, at least 0: from inside, too.
	Distance float64
	// Inside reports that the given point is in the shape or in solid ground.
	Inside bool
}

// Nearest returns the point nearest to p, at most maxDist away, of the surfaces of the shapes, tiles and
// chains that f finds; with f.Solid, a point inside is itself the nearest, at distance 0. maxDist may be
// infinite. Chains count from both sides. If p or maxDist is NaN or negative, there is none. To find all
// targets within a distance, use AppendOverlaps with a circle.
func (w *World) Nearest(p geom.Vec, maxDist float64, f QueryFilter) (NearHit, bool) {
	a := w.ask(&f)
	defer a.done()
	return a.nearest(p, maxDist)
}

// nearest is Nearest. It searches squares around p, each twice as large as the one before.
func (a *asker) nearest(p geom.Vec, maxDist float64) (best NearHit, ok bool) {
	phase := a.w.broad.Grid
	_, r, some := phase.Nearest(p, maxDist, a.kinds)
	if !some {
		return best, false
	}
	const soon = 6 // rounds before it is worth while to look at the bounds of all boxes
	all := geom.AABB{Min: geom.V(math.Inf(-1), math.Inf(-1)), Max: geom.V(math.Inf(1), math.Inf(1))}
	for round := 1; ; round++ {
		r = 2 * max(r, 0.5)
		reach := min(r, maxDist)
		for range a.placed(geom.At(p), &query.PointHull, reach*(1+1e-12)) {
			if hit, found := a.Near(&a.probe, &a.of, reach); found && (!ok || math.Abs(hit.Separation) < best.Distance) {
				h := a.castHit(&hit, p)
				ok, best = true, NearHit{h.Target, h.Point, h.Normal, math.Abs(hit.Separation), math.Signbit(hit.Separation)}
			}
		}
		if round == soon {
			all, _ = phase.Bounds()
		}
		if ok || reach >= maxDist || geom.Box(p, p).Expand(r).Contains(all) {
			return best, ok
		}
	}
}
