package grid

import (
	"math"

	"github.com/quarry2d/quarry/geom"
)

// slack widens the path of a cast, as a fraction of the largest coordinate involved. It is many
// times the rounding error of the walk and of the box test (both below 2^-50), so the walk never
// misses a cell in which the test would succeed. A path that is too wide costs a visit to an extra
// cell now and then, never a wrong result.
const slack = 0x1p-47

// maxWalk is the largest coordinate, in cells, at which a walk is useful given its slack; beyond, a
// cast is tested against all objects of the level.
const maxWalk = 0x1p44

// walk is the path of a cast over one region: column by column along the longer axis of d, here
// called u, and in each column the cells along v that the cast may enter. Units are cells, in the
// region's coordinates.
//
// The points where the path enters and leaves a column are computed from its start each time, so
// that errors do not accumulate. Where it passes exactly through a corner, the slack includes the
// cells on both sides.
type walk struct {
	r          *region
	steep      bool    // u is y
	step       int32   // of u: 1 or -1
	u, last    int32   // the current column, and the last one
	lo, hi     int32   // the rows of the current column
	rows       span    // y0, y1: range of all rows
	u0, u1     float64 // range of u of the path, with slack
	ou, ov     float64 // start of the path
	hu, hv     float64 // half extents of the cast, with slack
	slope      float64 // v per u, at most 1 in size
	everything bool    // no walk: test all objects

	// The current chunk.
	bx, by int32
	chunk  int
	mask   *[4]uint64 // its occupied cells
	full   span       // x0, y0: the smallest block last found occupied
}

// newWalk returns the walk of a cast; false if the cast misses all cells in use.
func newWalk(r *region, c *cast) (w walk, ok bool) {
	if !w.start(r, c) {
		return w, false
	}
	if !w.everything {
		w.lo, w.hi = w.rowsOf(w.u)
	}
	return w, true
}

// start prepares the walk of a cast, except for lo and hi; w must be zero. It returns false if the
// cast misses all cells in use.
func (w *walk) start(r *region, c *cast) bool {
	w.r, w.step, w.chunk, w.bx, w.mask, w.full = r, 1, -1, math.MaxInt32, &noCells, noSpan
	b := r.cellBounds()
	if b.empty() {
		return false
	}
	o, d, half := c.o, c.d, c.half
	in := r.box(b)
	cu, cv := r.cx, r.cy
	if math.Abs(d.Y) > math.Abs(d.X) {
		w.steep = true
		o.X, o.Y, d.X, d.Y, half.X, half.Y = o.Y, o.X, d.Y, d.X, half.Y, half.X
		b = span{b.y0, b.x0, b.y1, b.x1}
		in = geom.AABB{Min: geom.V(in.Min.Y, in.Min.X), Max: geom.V(in.Max.Y, in.Max.X)}
		cu, cv = cv, cu
	}
	// Clip the cast to the bounds, in world coordinates.
	x0, x1, y0, y1 := in.Min.X, in.Max.X, in.Min.Y, in.Max.Y
	most := maxTime(maxTime(maxAbs(x0, x1), maxAbs(y0, y1)), maxTime(maxAbs(o.X, o.Y), maxAbs(half.X, half.Y)))
	pad := float64(slack * (r.size + most))
	t0, t1 := 0.0, c.maxT
	// Most casts are inside from end to end.
	ex, ey := o.X+float64(t1*d.X), o.Y+float64(t1*d.Y)
	if !(x0 <= o.X && o.X <= x1 && x0 <= ex && ex <= x1 && y0 <= o.Y && o.Y <= y1 && y0 <= ey && ey <= y1) {
		var ok bool
		t0, t1, ok = clipAxis(0, c.maxT, o.X, d.X, x0-half.X-pad, x1+half.X+pad)
		if ok {
			t0, t1, ok = clipAxis(t0, t1, o.Y, d.Y, y0-half.Y-pad, y1+half.Y+pad)
		}
		if !ok {
			return false
		}
	}
	ou, ov := float64((o.X+float64(t0*d.X))*r.inv), float64((o.Y+float64(t0*d.Y))*r.inv)
	eu, ev := float64((o.X+float64(t1*d.X))*r.inv), float64((o.Y+float64(t1*d.Y))*r.inv)
	pad = float64(float64(pad*r.inv) + float64(slack*maxTime(maxAbs(ou, ov), maxAbs(eu, ev))))
	w.hu, w.hv = float64(half.X*r.inv)+float64(2*pad), float64(half.Y*r.inv)+float64(2*pad)
	if !(pad <= maxWalk*slack) || !(w.hu <= maxWalk) || !(w.hv <= maxWalk) {
		w.everything = true
		return true
	}
	// Convert to the region's coordinates.
	ou, ov, eu = ou-cu, ov-cv, eu-cu
	if d.X != 0 {
		w.slope = d.Y / d.X
	}
	w.ou, w.ov = ou, ov
	w.u0, w.u1 = min(ou, eu)-pad, max(ou, eu)+pad
	first, last := max(b.x0, floor32(w.u0-w.hu)), min(b.x1, floor32(w.u1+w.hu))
	if first > last {
		return false
	}
	// A wide cast enters many rows of each column. If it would visit many more cells than there are
	// objects, test the objects instead.
	if few := 64*int64(r.count) + 64; !c.onlyCells && int64(last-first)*(int64(b.y1-b.y0)+1) > few {
		rows := 1 + math.Floor(min(float64(b.y1-b.y0), float64(2*w.hv)+float64(math.Abs(w.slope)*(1+float64(2*w.hu)))))
		if (float64(last)-float64(first))*rows > float64(few) {
			w.everything = true
			return true
		}
	}
	w.rows = span{y0: b.y0, y1: b.y1}
	w.u, w.last = first, last
	if d.X < 0 {
		w.u, w.last, w.step = last, first, -1
	}
	return true
}

