package grid

import (
	"math/bits"
	"sync"
)

// rayBatch finds the hits of a ray in one region. Most of the time is cache misses: tiles, lists,
// ids and boxes lie in different places. So each step is done for a whole batch of cells before the
// next, and starts by prefetching its data: independent loads overlap, whereas a
// mispredicted branch waits for its load, and so does everything after it.
//
// A rayBatch is too large to be zeroed for every ray, so it is pooled.
type rayBatch struct {
	g         *Grid
	c         cast
	firstOnly bool // only the first hit is wanted
	best      Hit  // the first hit so far, if firstOnly
	w         walk
	plain     bool  // hits may be used; see isPlain
	bits      uint8 // log2 of the width of a tile, in cells
	steep     bool
	// Fixed point numbers, in 2^-32 of a cell. slope is the change of v per column; v+lo and v+hi,
	// with v at the start of a column, are the minimum and the maximum v in that column.
	slope, lo, hi int64
	down          int64 // all bits set if the ray descends in a column, else 0
	subBoxes      subBoxTest
	// Where the region's hits start in dst, and the length of dst at which duplicates are removed.
	start, full int

	tiles    int
	tile     [4]tileColumn
	capacity int // cells of a batch
	n        int
	// cells holds the index of a chunk cell's list, or a hashed cell's key, u first; later the list
	// itself.
	cells [48]uint64
	v     [48]int32 // v of the ray at the start of the cell, in units of subBoxTest
	// The objects of the cells, in groups, and the cache lines that they are on.
	groups    [64]group
	remainder struct { // objects of the last cell without a group yet
		start, room, left int
		v                 int32
	}
	lines          [2*64 + 4]uint32
	candidates     [4 * 64]ID
	candidateCount int
	seen           [64]ID // recent candidates, each +1
	// Unsorted hits, and their keys.
	found  [maxFound]Hit
	keys   [maxFound + window]uint64
	nFound int
	// prefetched is the sum of loaded words, so that the compiler keeps the loads.
	prefetched uint64
}

// rayBatches is the pool of batches, 9 KB each. A garbage collection may free them.
var rayBatches = sync.Pool{New: func() any { return new(rayBatch) }}

// newRayBatch returns a batch for the rays of a query; free returns it to the pool.
func newRayBatch(g *Grid, c *cast) *rayBatch {
	b := rayBatches.Get().(*rayBatch)
	b.g, b.c = g, *c
	return b
}

// free returns b to the pool.
func (b *rayBatch) free() {
	b.g, b.w.r, b.w.mask = nil, nil, nil
	rayBatches.Put(b)
}

// begin starts a region, with the cast c. ok is false if there is nothing to walk: the ray misses
// all cells in use, or everything is set and all objects must be tested.
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

// prepare computes the values used by all steps, once g, c and w are set.
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
	// Beside the slack of the walk, allow for the rounding of slope and of the test.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<18
	b.lo, b.hi = min(0, b.slope)-wide, max(0, b.slope)+wide
	b.subBoxes.set(b.slope, wide, w.steep)
}

// run appends all hits, or improves best if firstOnly.
func (b *rayBatch) run(dst []Hit) []Hit {
	columns := len(b.tile)
	if b.firstOnly {
		columns = 1 // more are seldom needed
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

// nextTiles finds the next columns of tiles, at most n, and reports whether they are the last.
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

// skipEmpty skips an empty block of tiles; it returns false if the ray ends inside the block.
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

// collectColumn adds the occupied cells of a column of tiles to the batch. It reports whether the
// ray is done, because its first hit is found.
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

// maxColumnCells is more than the cells that a ray may enter in a column: three, and a place that
// is written before its bit is known.
const maxColumnCells = 8

// chunkCells adds the cells of chunks from column u on, until the batch is nearly full. It returns
// the next column, and whether there is one. All branches except rare ones are avoided, because
// they would be unpredictable.
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
		other := uint64(r0-r1) >> 63 // 1 if there is a second row
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

// hashedCells is chunkCells for tiles of hashed cells.
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

// pastBest reports whether nothing in column u or later can be hit before the best hit.
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

// end appends the remaining hits.
func (b *rayBatch) end(dst []Hit) []Hit {
	dst = b.flush(dst)
	if b.nFound > 0 {
		dst = b.emit(dst)
	}
	return dst
}

// lists reads the lists of the cells, and prefetches both ends of the blocks that testSubBoxes
// reads.
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

// testCandidates appends the hits among the candidates.
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
		// A ray along long objects finds each in many cells; remove the duplicates.
		dst = sortHits(dst, b.start)
		b.full = 2*len(dst) - b.start + manyHits
	}
	return dst
}

// manyHits is the number of hits that may collect before duplicates are removed.
const manyHits = 1 << 12
