package grid

import (
	"math/bits"
	"sync"
)

// rayBatch looks for the hits of a ray in one region. Most of the time is cache misses: tiles,
// lists, the ids in them and boxes each lie elsewhere in memory. So each of these steps is made for a whole batch of cells before the next, and
// first only touches what it is going to read: loads that nothing waits for are all under
// way at once, whereas a branch that was guessed wrong waits for what it asked about, and
// all that comes after it as well.
//
// It is too large to be zeroed for every ray, and so made once and again used.
type rayBatch struct {
	g         *Grid
	c         cast
	firstOnly bool // is it the first hit that is asked for
	best      Hit  // of those so far, if so
	w         walk
	plain     bool  // hits finds what is met; see isPlain
	bits      uint8 // width of a tile
	steep     bool
	// What follows is in 2^-32 of a cell. slope is of v per column; lo and hi, added
	// to v where a column begins, give the least and the greatest v in it.
	slope, lo, hi int64
	down          int64 // all bits if the ray goes down in a column, and none if up
	subBoxes      subBoxTest
	// Where the region's hits begin in dst, and at what length they are to be made
	// each one.
	start, full int

	tiles    int
	tile     [4]tileColumn
	capacity int // cells of a batch
	n        int
	// at tells where a cell's list is: of a chunk's cell, which of all; of another, its
	// key, u first. Then it is the list.
	cells [48]uint64
	v     [48]int32 // of the ray, where the cell begins, as subBoxTest takes it
	// What the cells list, by groups, and what memory it is in.
	groups    [64]group
	remainder struct { // of the last cell's objects
		start, room, left int
		v                 int32
	}
	lines          [2*64 + 4]uint32
	candidates     [4 * 64]ID
	candidateCount int
	seen           [64]ID // objects met lately, each +1
	// Hits that are yet to be put in order, and what orders them.
	found  [maxFound]Hit
	keys   [maxFound + window]uint64
	nFound int
	// touched takes what is loaded ahead, so that no compiler leaves it out.
	prefetched uint64
}

// rayBatches are those that are not in use. A garbage collection may take them, 9 KB each.
var rayBatches = sync.Pool{New: func() any { return new(rayBatch) }}

// newRayBatch returns a batch for the rays of a query, which free gives back.
func newRayBatch(g *Grid, c *cast) *rayBatch {
	b := rayBatches.Get().(*rayBatch)
	b.g, b.c = g, *c
	return b
}

// free gives b back.
func (b *rayBatch) free() {
	b.g, b.w.r, b.w.mask = nil, nil, nil
	rayBatches.Put(b)
}

// begin begins with a region, in which the cast is c. It returns false if there is
// nothing to walk: the ray is clear of all cells in use, or everything is to be looked
// at.
func (b *rayBatch) begin(r *region, c *cast) (ok, everything bool) {
	b.w = walk{}
	if !b.w.start(r, c) || b.w.everything {
		return false, b.w.everything
	}
	b.n, b.candidateCount, b.remainder.left, b.nFound, b.seen = 0, 0, 0, 0, [64]ID{}
	return true, false
}

// appendRegion appends the hits in a region.
func (b *rayBatch) appendRegion(dst []Hit, r *region, c *cast) []Hit {
	ok, everything := b.begin(r, c)
	switch {
	case everything:
		return b.g.appendAllOf(dst, r, c)
	case !ok:
		return dst
	}
	b.firstOnly, b.start, b.full = false, len(dst), len(dst)+manyHits
	b.prepare()
	return b.run(dst)
}

// firstOfRegion improves best by the hits in a region.
func (b *rayBatch) firstOfRegion(best *Hit, r *region, c *cast) {
	ok, everything := b.begin(r, c)
	switch {
	case everything:
		b.g.firstOfAll(best, r, c)
	case ok:
		b.firstOnly, b.best = true, *best
		b.prepare()
		b.run(nil)
		*best = b.best
	}
}

// prepare works out what all steps use, once g, c and w are set.
func (b *rayBatch) prepare() {
	w := &b.w
	b.capacity = len(b.cells)
	if b.firstOnly {
		b.capacity = 12
	}
	b.plain = b.g.categories == nil && b.c.mask != 0 && isPlain(b.c.d)
	b.bits = w.r.tileBits()
	b.steep = w.steep
	b.slope = int64(w.slope * (1 << fixed))
	b.down = (b.slope ^ int64(w.step)) >> 63
	// Beside the slack of the walk, some for the rounding of slope and of the test.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<18
	b.lo, b.hi = min(0, b.slope)-wide, max(0, b.slope)+wide
	b.subBoxes.set(b.slope, wide, w.steep)
}

// run appends all hits, or improves the best one.
func (b *rayBatch) run(dst []Hit) []Hit {
	columns := len(b.tile)
	if b.firstOnly {
		columns = 1 // more is seldom needed
	}
	w := &b.w
	for {
		done := b.nextTiles(columns)
		b.prefetched ^= b.prefetchTiles()
		b.prefetched ^= b.findTiles()
		some := b.readMasks()
		for i := range b.tile[:b.tiles] {
			if t := &b.tile[i]; t.anyCells != 0 {
				var over bool
				if dst, over = b.collectColumn(dst, t); over {
					return dst
				}
			}
		}
		if done || !some && !b.skipEmpty() {
			return b.end(dst)
		}
		if b.firstOnly {
			dst = b.flush(dst)
			if b.pastBest(w.u) {
				return dst
			}
		}
	}
}

