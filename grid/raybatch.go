package grid

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/quarry2d/quarry/geom"
)

// rayBatch looks for the hits of a ray on one level. What takes the time is that tiles,
// lists, the ids in them and boxes each lie elsewhere in memory, far from the
// processor; so each of these steps is made for a whole batch of cells before the next, and
// first only touches what it is going to read: loads that nothing waits for are all under
// way at once, whereas a branch that was guessed wrong waits for what it asked about, and
// all that comes after it as well.
//
// It is too large to be zeroed for every ray, and so made once and again used.
type rayBatch struct {
	g     *Grid
	c     cast
	only  bool // is it the first hit that is asked for
	best  Hit  // of those so far, if so
	w     walk
	plain bool  // may hits be asked
	bits  uint8 // width of a tile
	steep bool
	// What follows is in 2^-32 of a cell. slope is of v per column; lo and hi, added
	// to v where a column begins, give the least and the greatest v in it.
	slope, lo, hi int64
	down          int64 // all bits if the ray goes down in a column, and none if up
	line          outlineTest
	// Where the level's hits begin in dst, and at what length they are to be made
	// each one.
	start, full int

	tiles int
	tile  [4]tileColumn
	most  int // cells of a batch
	n     int
	// at tells where a cell's list is: of a chunk's cell, which of all; of another, its
	// key, u first. Then it is the list.
	at [48]uint64
	v  [48]int32 // of the ray, where the cell begins, as outlineTest takes it
	// What the cells list, by fours, and what memory it is in.
	fours [64]four
	rest  struct { // of the last cell's objects
		start, room, left int
		v                 int32
	}
	lines [2*64 + 4]uint32
	met   [4 * 64]ID
	nMet  int
	seen  [64]ID // objects met lately, each +1
	// Hits that are yet to be put in order, and what orders them.
	found  [128]Hit
	keys   [128 + window]uint64
	nFound int
	// touched takes what is loaded ahead, so that no compiler leaves it out.
	touched uint64
}

// four is up to four objects of a cell's list.
type four struct {
	valid uint64 // the highest bit for each that there is; then for each that is near
	one   uint64 // all bits of one that is alone, in the list itself
	alone uint64 // and that list, or 0
	v     int32  // of the ray, where the cell begins
	start int32  // where their ids are
	outs  int32  // where their outlines are
}

// rayBatches are those that are not in use.
var rayBatches = sync.Pool{New: func() any { return new(rayBatch) }}

// newRayBatch returns a batch for a ray on a level, nil if the ray is clear of all cells in use or not worth a walk.
func newRayBatch(g *Grid, l *level, c *cast) (b *rayBatch, everything bool) {
	b = rayBatches.Get().(*rayBatch)
	b.w = walk{}
	if !b.w.start(l, c) || b.w.everything {
		everything = b.w.everything
		b.free()
		return nil, everything
	}
	b.g, b.c = g, *c
	b.n, b.nMet, b.rest.left, b.nFound, b.seen = 0, 0, 0, 0, [64]ID{}
	return b, false
}

// free gives b back.
func (b *rayBatch) free() {
	b.g, b.w.l, b.w.mask = nil, nil, nil
	rayBatches.Put(b)
}

// prepare works out what all steps use, once g, c and w are set.
func (b *rayBatch) prepare() {
	w := &b.w
	b.most = len(b.at)
	if b.only {
		b.most = 12
	}
	b.plain = b.g.groups == nil && b.c.mask != 0 && isPlain(b.c.d)
	b.bits = w.l.tileBits()
	b.steep = w.steep
	b.slope = int64(w.slope * (1 << fixed))
	b.down = (b.slope ^ int64(w.step)) >> 63
	// Beside the slack of the walk, some for the rounding of slope and of the test.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<18
	b.lo, b.hi = min(0, b.slope)-wide, max(0, b.slope)+wide
	b.line.set(b.slope, wide, w.steep)
}

// run appends all hits, or improves the best one.
func (b *rayBatch) run(dst []Hit) []Hit {
	columns := len(b.tile)
	if b.only {
		columns = 1 // more is seldom needed
	}
	w := &b.w
	for {
		done := b.place(columns)
		b.touched ^= b.touch()
		b.touched ^= b.find()
		any := b.look()
		for i := range b.tile[:b.tiles] {
			if t := &b.tile[i]; t.any != 0 {
				var over bool
				if dst, over = b.column(dst, t); over {
					return dst
				}
			}
		}
		if done || !any && !b.leap() {
			return b.end(dst)
		}
		if b.only {
			dst = b.flush(dst)
			if b.passed(w.u) {
				return dst
			}
		}
	}
}

