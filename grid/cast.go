package grid

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Hit is an object hit by a cast.
type Hit struct {
	ID ID
	// T is the smallest T >= 0 at which the cast point, box or circle, at origin + T*d, touches the
	// object's box; 0 if it does so at the start.
	T float64
}

// maxCircle bounds the coordinates of circle casts, so that their squares are finite.
const maxCircle = 1e150

// cast is a point, box or circle that moves along d.
type cast struct {
	o, d      geom.Vec
	maxT      float64  // largest T
	half      geom.Vec // half extents of the box or circle
	radius    float64  // of a circle; 0 for a point or box
	mask      uint64
	onlyCells bool // the result is the cells entered, empty ones too, not the objects
}

// ok reports whether the cast is valid, and normalises maxT.
func (c *cast) ok() bool {
	c.maxT = min(c.maxT, math.MaxFloat64) + 0 // no hit is at infinity; and -0 becomes 0
	if (c.d == geom.Vec{}) && c.maxT > 0 {
		c.maxT = 0
	}
	if !c.o.IsFinite() || !c.d.IsFinite() || !(c.maxT >= 0) || !(c.half.X >= 0 && c.half.Y >= 0) || !c.half.IsFinite() {
		return false
	}
	return c.radius == 0 || c.radius < maxCircle &&
		max(math.Abs(c.o.X), math.Abs(c.o.Y), math.Abs(c.d.X), math.Abs(c.d.Y)) < maxCircle
}

// A d with a coordinate of hugeD or more is multiplied by hugeScale: otherwise T is so small that
// its steps are longer than the slack of the walk.
const hugeD, hugeScale = 0x1p600, 0x1p-600

// rescale shortens a huge d, and returns the factor for T. Without it T would be denormal or 0
// where cells are small.
func (c *cast) rescale() float64 {
	if math.Abs(c.d.X) < hugeD && math.Abs(c.d.Y) < hugeD {
		return 1
	}
	c.d, c.maxT = c.d.Mul(hugeScale), min(c.maxT/hugeScale, math.MaxFloat64)
	return hugeScale
}

// Ray returns the first object in a category of mask that the ray from origin along d hits with T
// <= maxT; of several at the same T the lowest id; false if there is none. maxT = 1 gives the
// closed segment from origin to origin+d; maxT may be infinite. A zero d tests the point origin. A
// NaN, an infinity in origin or d, or a maxT below 0 hits nothing.
//
// Touching a corner or a side counts as a hit. This is decided exactly if the differences between
// box and origin are exact in float64; otherwise a touch may be decided either way within a
// rounding error.
//
// On each level in use, Ray visits the cells along the ray up to the hit, inside the bounds of the
// occupied cells, and skips empty regions in one step. It may be called from several goroutines
// between changes.
func (g *Grid) Ray(origin, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(cast{o: origin, d: d, maxT: maxT, mask: mask})
}

// AppendRay appends all objects that the ray hits, as in Ray, each once, in ascending order of T
// and then of id, and returns the extended slice.
func (g *Grid) AppendRay(dst []Hit, origin, d geom.Vec, maxT float64, mask uint64) []Hit {
	return g.appendAll(dst, cast{o: origin, d: d, maxT: maxT, mask: mask})
}

// BoxCast moves a box along d and returns the first object that it touches, as in Ray. An empty box
// hits nothing.
func (g *Grid) BoxCast(box geom.AABB, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(boxCast(box, d, maxT, mask))
}

// AppendBoxCast appends all objects that a box touches as it moves along d, in the order of
// AppendRay.
func (g *Grid) AppendBoxCast(dst []Hit, box geom.AABB, d geom.Vec, maxT float64, mask uint64) []Hit {
	return g.appendAll(dst, boxCast(box, d, maxT, mask))
}

func boxCast(box geom.AABB, d geom.Vec, maxT float64, mask uint64) cast {
	half := box.Size().Mul(0.5)
	return cast{o: box.Min.Add(half), d: d, maxT: maxT, half: half, mask: mask}
}

// CircleCast moves a circle along d and returns the first object whose box it touches, as in Ray. A
// radius of 0 makes it Ray; a negative radius, or coordinates of 1e150 and more, hit nothing.
func (g *Grid) CircleCast(center geom.Vec, radius float64, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(circleCast(center, radius, d, maxT, mask))
}

// AppendCircleCast appends all objects whose boxes a circle touches as it moves
// along d, in the order of AppendRay.
func (g *Grid) AppendCircleCast(dst []Hit, center geom.Vec, radius float64, d geom.Vec, maxT float64,
	mask uint64,
) []Hit {
	return g.appendAll(dst, circleCast(center, radius, d, maxT, mask))
}

func circleCast(center geom.Vec, radius float64, d geom.Vec, maxT float64, mask uint64) cast {
	return cast{o: center, d: d, maxT: maxT, half: geom.V(radius, radius), radius: radius, mask: mask}
}

