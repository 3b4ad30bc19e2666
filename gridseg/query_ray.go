package gridseg

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
)

// RayHit is the point where a ray enters the solid.
type RayHit struct {
	Segment  Segment
	Fraction float64 // of the ray's length, 0 to 1
	X, Y     float64 // the point, in cells, on the segment
	NX, NY   float64 // unit normal of the segment, out of the solid
}

// RayCast returns the first segment that the ray from (x, y) to (x+dx, y+dy), in cells, enters from
// its front (its right side), as of the last Resolve. Ray and segments include both ends, so a ray
// cannot pass between two segments with a common end; a ray that touches a corner hits it. The back
// of a segment stops nothing: a ray that starts in solid leaves it first.
//
// It returns false if nothing is hit, if the ray is not finite or has no length, and if it starts beyond
// 2^36 cells. Any finite length is allowed.
//
// Fractions are compared as computed: relative to the start of the ray, in float64. Of segments at
// equal fractions the lowest by row, column and N is returned, so that the result is a function of
// the surface and the ray alone.
//
// The search visits the existing chunks along the ray, and their cells, up to the first hit: its
// cost does not depend on the length of the ray or on chunks elsewhere. It does not allocate.
func (g *reader) RayCast(x, y, dx, dy float64) (RayHit, bool) {
	r, scale, ok := newRay(x, y, dx, dy)
	if !ok {
		return RayHit{}, false
	}
	r.search(g)
	if r.found.c == nil {
		return RayHit{}, false
	}
	return r.hit(g, r.found, r.best*scale, r.fraction), true
}

// AppendRayHits appends every place where the ray enters the solid, as RayCast finds the first, in the
// order of Fraction and then by row, column and N, and returns the extended slice. A ray through a
// common end of two segments may hit both.
func (g engine) AppendRayHits(dst []RayHit, x, y, dx, dy float64) []RayHit {
	r, scale, ok := newRay(x, y, dx, dy)
	if !ok {
		return dst
	}
	from := len(dst)
	r.each = func(at segRef, t, fraction float64) { dst = append(dst, r.hit(g.reader, at, t*scale, fraction)) }
	r.search(g.reader)
	slices.SortFunc(dst[from:], func(a, b RayHit) int {
		i, j := a.Segment.ID, b.Segment.ID
		return cmp.Or(cmp.Compare(a.Fraction, b.Fraction), cmp.Compare(i.Cell.Y, j.Cell.Y),
			cmp.Compare(i.Cell.X, j.Cell.X),
			cmp.Compare(i.N, j.N))
	})
	return dst
}

// newRay returns the search of a ray, and the factor for its times.
func newRay(x, y, dx, dy float64) (r raySearch, scale float64, ok bool) {
	longest := max(math.Abs(dx), math.Abs(dy))
	// NaN fails this test.
	if !(math.Abs(x) <= farOut && math.Abs(y) <= farOut && longest > 0 && longest <= math.MaxFloat64) {
		return r, 0, false
	}
	// Products of very long or short rays would overflow or lose bits. Scaling by a power of two
	// changes nothing else.
	scale = 1.0
	if longest > 1e100 {
		scale = 0x1p-600
	} else if longest < 1e-100 {
		scale = 0x1p600
	}
	return raySearch{x: x, y: y, dx: float64(dx * scale), dy: float64(dy * scale), best: 1 / scale}, scale, true
}

// hit returns the hit of a segment, at a fraction of the ray and of the segment.
func (r *raySearch) hit(g *reader, at segRef, fraction, along float64) RayHit {
	out := RayHit{Segment: at.segment(g), Fraction: min(fraction, 1)}
	out.X, out.Y = out.Segment.pointAt(along)
	ex, ey := inCells(out.Segment.B.X-out.Segment.A.X), inCells(out.Segment.B.Y-out.Segment.A.Y)
	length := math.Sqrt(float64(ex*ex) + float64(ey*ey))
	out.NX, out.NY = ey/length, (0-ex)/length // 0-ex, because -ex would give a zero a sign
	return out
}