// place finds the next columns of tiles, n at most, and reports whether they are the last.
func (b *rayBatch) place(n int) bool {
	w := &b.w
	for b.tiles = 0; b.tiles < n; {
		t := &b.tile[b.tiles]
		w.tileColumn(t, w.u, b.bits)
		b.tiles++
		if t.last == w.last {
			return true
		}
		w.u = t.last + w.step
	}
	return false
}

// leap goes on over an empty block of tiles, false if the ray ends in it.
func (b *rayBatch) leap() bool {
	w := &b.w
	u := w.u
	w.lo, w.hi = w.rowsOf(u)
	if w.lo > w.hi {
		return true
	}
	w.skipBlocks()
	if w.u == u {
		return true
	}
	if w.u == w.last {
		return false
	}
	w.u += w.step
	return true
}

// column takes the cells with objects of a column of tiles into the batch. It reports
// whether the ray is over, since its first hit is found.
func (b *rayBatch) column(dst []Hit, t *tileColumn) ([]Hit, bool) {
	for u := t.first; ; {
		var more bool
		if b.w.l.kind == Hashed {
			u, more = b.hashedCells(t, u)
		} else {
			u, more = b.chunkCells(t, u)
		}
		if !more {
			return dst, false
		}
		dst = b.flush(dst)
		if b.only && b.passed(u) {
			return dst, true
		}
	}
}

// chunkCells takes the cells of chunks from the column u on, until there are enough, and
// returns the column that comes next, and whether there is one. There are no branches but
// for the seldom ones: nobody could guess them.
func (b *rayBatch) chunkCells(t *tileColumn, u int32) (int32, bool) {
	const side = ChunkSide - 1
	byU, byV := 1, int64(ChunkSide)
	if b.steep {
		byU, byV = ChunkSide, 1
	}
	n, step, last := b.n, b.w.step, t.last
	slope, lo, hi, down := b.slope, b.lo, b.hi, b.down
	most := b.most - 8
	for n <= most {
		v := t.v + slope*int64(u&side)
		au := int64(int(u&side) * byU)
		r0, r1 := (v+lo)>>fixed, (v+hi)>>fixed
		if r1 > r0+1 {
			// Three rows, from corner to corner.
			r := r0 + 1
			at := (r&side)*byV + au
			k := r >> chunkBits & 3
			b.at[n] = uint64(int64(t.at[k]) + at)
			b.v[n] = int32((v - r<<fixed) >> (fixed - lineBits))
			n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		}
		other := uint64(r0-r1) >> 63 // is there a second row
		first := r0 ^ (r0^r1)&down
		second := r0 ^ r1 ^ first
		at := (first&side)*byV + au
		k := first >> chunkBits & 3
		b.at[n] = uint64(int64(t.at[k]) + at)
		b.v[n] = int32((v - first<<fixed) >> (fixed - lineBits))
		n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		at = (second&side)*byV + au
		k = second >> chunkBits & 3
		b.at[n] = uint64(int64(t.at[k]) + at)
		b.v[n] = int32((v - second<<fixed) >> (fixed - lineBits))
		n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & other)
		if u == last {
			b.n = n
			return u, false
		}
		u += step
	}
	b.n = n
	return u, true
}

// hashedCells does what chunkCells does, for tiles of hashed cells.
func (b *rayBatch) hashedCells(t *tileColumn, u int32) (int32, bool) {
	const bits = 3
	const side = 1<<bits - 1
	byU, byV := 1, int64(side+1)
	if b.steep {
		byU, byV = side+1, 1
	}
	n, step, last := b.n, b.w.step, t.last
	most := b.most - 8
	for n <= most {
		v := t.v + b.slope*int64(u&side)
		au := int64(int(u&side) * byU)
		end := (v + b.hi) >> fixed
		for r := (v + b.lo) >> fixed; r <= end; r++ {
			at := (r&side)*byV + au
			b.at[n] = uint64(squareKey(u, t.row<<bits+int32(r)))
			b.v[n] = int32((v - r<<fixed) >> (fixed - lineBits))
			n += int(t.mask[r>>bits&3] >> (at & 63) & 1)
		}
		if u == last {
			b.n = n
			return u, false
		}
		u += step
	}
	b.n = n
	return u, true
}

// passed reports whether no touch is in the column u or a later one before the best hit.
func (b *rayBatch) passed(u int32) bool {
	w := &b.w
	o, d := b.c.o.X, b.c.d.X
	if w.steep {
		o, d = b.c.o.Y, b.c.d.Y
	}
	if b.best.ID == none || d == 0 {
		return false
	}
	edge := float64(u) - w.hu
	if w.step < 0 {
		edge = float64(u) + 1 + w.hu
	}
	return (float64(edge*w.l.size)-o)/d > b.best.T
}