// meets returns the smallest T at which the cast touches the closed box, false if there is none.
func (c *cast) meets(b *geom.AABB) (float64, bool) {
	t, ok := c.slab(b, c.half.X, c.half.Y)
	if c.radius == 0 || !ok {
		return t, ok
	}
	// The Minkowski sum of a box and a circle is two boxes and four circles.
	t = math.Inf(1)
	if u, ok := c.slab(b, c.radius, 0); ok {
		t = u
	}
	if u, ok := c.slab(b, 0, c.radius); ok {
		t = min(t, u)
	}
	for _, p := range [4]geom.Vec{b.Min, b.Max, {X: b.Min.X, Y: b.Max.Y}, {X: b.Max.X, Y: b.Min.Y}} {
		t = min(t, c.disc(p))
	}
	return t, t <= c.maxT
}

// slab returns the smallest t in [0, maxT] at which o + t*d is in the box grown by hx and hy: it
// intersects the ranges of t in which it is between the box's sides in x and in y. Division, unlike
// multiplication by a reciprocal, never reverses the order of two of them, so that a ray through a
// corner hits the box.
func (c *cast) slab(b *geom.AABB, hx, hy float64) (float64, bool) {
	t0, t1 := 0.0, c.maxT
	x0, x1 := b.Min.X-hx-c.o.X, b.Max.X+hx-c.o.X
	if c.d.X == 0 {
		if x0 > 0 || x1 < 0 {
			return 0, false
		}
	} else {
		if c.d.X < 0 {
			x0, x1 = x1, x0
		}
		t0, t1 = maxTime(t0, x0/c.d.X), minTime(t1, x1/c.d.X)
	}
	y0, y1 := b.Min.Y-hy-c.o.Y, b.Max.Y+hy-c.o.Y
	if c.d.Y == 0 {
		if y0 > 0 || y1 < 0 {
			return 0, false
		}
	} else {
		if c.d.Y < 0 {
			y0, y1 = y1, y0
		}
		t0, t1 = maxTime(t0, y0/c.d.Y), minTime(t1, y1/c.d.Y)
	}
	return t0, t0 <= t1
}

// maxTime returns the larger of a >= 0 and b, neither of them NaN. The bits of non-negative floats
// order as integers, and bits of negative floats come before; comparing bits needs no branch and
// is exact.
func maxTime(a, b float64) float64 {
	return math.Float64frombits(uint64(max(int64(math.Float64bits(a)), int64(math.Float64bits(b)))))
}

// minTime returns the smaller of a >= 0 and b, neither of them NaN. If b is negative it returns b.
// It treats -0 as 0.
func minTime(a, b float64) float64 {
	return math.Float64frombits(uint64(min(int64(math.Float64bits(a)), int64(math.Float64bits(b+0)))))
}

// disc returns the smallest t >= 0 at which o + t*d is within the radius of p, or infinity.
//
// The distance at which the path passes p comes from the cross product of m and d, not from the
// usual difference b*b - a*k of two large numbers, which would be lost to rounding at a distance.
func (c *cast) disc(p geom.Vec) float64 {
	m, d, r := c.o.Sub(p), c.d, c.radius
	by := 1.0
	// Outside of this range fourth powers overflow or vanish. Scaling by powers of two does not
	// round.
	const least, most = 0x1p-200, 0x1p200
	mm, dd := max(math.Abs(m.X), math.Abs(m.Y), r), max(math.Abs(d.X), math.Abs(d.Y))
	if !(mm >= least && mm <= most && dd >= least && dd <= most) {
		pm, pd := powerBelow(mm), powerBelow(dd)
		m, r, d = geom.V(m.X/pm, m.Y/pm), r/pm, geom.V(d.X/pd, d.Y/pd)
		by = pm / pd
	}
	k := float64(m.X*m.X) + float64(m.Y*m.Y) - float64(r*r)
	if k <= 0 {
		return 0
	}
	a := float64(d.X*d.X) + float64(d.Y*d.Y)
	b := float64(m.X*d.X) + float64(m.Y*d.Y)
	across := float64(m.X*d.Y) - float64(m.Y*d.X)
	disc := float64(a*float64(r*r)) - float64(across*across)
	if b >= 0 || disc < 0 {
		return math.Inf(1)
	}
	return k / (math.Sqrt(disc) - b) * by
}

// powerBelow returns the largest power of two that is at most x, but at least 2^-1022.
func powerBelow(x float64) float64 {
	return math.Float64frombits(math.Float64bits(max(x, 0x1p-1022)) &^ (1<<52 - 1))
}