// raySearch is the state of one search. Lengths are in cells, times are fractions of the ray. u is
// the longer axis of the ray, v the other, so that v changes no more than u does.
type raySearch struct {
	x, y, dx, dy float64
	best         float64 // time of the first hit so far, or of the end of the ray
	found        segRef
	fraction     float64 // of the found segment, at the hit

	each func(at segRef, t, fraction float64) // is called for each hit instead, unless it is nil

	tall        bool    // u is y
	ou, ov      float64 // start of the ray
	du, slope   float64 // slope is dv/du
	perU        float64 // 1/du
	first, last float64 // range of u of the ray inside the world, widened by slack
}

// slack is the margin, in cells, by which the strip of visited cells is wider than the ray on all
// sides: a lattice unit, several times the rounding error of a position on a ray. So no hit is
// missed, and the result does not depend on the order of the search.
const slack = 1.0 / Unit

// maxTableSlabs is the width of a ray in chunks up to which chunks are found by the table; for a
// longer ray the tree is walked.
const maxTableSlabs = 64

// search visits all chunks that may contain the hit.
func (r *raySearch) search(g *reader) {
	dv := r.dy
	r.ou, r.ov, r.du = r.x, r.y, r.dx
	if r.tall = math.Abs(r.dy) > math.Abs(r.dx); r.tall {
		r.ou, r.ov, r.du, dv = r.y, r.x, r.dy, r.dx
	}
	r.slope, r.perU = dv/r.du, 1/r.du
	end := r.ou + float64(r.du*r.best)
	r.first = max(min(r.ou, end), -1<<31) - slack
	r.last = min(max(r.ou, end), 1<<31) + slack
	if r.first > r.last {
		return
	}
	low, high := int64(math.Floor(r.first/chunkSide)), int64(math.Floor(r.last/chunkSide))
	if n := high - low + 1; n > maxTableSlabs || 3*n > int64(len(g.chunks)) {
		r.descend(g, g.tree.root)
		return
	}
	for k := range high - low + 1 {
		at := low + k
		if r.du < 0 {
			at = high - k
		}
		u := chunkStart(int32(at))
		if r.past(u, chunkSide) {
			return
		}
		v0, v1 := r.across(u, chunkSide)
		m0 := max(-1<<(31-chunkBits), int64(math.Floor(v0/chunkSide)))
		m1 := min(1<<(31-chunkBits)-1, int64(math.Floor(v1/chunkSide)))
		for m := m0; m <= m1; m++ {
			cx, cy := int32(at), int32(m)
			if r.tall {
				cx, cy = cy, cx
			}
			if c := g.find(cx, cy); c != nil {
				r.visitChunk(c)
			}
		}
	}
}

// descend visits the chunks along the ray under a child of the tree, in the ray's order.
func (r *raySearch) descend(g *reader, at branch) {
	if at < 0 {
		r.visitChunk(g.chunks[^at])
		return
	}
	if at == 0 {
		return
	}
	s := &g.tree.squares[at-1]
	side := float64(int64(chunkSide/4) << s.bits)
	u, v := treeCell(s.x), treeCell(s.y)
	if r.tall {
		u, v = v, u
	}
	low := max(0, int(math.Floor((r.first-u)/side)))
	high := min(3, int(math.Floor((r.last-u)/side)))
	for k := range high - low + 1 {
		i := low + k
		if r.du < 0 {
			i = high - k
		}
		slab := u + float64(float64(i)*side)
		if r.past(slab, side) {
			return
		}
		v0, v1 := r.across(slab, side)
		m1 := min(3, int(math.Floor((v1-v)/side)))
		for m := max(0, int(math.Floor((v0-v)/side))); m <= m1; m++ {
			kid := s.children[m<<2|i]
			if r.tall {
				kid = s.children[i<<2|m]
			}
			if kid != 0 {
				r.descend(g, kid)
			}
		}
	}
}

