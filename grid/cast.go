package grid

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Hit is an object that a cast meets.
type Hit struct {
	ID ID
	// T is where: at origin + T*d, the least T >= 0 at which what is cast
	// touches the object's box; 0 if it does so at the start.
	T float64
}

// maxCircle bounds the coordinates of circle casts, whose squares must be finite.
const maxCircle = 1e150

// cast is something that moves along d: a point, a box or a circle.
type cast struct {
	o, d      geom.Vec
	maxT      float64  // greatest T
	half      geom.Vec // half extents of a box, or of the circle's
	radius    float64  // of a circle, or 0
	mask      uint64
	onlyCells bool // is it the cells that are asked for, however many and empty
}

// ok reports whether the cast may meet anything at all.
func (c *cast) ok() bool {
	c.maxT = min(c.maxT, math.MaxFloat64) + 0 // no hit is infinitely far away; and -0 is 0
	if (c.d == geom.Vec{}) && c.maxT > 0 {
		c.maxT = 0
	}
	if !c.o.IsFinite() || !c.d.IsFinite() || !(c.maxT >= 0) || !(c.half.X >= 0 && c.half.Y >= 0) || !c.half.IsFinite() {
		return false
	}
	return c.radius == 0 || c.radius < maxCircle &&
		max(math.Abs(c.o.X), math.Abs(c.o.Y), math.Abs(c.d.X), math.Abs(c.d.Y)) < maxCircle
}

// hugeD is the coordinate of d, and tamed what it is multiplied by, from which on T is so
// small that its steps are longer than the slack of the walk.
const hugeD, hugeScale = 0x1p600, 0x1p-600

// rescale shortens d if it is wild, and returns what its T are to be multiplied by. Without
// that they would be denormal, if not 0, where cells are small.
func (c *cast) rescale() float64 {
	if math.Abs(c.d.X) < hugeD && math.Abs(c.d.Y) < hugeD {
		return 1
	}
	c.d, c.maxT = c.d.Mul(hugeScale), min(c.maxT/hugeScale, math.MaxFloat64)
	return hugeScale
}

// Ray returns the first object in a category of mask that the ray from origin
// along d meets with T <= reach, of several at one T the one of the lowest id;
// false if there is none. Reach 1 makes it the closed segment from origin to
// origin+d; an infinite reach is fine. A zero d asks about the point origin.
// A NaN, an infinity in origin or d, and a reach below 0 meet nothing.
//
// A touch at a corner or along a side counts, and is found exactly where the
// differences between box and origin are exact in float64; otherwise a touch
// may be decided either way within a rounding of it.
//
// It visits the cells along the ray, on each level in use, up to the one with the
// hit: those that are in the bounds of the occupied ones, and empty regions are
// passed over in one step. It may be called from several goroutines between
// changes.
func (g *Grid) Ray(origin, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(cast{o: origin, d: d, maxT: maxT, mask: mask})
}

// AppendRay appends all objects that a ray meets, as Ray does, each once, in
// ascending order of T and then of id, and returns the extended slice.
func (g *Grid) AppendRay(dst []Hit, origin, d geom.Vec, maxT float64, mask uint64) []Hit {
	return g.appendAll(dst, cast{o: origin, d: d, maxT: maxT, mask: mask})
}

// BoxCast moves a box along d and returns the first object that it touches, as
// Ray does. An empty box meets nothing.
func (g *Grid) BoxCast(box geom.AABB, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(boxCast(box, d, maxT, mask))
}

// AppendBoxCast appends all objects that a box touches as it moves along d, in
// the order of AppendRay.
func (g *Grid) AppendBoxCast(dst []Hit, box geom.AABB, d geom.Vec, maxT float64, mask uint64) []Hit {
	return g.appendAll(dst, boxCast(box, d, maxT, mask))
}

func boxCast(box geom.AABB, d geom.Vec, maxT float64, mask uint64) cast {
	half := box.Size().Mul(0.5)
	return cast{o: box.Min.Add(half), d: d, maxT: maxT, half: half, mask: mask}
}

// CircleCast moves a circle along d and returns the first object whose box it
// touches, as Ray does. A radius of 0 makes it Ray; one below 0, and coordinates
// of 1e150 and more, meet nothing.
func (g *Grid) CircleCast(center geom.Vec, radius float64, d geom.Vec, maxT float64, mask uint64) (Hit, bool) {
	return g.first(circleCast(center, radius, d, maxT, mask))
}

// AppendCircleCast appends all objects whose boxes a circle touches as it moves
// along d, in the order of AppendRay.
func (g *Grid) AppendCircleCast(dst []Hit, center geom.Vec, radius float64, d geom.Vec, maxT float64, mask uint64) []Hit {
	return g.appendAll(dst, circleCast(center, radius, d, maxT, mask))
}