// nextTiles finds the next columns of tiles, n at most, and reports whether they are the last.
func (b *rayBatch) nextTiles(n int) bool {
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

// skipEmpty goes on over an empty block of tiles, false if the ray ends in it.
func (b *rayBatch) skipEmpty() bool {
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

// collectColumn takes the cells with objects of a column of tiles into the batch. It reports
// whether the ray is over, since its first hit is found.
func (b *rayBatch) collectColumn(dst []Hit, t *tileColumn) ([]Hit, bool) {
	for u := t.first; ; {
		var more bool
		if b.w.r.kind == Hashed {
			u, more = b.hashedCells(t, u)
		} else {
			u, more = b.chunkCells(t, u)
		}
		if !more {
			return dst, false
		}
		dst = b.flush(dst)
		if b.firstOnly && b.pastBest(u) {
			return dst, true
		}
	}
}

// maxColumnCells is more than the cells of a column that a ray may enter: three, and the place
// that is written to before it is known whether there is one more.
const maxColumnCells = 8

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
	most := b.capacity - maxColumnCells
	for n <= most {
		v := t.v + slope*int64(u&side)
		au := int64(int(u&side) * byU)
		r0, r1 := (v+lo)>>fixed, (v+hi)>>fixed
		if r1 > r0+1 {
			// Three rows, from corner to corner.
			r := r0 + 1
			at := (r&side)*byV + au
			k := r >> chunkBits & 3
			b.cells[n] = uint64(int64(t.at[k]) + at)
			b.v[n] = int32((v - r<<fixed) >> (fixed - lineBits))
			n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		}
		other := uint64(r0-r1) >> 63 // is there a second row
		first := r0 ^ (r0^r1)&down
		second := r0 ^ r1 ^ first
		at := (first&side)*byV + au
		k := first >> chunkBits & 3
		b.cells[n] = uint64(int64(t.at[k]) + at)
		b.v[n] = int32((v - first<<fixed) >> (fixed - lineBits))
		n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		at = (second&side)*byV + au
		k = second >> chunkBits & 3
		b.cells[n] = uint64(int64(t.at[k]) + at)
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
	most := b.capacity - maxColumnCells
	for n <= most {
		v := t.v + b.slope*int64(u&side)
		au := int64(int(u&side) * byU)
		end := (v + b.hi) >> fixed
		for r := (v + b.lo) >> fixed; r <= end; r++ {
			at := (r&side)*byV + au
			b.cells[n] = uint64(squareKey(u, t.row<<bits+int32(r)))
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

// pastBest reports whether no touch is in the column u or a later one before the best hit.
func (b *rayBatch) pastBest(u int32) bool {
	w := &b.w
	o, d, at := b.c.o.X, b.c.d.X, w.r.cx
	if w.steep {
		o, d, at = b.c.o.Y, b.c.d.Y, w.r.cy
	}
	if b.best.ID == none || d == 0 {
		return false
	}
	edge := float64(u) - w.hu
	if w.step < 0 {
		edge = float64(u) + 1 + w.hu
	}
	return (float64((edge+at)*w.r.size)-o)/d > b.best.T
}

// flush appends the hits of the batch's cells and empties it.
func (b *rayBatch) flush(dst []Hit) []Hit {
	if b.n == 0 {
		return dst
	}
	if b.firstOnly {
		b.capacity = min(2*b.capacity, len(b.cells))
	}
	b.lists()
	dst = b.testSubBoxes(dst)
	return b.testCandidates(dst)
}

// end appends what is left of the hits.
func (b *rayBatch) end(dst []Hit) []Hit {
	dst = b.flush(dst)
	if b.nFound > 0 {
		dst = b.emit(dst)
	}
	return dst
}

// lists reads the cells' lists, and loads both ends of the blocks that sub-boxes is going
// to read.
func (b *rayBatch) lists() {
	r := b.w.r
	at := b.cells[:b.n]
	x := uint64(0)
	if r.kind != Hashed {
		lists := r.chunks.lists
		for i, k := range at {
			at[i] = uint64(lists[k])
		}
	} else {
		mask := len(r.cells.slots) - 1
		by := 0
		if b.steep {
			by = 32
		}
		for i := range at {
			k := bits.RotateLeft64(at[i], by)
			at[i] = k
			x ^= uint64(r.cells.slots[r.cells.home(key(k))&mask].key)
		}
		b.prefetched ^= x
		for i, k := range at {
			at[i] = uint64(r.cells.get(key(k)))
		}
	}
	b.prefetched ^= x
}

// testCandidates appends the hits of the objects met.
func (b *rayBatch) testCandidates(dst []Hit) []Hit {
	g := b.g
	met := b.distinct()
	if b.firstOnly {
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

// manyHits is how many hits may collect before those that come several times are
// taken out.
const manyHits = 1 << 12