// maxAbs returns the larger absolute value.
func maxAbs(a, b float64) float64 { return maxTime(math.Abs(a), math.Abs(b)) }

// clipAxis returns the part of [t0, t1] in which o + t*d is in [lo, hi], false if there is none.
func clipAxis(t0, t1, o, d, lo, hi float64) (float64, float64, bool) {
	if d == 0 {
		return t0, t1, lo <= o && o <= hi
	}
	in, out := (lo-o)/d, (hi-o)/d
	t0, t1 = max(t0, min(in, out)), min(t1, max(in, out))
	return t0, t1, t0 <= t1
}

// floor32 returns floor(x), clamped to slightly more than the range of a region's cells, so that
// the conversion is defined.
func floor32(x float64) int32 {
	if x > 2*maxCell {
		return 2 * maxCell
	}
	if x < -2*maxCell {
		return -2 * maxCell
	}
	return int32(math.Floor(x))
}

// rowsOf returns the range of cells along v that the cast may enter in column u, lo > hi if there
// are none.
func (w *walk) rowsOf(u int32) (lo, hi int32) {
	a, b := float64(u)-w.hu, float64(u)+1+w.hu
	if a < w.u0 {
		a = w.u0
	}
	if b > w.u1 {
		b = w.u1
	}
	va := w.ov + float64((a-w.ou)*w.slope)
	vb := w.ov + float64((b-w.ou)*w.slope)
	if w.slope < 0 {
		va, vb = vb, va
	}
	return max(w.rows.y0, floor32(va-w.hv)), min(w.rows.y1, floor32(vb+w.hv))
}

// next advances to the next column; it returns false after the last one.
func (w *walk) next() bool {
	if w.u == w.last {
		return false
	}
	w.u += w.step
	w.lo, w.hi = w.rowsOf(w.u)
	return true
}

// cell returns the list of the cell in row v of the column.
func (w *walk) cell(v int32) list {
	cx, cy := w.u, v
	if w.steep {
		cx, cy = v, w.u
	}
	r := w.r
	if r.kind == Hashed {
		return r.cell(cx, cy)
	}
	c := w.chunkAt(v)
	if c < 0 {
		return 0
	}
	i := inChunk(cx, cy)
	if r.chunks.mask[c][i>>6]>>(i&63)&1 == 0 {
		return 0
	}
	return r.chunks.lists[c<<(2*chunkBits)|i]
}