// flush appends the hits of the batch's cells and empties it.
func (b *rayBatch) flush(dst []Hit) []Hit {
	if b.n == 0 {
		return dst
	}
	if b.only {
		b.most = min(2*b.most, len(b.at))
	}
	b.lists()
	dst = b.outlines(dst)
	return b.compare(dst)
}

// end appends what is left of the hits.
func (b *rayBatch) end(dst []Hit) []Hit {
	dst = b.flush(dst)
	if b.nFound > 0 {
		dst = b.emit(dst)
	}
	return dst
}

// lists reads the cells' lists, and loads both ends of the blocks that outlines is going
// to read.
func (b *rayBatch) lists() {
	l := b.w.l
	at := b.at[:b.n]
	x := uint64(0)
	if l.kind != Hashed {
		lists := l.chunks.lists
		for i, k := range at {
			at[i] = uint64(lists[k])
		}
	} else {
		mask := len(l.cells.slots) - 1
		by := 0
		if b.steep {
			by = 32
		}
		for i := range at {
			k := bits.RotateLeft64(at[i], by)
			at[i] = k
			x ^= uint64(l.cells.slots[l.cells.home(key(k))&mask].key)
		}
		b.touched ^= x
		for i, k := range at {
			at[i] = uint64(l.cells.get(key(k)))
		}
	}
	b.touched ^= x
}

// outlines looks which outlines of the batch's cells the ray may touch, and empties
// the batch.
func (b *rayBatch) outlines(dst []Hit) []Hit {
	for i := 0; i < b.n || b.rest.left > 0; {
		if b.nMet > 0 {
			dst = b.compare(dst)
		}
		var n int
		i, n = b.gather(i)
		b.line.test(b.fours[:n], b.g.pool.padded())
		b.collect(b.fours[:n])
	}
	b.n = 0
	return dst
}

// gather puts what the cells from i on list into fours, as far as there is room, loads the
// lines of memory where that is, and returns how many fours they are, and the cell that comes next.
func (b *rayBatch) gather(i int) (next, fours int) {
	n := b.others(0)
	at := b.at[:b.n]
	m := 0
	for ; i < len(at) && n < len(b.fours)-8; i++ {
		c := at[i]
		class := c >> 32 & 31
		// One that is alone takes the place of the first of a block, without a branch.
		one := uint64(int64(class-1) >> 63)
		start, room := int(uint32(c&^one)), 1<<class
		left := int(c >> 37 & (^one | 1))
		f := &b.fours[n]
		f.valid = valid[min(left, 4)&7]
		f.one, f.alone = one, c&one
		f.v = b.v[i]
		f.start, f.outs = int32(start), int32(start+room)
		n++
		b.lines[m] = uint32(start)
		b.lines[m+1] = uint32(start + room)
		m += 1 + int(uint64(-((start^(start+room))>>4))>>63) // in another line
		if left > 4 {
			b.rest.start, b.rest.room, b.rest.left, b.rest.v = start+4, room-2, left-4, b.v[i]
			n = b.others(n)
		}
	}
	// What is loaded waits in a queue of some hundred instructions, so the loop that does it has
	// few.
	*(*[4]uint32)(b.lines[m:]) = [4]uint32{}
	ids := b.g.pool.padded()
	x := ID(0)
	for k := 0; k < m; k += 4 {
		l := (*[4]uint32)(b.lines[k:])
		x ^= ids[l[0]] ^ ids[l[1]] ^ ids[l[2]] ^ ids[l[3]]
	}
	b.touched ^= uint64(x)
	return i, n
}

// others goes on with the objects of a cell that has more than four.
func (b *rayBatch) others(n int) int {
	r := &b.rest
	for r.left > 0 && n < len(b.fours) {
		f := &b.fours[n]
		f.valid, f.one, f.alone = valid[min(r.left, 4)&7], 0, 0
		f.v, f.start, f.outs = r.v, int32(r.start), int32(r.start+r.room)
		n++
		r.start, r.room, r.left = r.start+4, r.room-2, r.left-4
	}
	return n
}

// collect collects the objects that are near.
func (b *rayBatch) collect(fours []four) {
	ids := b.g.pool.padded()
	n := 0
	for i := range fours {
		f := &fours[i]
		q := ids[f.start:][:4]
		m := (*[4]ID)(b.met[n:])
		near := f.valid
		m[0] = q[0]&^ID(f.one) | ID(f.alone)
		k := near >> 15 & 1
		m[k] = q[1]
		k += near >> 31 & 1
		m[k&3] = q[2]
		k += near >> 47 & 1
		m[k&3] = q[3]
		n += int(k + near>>63)
	}
	b.nMet = n
}