func circleCast(center geom.Vec, radius float64, d geom.Vec, maxT float64, mask uint64) cast {
	return cast{o: center, d: d, maxT: maxT, half: geom.V(radius, radius), radius: radius, mask: mask}
}

// meets returns the least T at which the cast touches the closed box, false if
// there is none.
func (c *cast) meets(b *geom.AABB) (float64, bool) {
	t, ok := c.slab(b, c.half.X, c.half.Y)
	if c.radius == 0 || !ok {
		return t, ok
	}
	// A box grown by a circle is two boxes and four corners.
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

// slab returns the least t in [0, reach] at which o + t*d is in the box grown by
// hx and hy: whether the t at which it is between the box's sides overlap, in x
// and in y. Division, unlike multiplication by a reciprocal, never puts two
// of them in the wrong order, so that a ray through a corner meets the box.
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

// maxTime returns the greater of a >= 0 and b, neither of them NaN. Bits order numbers that are
// not below 0, and those that are come first; comparing them needs no branch, and is exact.
func maxTime(a, b float64) float64 {
	return math.Float64frombits(uint64(max(int64(math.Float64bits(a)), int64(math.Float64bits(b)))))
}

// minTime returns the lesser of a >= 0 and b, neither of them NaN; of two below 0 it is any. It takes
// -0 for 0.
func minTime(a, b float64) float64 {
	return math.Float64frombits(uint64(min(int64(math.Float64bits(a)), int64(math.Float64bits(b+0)))))
}

// disc returns the least t >= 0 at which o + t*d is within the radius of p, an
// infinity if there is none.
//
// How far the way passes from p is told by the product of m and d across, not by the
// usual difference b*b - a*k of two large numbers: from afar that would be lost in their
// rounding.
func (c *cast) disc(p geom.Vec) float64 {
	m, d, r := c.o.Sub(p), c.d, c.radius
	by := 1.0
	// Fourth powers of what is beyond are out of range; those of two do not round.
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

// powerBelow returns the greatest power of two that is not above x, but of those from
// 2^-1022 up.
func powerBelow(x float64) float64 {
	return math.Float64frombits(math.Float64bits(max(x, 0x1p-1022)) &^ (1<<52 - 1))
}

// first returns the first hit.
func (g *Grid) first(c cast) (Hit, bool) {
	best := Hit{ID: none, T: math.Inf(1)}
	if !c.ok() {
		return Hit{}, false
	}
	if short := c; short.rescale() != 1 {
		// Of several at one T, not all are at one T of the shorter d.
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
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
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

// firstAlong improves best by the objects along a walk. An object may be met
// beyond the cell that lists it, and another one sooner in a cell that is yet to
// come; so the walk goes on until it has passed the best hit.
func (g *Grid) firstAlong(best *Hit, c *cast, w *walk) {
	var one [1]ID
	o, d, at := c.o.X, c.d.X, w.r.cx
	if w.steep {
		o, d, at = c.o.Y, c.d.Y, w.r.cy
	}
	for {
		if best.ID != none && d != 0 {
			// No touch is in this column or a later one before here.
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

// try improves best by an object.
func (g *Grid) try(best *Hit, c *cast, id ID) {
	t, ok := c.meets(&g.boxes[id])
	if ok && (t < best.T || t == best.T && g.idOf(id) < g.idOf(best.ID)) && g.visible(id, c.mask) {
		*best = Hit{id, t}
	}
}

// appendAll appends all hits in order.
func (g *Grid) appendAll(dst []Hit, c cast) []Hit {
	if !c.ok() {
		return dst
	}
	start := len(dst)
	by := c.rescale()
	var rays *rayBatch
	var room [fewRegions]*region
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
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
		if a == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
			g.try(best, c, ID(i))
		}
	}
}

// appendAllOf appends the hits among all objects of a region.
func (g *Grid) appendAllOf(dst []Hit, r *region, c *cast) []Hit {
	for i, a := range g.at {
		if a == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
			dst = g.appendHit(dst, c, ID(i))
		}
	}
	return dst
}

// regionsAlong returns the regions of a level that the cast may enter, and perhaps others. It may
// use the room.
func (g *Grid) regionsAlong(c *cast, l *level, room *[fewRegions]*region) []*region {
	if len(l.regions) <= fewRegions {
		return l.regions
	}
	way := c.d.Mul(c.maxT)
	if o := max(math.Abs(c.o.X), math.Abs(c.o.Y), math.Abs(way.X), math.Abs(way.Y)); !(o <= g.limit) {
		return l.regions // its end may be rounded to anywhere
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