// noCells is the mask of a missing or empty chunk.
var noCells [4]uint64

// chunkAt returns the chunk of a row of the column, below 0 if there is none, and sets mask.
func (w *walk) chunkAt(v int32) int {
	if w.u>>chunkBits != w.bx || v>>chunkBits != w.by {
		w.toChunk(w.u>>chunkBits, v>>chunkBits)
	}
	return w.chunk
}

func (w *walk) toChunk(bx, by int32) {
	w.bx, w.by = bx, by
	if w.steep {
		bx, by = by, bx
	}
	w.chunk, w.mask = w.r.chunk(bx, by), &noCells
	if w.chunk >= 0 && w.r.chunks.load[w.chunk] > 0 {
		w.mask = &w.r.chunks.mask[w.chunk]
	}
}

// mayTouch reports whether the path may touch a qbox with the given sides along u and v.
func (w *walk) mayTouch(u0, u1, v0, v1 int32) bool {
	const part = 1.0 / (1 << subBits)
	a, b := float64(float64(u0)*part)-w.hu, float64(float64(u1+1)*part)+w.hu
	if a < w.u0 {
		a = w.u0
	}
	if b > w.u1 {
		b = w.u1
	}
	va := w.ov + float64((a-w.ou)*w.slope)
	vb := w.ov + float64((b-w.ou)*w.slope)
	if w.slope < 0 {
		va, vb = vb, va
	}
	return a <= b && va-w.hv <= float64(float64(v1+1)*part) && vb+w.hv >= float64(float64(v0)*part)
}

// skip advances over columns in which the cast is inside of empty blocks, if the current column is
// empty; it stops at the last such column.
func (w *walk) skip() {
	if w.lo > w.hi {
		return
	}
	r := w.r
	if r.kind != Hashed {
		if w.mask != &noCells || !w.skipBlock(chunkBits) {
			return
		}
	}
	w.skipBlocks()
}

// skipBlocks advances over columns in which the cast is inside of empty blocks.
func (w *walk) skipBlocks() {
	r := w.r
	if r.kind == Fixed {
		return
	}
	for tier := range uint8(tiers) {
		by := r.squareBits() + 3*(tier+1)
		bx, by2 := w.square(by)
		if bx == w.full.x0 && by2 == w.full.y0 && tier == 0 {
			return
		}
		if r.blocks[tier].find(squareKey(bx, by2)) != nil {
			if tier == 0 {
				w.full = span{x0: bx, y0: by2}
			}
			return
		}
		if !w.skipBlock(by) {
			return
		}
	}
}

// square returns the square of 2^by cells that contains the column's lowest cell.
func (w *walk) square(by uint8) (x, y int32) {
	if w.steep {
		return w.lo >> by, w.u >> by
	}
	return w.u >> by, w.lo >> by
}

// skipBlock advances to the last column in which the cast is inside of its current, empty block of
// 2^by cells; it returns false if the current column is the last such column.
func (w *walk) skipBlock(by uint8) bool {
	bv := w.lo >> by
	if bv != w.hi>>by {
		return false
	}
	n := int32(1)<<by - 1 - w.u&(1<<by-1)
	left := w.last - w.u
	if w.step < 0 {
		n, left = w.u&(1<<by-1), -left
	}
	n = min(n, left)
	// The rows stay in the block until its upper or lower side meets the side of the path, at the
	// column's far edge.
	edge := float64(w.u) - w.hu
	if w.step > 0 {
		edge = float64(w.u) + 1 + w.hu
	}
	v := w.ov + float64((edge-w.ou)*w.slope)
	if s := w.slope * float64(w.step); s > 0 {
		n = min(n, floor32((float64((bv+1)<<by)-v-w.hv)/s)-1)
	} else if s < 0 {
		n = min(n, floor32((v-w.hv-float64(bv<<by))/-s)-1)
	}
	if n <= 0 {
		return false
	}
	w.u += n * w.step
	w.lo, w.hi = w.rowsOf(w.u)
	return w.lo <= w.hi
}