// first returns the first hit, or false.
func (g *Grid) first(c cast) (Hit, bool) {
	best := Hit{ID: none, T: math.Inf(1)}
	if !c.ok() {
		return Hit{}, false
	}
	if short := c; short.rescale() != 1 {
		// Hits at one T of the shorter d may have different T of d.
		hits := g.appendAll(nil, c)
		if len(hits) == 0 {
			return Hit{}, false
		}
		return hits[0], true
	}
	for _, id := range g.oversize {
		g.try(&best, &c, id)
	}
	var b *rayBatch
	var room [fewRegions]*region
	for at, rest := nextLevel(g.levelsFor(c.mask)); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.regionsAlong(&c, &g.levels[at], &room) {
			if c.half == (geom.Vec{}) {
				if b == nil {
					b = newRayBatch(g, &c)
				}
				b.firstOfRegion(&best, r, &c)
				continue
			}
			w, ok := newWalk(r, &c)
			switch {
			case !ok:
			case w.everything:
				g.firstOfAll(&best, r, &c)
			default:
				g.firstAlong(&best, &c, &w)
			}
		}
	}
	if b != nil {
		b.free()
	}
	if best.ID == none {
		return Hit{}, false
	}
	best.ID = g.idOf(best.ID)
	return best, true
}

// firstAlong improves best by the objects along a walk. The hit with an object may lie beyond the
// cell that lists it, and another object may be hit earlier in a later cell, so the walk continues
// until it has passed the best hit.
func (g *Grid) firstAlong(best *Hit, c *cast, w *walk) {
	var one [1]ID
	o, d, at := c.o.X, c.d.X, w.r.cx
	if w.steep {
		o, d, at = c.o.Y, c.d.Y, w.r.cy
	}
	for {
		if best.ID != none && d != 0 {
			// Nothing in this or a later column is touched before its edge.
			edge := float64(w.u) - w.hu
			if w.step < 0 {
				edge = float64(w.u) + 1 + w.hu
			}
			if (float64((edge+at)*w.r.size)-o)/d > best.T {
				return
			}
		}
		found := false
		for v := w.lo; v <= w.hi; v++ {
			if k := w.cell(v); k != 0 {
				found = true
				for _, id := range g.pool.of(k, &one) {
					g.try(best, c, id)
				}
			}
		}
		if !found {
			w.skip()
		}
		if !w.next() {
			return
		}
	}
}

// try improves best by one object.
func (g *Grid) try(best *Hit, c *cast, id ID) {
	t, ok := c.meets(&g.boxes[id])
	if ok && (t < best.T || t == best.T && g.idOf(id) < g.idOf(best.ID)) && g.visible(id, c.mask) {
		*best = Hit{id, t}
	}
}

// appendAll appends all hits, in order.
func (g *Grid) appendAll(dst []Hit, c cast) []Hit {
	if !c.ok() {
		return dst
	}
	start := len(dst)
	by := c.rescale()
	var rays *rayBatch
	var room [fewRegions]*region
	for at, rest := nextLevel(g.levelsFor(c.mask)); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.regionsAlong(&c, &g.levels[at], &room) {
			if c.half == (geom.Vec{}) {
				if rays == nil {
					rays = newRayBatch(g, &c)
				}
				dst = rays.appendRegion(dst, r, &c)
				continue
			}
			w, ok := newWalk(r, &c)
			switch {
			case !ok:
			case w.everything:
				dst = g.appendAllOf(dst, r, &c)
			default:
				b := castBatch{g: g, c: &c, w: &w}
				dst = b.run(dst)
			}
		}
	}
	if rays != nil {
		rays.free()
	}
	for _, id := range g.oversize {
		dst = g.appendHit(dst, &c, id)
	}
	g.hitsToIDs(dst[start:])
	dst = sortHits(dst, start)
	if by != 1 {
		for i := range dst[start:] {
			dst[start+i].T *= by
		}
		slices.SortFunc(dst[start:], compareHits)
	}
	return dst
}

// firstOfAll improves best by all objects of a region.
func (g *Grid) firstOfAll(best *Hit, r *region, c *cast) {
	for i, a := range g.at {
		if a/2 == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
			g.try(best, c, ID(i))
		}
	}
}

// appendAllOf appends the hits with any object of a region.
func (g *Grid) appendAllOf(dst []Hit, r *region, c *cast) []Hit {
	for i, a := range g.at {
		if a/2 == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
			dst = g.appendHit(dst, c, ID(i))
		}
	}
	return dst
}

// regionsAlong returns the regions of a level that the cast may enter, and perhaps others. It may
// use room for the result.
func (g *Grid) regionsAlong(c *cast, l *level, room *[fewRegions]*region) []*region {
	if len(l.regions) <= fewRegions {
		return l.regions
	}
	way := c.d.Mul(c.maxT)
	if o := max(math.Abs(c.o.X), math.Abs(c.o.Y), math.Abs(way.X), math.Abs(way.Y)); !(o <= g.limit) {
		return l.regions // the end of the path is not precise
	}
	f := g.clampedFineBox(geom.Box(c.o, c.o.Add(way)).Expand(max(c.half.X, c.half.Y)))
	// Up to Limit, coordinates and their sums are rounded by less than a cell.
	const cell = 1 << subBits
	return l.regionsMeeting(room, fineBox{f.x0 - cell, f.y0 - cell, f.x1 + cell, f.y1 + cell})
}

func (g *Grid) appendHit(dst []Hit, c *cast, id ID) []Hit {
	if t, ok := c.meets(&g.boxes[id]); ok && g.visible(id, c.mask) {
		dst = append(dst, Hit{id, t})
	}
	return dst
}
