package grid

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Hit is an object hit by a cast.
type Hit struct {
	ID ID
	// T is the minimum T >= 0 at which the cast point or box, at origin + T*d, touches the
	// object's box; 0 if it does so at the start.
	T float64
}

// cast is a point or box that moves along d.
type cast struct {
	o, d      geom.Vec
	maxT      float64  // largest T
	half      geom.Vec // half extents of the box
	mask      uint64
	onlyCells bool // the result is the cells entered, empty ones too, not the objects
}

// ok reports whether the cast is valid, and normalises maxT.
func (c *cast) ok() bool {
	c.maxT = min(c.maxT, math.MaxFloat64) + 0 // no hit is at infinity; and -0 becomes 0
	if (c.d == geom.Vec{}) && c.maxT > 0 {
		c.maxT = 0
	}
	return c.o.IsFinite() && c.d.IsFinite() && c.maxT >= 0 && c.half.X >= 0 && c.half.Y >= 0 && c.half.IsFinite()
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

// meets returns the minimum T at which the cast touches the closed box, false if there is none.
func (c *cast) meets(b *geom.AABB) (float64, bool) {
	return c.slab(b, c.half.X, c.half.Y)
}

// slab returns the minimum t in [0, maxT] at which o + t*d is in the box grown by hx and hy: it
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
// order as integers, and negative floats come before; comparing bits needs no branch and
// is exact.
func maxTime(a, b float64) float64 {
	return math.Float64frombits(uint64(max(int64(math.Float64bits(a)), int64(math.Float64bits(b)))))
}

// minTime returns the smaller of a >= 0 and b, neither of them NaN. If b is negative it returns b.
// It treats -0 as 0.
func minTime(a, b float64) float64 {
	return math.Float64frombits(uint64(min(int64(math.Float64bits(a)), int64(math.Float64bits(b+0)))))
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
		if a/classes == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
			g.try(best, c, ID(i))
		}
	}
}

// appendAllOf appends the hits with any object of a region.
func (g *Grid) appendAllOf(dst []Hit, r *region, c *cast) []Hit {
	for i, a := range g.at {
		if a/classes == r.at && g.regionOfBox(&g.levels[a], &g.boxes[i]) == r {
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