// distinct leaves out most of those objects met that were met before, and touches the
// boxes that compare is going to read.
func (b *rayBatch) distinct() []ID {
	n := 0
	for _, id := range b.met[:b.nMet] {
		h := &b.seen[id&63]
		other := *h ^ (id + 1)
		*h = id + 1
		b.met[n] = id
		n += int(uint32(other|-other) >> 31)
	}
	boxes := b.g.boxes
	x := uint64(0)
	for _, id := range b.met[:n] {
		x ^= math.Float64bits(boxes[id].Min.X)
	}
	b.touched ^= x
	b.nMet = 0
	return b.met[:n]
}

// compare appends the hits of the objects met.
func (b *rayBatch) compare(dst []Hit) []Hit {
	g := b.g
	met := b.distinct()
	if b.only {
		for _, id := range met {
			g.try(&b.best, &b.c, id)
		}
		return dst
	}
	if b.plain {
		for len(met) > 0 {
			n := min(len(met), len(b.found)/2)
			if b.nFound > len(b.found)-n {
				dst = b.emit(dst)
			}
			b.hits(met[:n])
			met = met[n:]
		}
	} else {
		for _, id := range met {
			if t, ok := b.c.slab(&g.boxes[id], 0, 0); ok && g.visible(id, b.c.mask) {
				dst = append(dst, Hit{id, t})
			}
		}
	}
	if len(dst) >= b.full {
		// A ray along long objects meets each in many cells, and all of them in turn.
		dst = sortHits(dst, b.start)
		b.full = 2*len(dst) - b.start + manyHits
	}
	return dst
}

// hits finds the hits among the objects met, for which there is room.
//
// It does what slab does, but products tell, where they are clear, whether there is a hit; and
// nothing depends on that but how many hits there are.
func (b *rayBatch) hits(met []ID) {
	boxes := b.g.boxes
	o, d := b.c.o, b.c.d
	ix, iy := 1/d.X, 1/d.Y
	reach := b.c.reach
	n := b.nFound
	for _, id := range met {
		box := &boxes[id]
		x0, x1 := box.Min.X-o.X, box.Max.X-o.X
		if d.X < 0 {
			x0, x1 = x1, x0
		}
		y0, y1 := box.Min.Y-o.Y, box.Max.Y-o.Y
		if d.Y < 0 {
			y0, y1 = y1, y0
		}
		t := later(later(0, x0/d.X), y0/d.Y)
		end := sooner(sooner(reach, x1*ix), y1*iy)
		// Both products are off by less than 2^-51.
		if by := t - end; math.Abs(by) > float64((t+math.Abs(end))*0x1p-50)+0x1p-1000 {
			f := &b.found[n&127]
			f.ID, f.T = id, t
			b.keys[n&127] = math.Float64bits(t)&^127 | uint64(n)
			n += int(math.Float64bits(by) >> 63)
		} else if t, ok := b.c.slab(box, 0, 0); ok {
			b.found[n&127] = Hit{id, t}
			b.keys[n&127] = math.Float64bits(t)&^127 | uint64(n)
			n++
		}
	}
	b.nFound = n
}

// window is how many hits later than it one may come that is put in order at once.
const window = 3

// emit appends the hits found, nearly always in order: all but the lowest bits of T, and
// which it is, are one number, of which the least of the next few is found without a branch.
func (b *rayBatch) emit(dst []Hit) []Hit {
	n := b.nFound
	b.nFound = 0
	dst = slices.Grow(dst, n)
	out := dst[len(dst) : len(dst)+n]
	*(*[window]uint64)(b.keys[n:]) = [window]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	var k0, k1, k2 uint64
	for i, k := range b.keys[:n+window] {
		k2, k = max(k2, k), min(k2, k)
		k1, k = max(k1, k), min(k1, k)
		k0, k = max(k0, k), min(k0, k)
		if i >= window {
			f := &b.found[k&127]
			out[i-window].set(f.ID, bitsOf(f))
		}
	}
	return dst[:len(dst)+n]
}

// isPlain reports whether products tell something about a d, and nothing overflows.
func isPlain(d geom.Vec) bool {
	const least, most = 0x1p-500, 0x1p500
	x, y := math.Abs(d.X), math.Abs(d.Y)
	return least < x && x < most && least < y && y < most
}

// manyHits is how many hits may collect before those that come several times are
// taken out.
const manyHits = 1 << 12