// past reports whether the ray enters the slab of the given size at u after the best hit.
func (r *raySearch) past(u, size float64) bool {
	if r.du < 0 {
		u += size + slack
	} else {
		u -= slack
	}
	return (u-r.ou)*r.perU > r.best
}

// across returns the range of v of the ray in the slab of the given size at u.
func (r *raySearch) across(u, size float64) (v0, v1 float64) {
	u0, u1 := max(u, r.first), min(u+size, r.last)
	v0, v1 = r.ov+float64(r.slope*(u0-r.ou)), r.ov+float64(r.slope*(u1-r.ou))
	return min(v0, v1) - slack, max(v0, v1) + slack
}

// visitChunk visits the segments in the cells of c along the ray.
func (r *raySearch) visitChunk(c *chunk) {
	if c.at == nil {
		return
	}
	all := c.rect()
	u, v := float64(all.MinX), float64(all.MinY)
	if r.tall {
		u, v = v, u
	}
	if u > r.last || u+chunkSide < r.first || r.past(u, chunkSide) {
		return
	}
	if v0, v1 := r.across(u, chunkSide); v > v1 || v+chunkSide < v0 {
		return
	}
	low := max(0, int(math.Floor(r.first-u)))
	high := min(chunkMask, int(math.Floor(r.last-u)))
	for k := range high - low + 1 {
		at := low + k
		if r.du < 0 {
			at = high - k
		}
		if r.past(u+float64(at), 1) {
			return
		}
		v0, v1 := r.across(u+float64(at), 1)
		m1 := min(chunkMask, int(math.Floor(v1-v)))
		for m := max(0, int(math.Floor(v0-v))); m <= m1; m++ {
			i := m<<chunkBits | at
			if r.tall {
				i = at<<chunkBits | m
			}
			if c.flag[hasSegments].has(i) {
				r.visitCell(c, i)
			}
		}
	}
}

// visitCell compares the segments of a cell with the best hit so far.
func (r *raySearch) visitCell(c *chunk, i int) {
	o := lattice.OriginOf(c.cell(i))
	segs := c.segments(i)
	for k := range segs {
		l := lineOf(o, &segs[k], r.x, r.y)
		t, fraction, ok := l.enteredBy(r.dx, r.dy)
		if !ok || t > r.best {
			continue
		}
		if r.each != nil {
			r.each(segRef{c, i, k}, t, fraction)
			continue
		}
		if p := (segRef{c, i, k}); t < r.best || p.before(r.found) {
			r.best, r.found, r.fraction = t, p, fraction
		}
	}
}

// enteredBy returns the time at which the ray from the origin along (dx, dy) enters l from the
// front, as a fraction of the ray, and the fraction of l at that point.
//
// With e from a to b, t*d = a + fraction*e. The cross product with e gives t, and with d the
// fraction, both divided by e x d, which is positive if d comes from the front. Whether the
// fraction is in 0 to 1 is decided by the sides of the ray that a and b are on, each computed from
// that end alone. So two segments with a common end agree, and no ray passes between them.
func (l *line) enteredBy(dx, dy float64) (t, fraction float64, ok bool) {
	sa := float64(l.ax*dy) - float64(l.ay*dx)
	sb := float64(l.bx*dy) - float64(l.by*dx)
	if sa > 0 || sb < 0 {
		return 0, 0, false
	}
	ex, ey := l.bx-l.ax, l.by-l.ay
	front := float64(ex*dy) - float64(ey*dx)
	if front <= 0 {
		return 0, 0, false
	}
	t = (float64(ex*l.ay) - float64(ey*l.ax)) / front
	if !(t >= 0) {
		return 0, 0, false
	}
	return max(t, 0), max(0, min(1, -sa/front)), true
}
