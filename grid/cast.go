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
	_, best := g.hitsOf(nil, &c, true)
	if best.ID == none {
		return Hit{}, false
	}
	best.ID = g.idOf(best.ID)
	return best, true
}

// appendAll appends all hits, in order.
func (g *Grid) appendAll(dst []Hit, c cast) []Hit {
	if !c.ok() {
		return dst
	}
	start := len(dst)
	by := c.rescale()
	dst, _ = g.hitsOf(dst, &c, false)
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

// casting collects the hits of a cast, by slot: all of them, or the first.
type casting struct {
	g         *Grid
	c         cast
	firstOnly bool
	best      Hit   // the first hit so far, if firstOnly
	list      []Hit // otherwise all
}

// hitsOf appends all hits of a cast to dst, or returns the first.
func (g *Grid) hitsOf(dst []Hit, c *cast, firstOnly bool) ([]Hit, Hit) {
	var ownWalk walk
	own := casting{g: g, c: *c, firstOnly: firstOnly, best: Hit{ID: none, T: math.Inf(1)}, list: dst}
	s, w, rays := &own, &ownWalk, (*rayBatch)(nil)
	if c.half == (geom.Vec{}) {
		rays = rayBatches.Get().(*rayBatch)
		rays.casting = own
		s, w = &rays.casting, &rays.w
	}
	for _, id := range g.oversize {
		s.test(id)
	}
	var room [fewRegions]*region
	for at, rest := nextLevel(g.levelsFor(c.mask)); at < oversize; at, rest = nextLevel(rest) {
		for _, r := range g.regionsAlong(c, &g.levels[at], &room) {
			*w = walk{}
			switch {
			case !w.start(r, c):
			case w.everything:
				s.testAll(r)
			case rays != nil:
				rays.along()
			default:
				s.along(w)
			}
		}
	}
	dst, best := s.list, s.best
	if rays != nil {
		rays.casting, rays.w.r, rays.w.mask = casting{}, nil, nil
		rayBatches.Put(rays)
	}
	return dst, best
}

// test tests one object.
func (s *casting) test(id ID) {
	t, ok := s.c.meets(&s.g.boxes[id])
	switch {
	case !ok || !s.g.visible(id, s.c.mask):
	case s.firstOnly:
		s.improve(Hit{id, t})
	default:
		s.list = append(s.list, Hit{id, t})
	}
}

// improve takes a hit if it is before the best one.
func (s *casting) improve(h Hit) {
	if h.T < s.best.T || h.T == s.best.T && s.g.idOf(h.ID) < s.g.idOf(s.best.ID) {
		s.best = h
	}
}

// testAll tests all objects of a region.
func (s *casting) testAll(r *region) {
	for i, a := range s.g.at {
		if a/classes == r.at && s.g.regionOfBox(&s.g.levels[a], &s.g.boxes[i]) == r {
			s.test(ID(i))
		}
	}
}

// past reports whether nothing in column u of a walk or later can be hit before the best hit. The hit with an object
// may lie beyond the cell that lists it, and another object may be hit earlier in a later cell, so a search for the
// first hit continues until then.
func (s *casting) past(w *walk, u int32) bool {
	if s.best.ID == none {
		return false
	}
	o, d, at := s.c.o.X, s.c.d.X, w.r.cx
	if w.steep {
		o, d, at = s.c.o.Y, s.c.d.Y, w.r.cy
	}
	if d == 0 {
		return false
	}
	edge := float64(u) - w.hu
	if w.step < 0 {
		edge = float64(u) + 1 + w.hu
	}
	return (float64((edge+at)*w.r.size)-o)/d > s.best.T
}

// along tests the objects along a walk.
//
// The columns in which a walk meets an object's rows are consecutive. If all hits are wanted, an object is tested in
// the first of them only, found by the rows of the previous column, and there in the lowest row.
func (s *casting) along(w *walk) {
	var one [1]ID
	back0, back1 := int32(1), int32(0) // the rows of the previous column
	for w.lo, w.hi = w.rowsOf(w.u); !s.past(w, w.u); {
		empty := true
		for v := w.lo; v <= w.hi; v++ {
			k := w.cell(v)
			if k == 0 {
				continue
			}
			empty = false
			for _, id := range s.g.pool.of(k, &one) {
				q := &s.g.qboxes[id]
				u0, u1, v0, v1 := q.x0, q.x1, q.y0, q.y1
				if w.steep {
					u0, u1, v0, v1 = v0, v1, u0, u1
				}
				back := w.u - w.step
				again := u0>>subBits <= back && back <= u1>>subBits && back0 <= back1 && v0>>subBits <= back1 &&
					back0 <= v1>>subBits
				if s.firstOnly || !again && max(w.lo, v0>>subBits) == v && w.mayTouch(u0, u1, v0, v1) {
					s.test(id)
				}
			}
		}
		if empty {
			w.skip() // an empty cell is often followed by many
		}
		if back0, back1 = w.lo, w.hi; !w.next() {
			return
		}
	}
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
