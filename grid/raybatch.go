package grid

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// rayBatch finds the hits of a ray in one region. Most of the time is cache misses: tiles, lists,
// ids and boxes lie in different places. So each step is done for a whole batch of cells before the
// next, and starts by prefetching its data: independent loads overlap, whereas a
// mispredicted branch waits for its load, and so does everything after it.
//
// A rayBatch is too large to be zeroed for every ray, so it is pooled.
type rayBatch struct {
	casting
	w     walk
	plain bool  // hits may be used; see isPlain
	bits  uint8 // log2 of the width of a tile, in cells
	steep bool
	// Fixed point numbers, in 2^-32 of a cell. slope is the change of v per column; v+lo and v+hi,
	// with v at the start of a column, are the minimum and the maximum v in that column.
	slope, lo, hi int64
	down          int64 // all bits set if the ray descends in a column, else 0
	// Where the region's hits start in list, and the length of list at which duplicates are removed.
	start, full int

	tiles    int
	tile     [4]tileColumn
	capacity int // cells of a batch
	n        int
	// cells holds the index of a chunk cell's list, or a hashed cell's key, u first; later the list
	// itself.
	cells          [48]uint64
	candidates     [4 * 64]ID // objects of the cells
	candidateCount int
	seen           [64]ID        // recent candidates, each +1
	found          [4*64 + 1]Hit // among them, if only the first hit is wanted
	// prefetched is the sum of loaded words, so that the compiler keeps the loads.
	prefetched uint64
}

// rayBatches is the pool of batches, 9 KB each. A garbage collection may free them.
var rayBatches = sync.Pool{New: func() any { return new(rayBatch) }}

// along tests the objects along the walk.
func (b *rayBatch) along() {
	b.n, b.candidateCount, b.seen = 0, 0, [64]ID{}
	b.start, b.full = len(b.list), len(b.list)+manyHits
	b.prepare()
	b.run()
}

// prepare computes the values used by all steps, once g, c and w are set.
func (b *rayBatch) prepare() {
	w := &b.w
	b.capacity = len(b.cells)
	if b.firstOnly {
		b.capacity = 12
	}
	b.plain = b.c.mask != 0 && isPlain(b.c.d)
	b.bits = w.r.tileBits()
	b.steep = w.steep
	b.slope = int64(w.slope * (1 << fixed))
	b.down = (b.slope ^ int64(w.step)) >> 63
	// Beside the slack of the walk, allow for the rounding of slope.
	wide := int64((w.hu+w.hv)*(1<<fixed)) + 1<<18
	b.lo, b.hi = min(0, b.slope)-wide, max(0, b.slope)+wide
}

// run tests the objects along the ray.
func (b *rayBatch) run() {
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
				if b.collectColumn(t) {
					return
				}
			}
		}
		if done || !some && !b.skipEmpty() {
			b.flush()
			return
		}
		if b.firstOnly {
			if b.flush(); b.past(w, w.u) {
				return
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
func (b *rayBatch) collectColumn(t *tileColumn) bool {
	for u := t.first; ; {
		var more bool
		if b.w.r.kind == Hashed {
			u, more = b.hashedCells(t, u)
		} else {
			u, more = b.chunkCells(t, u)
		}
		if !more {
			return false
		}
		if b.flush(); b.past(&b.w, u) {
			return true
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
			n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		}
		other := uint64(r0-r1) >> 63 // 1 if there is a second row
		first := r0 ^ (r0^r1)&down
		second := r0 ^ r1 ^ first
		at := (first&side)*byV + au
		k := first >> chunkBits & 3
		b.cells[n] = uint64(int64(t.at[k]) + at)
		n += int(t.mask[(k<<2|at>>6)&15] >> (at & 63) & 1)
		at = (second&side)*byV + au
		k = second >> chunkBits & 3
		b.cells[n] = uint64(int64(t.at[k]) + at)
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

// flush tests the objects of the batch's cells and empties it.
func (b *rayBatch) flush() {
	if b.n == 0 {
		return
	}
	if b.firstOnly {
		b.capacity = min(2*b.capacity, len(b.cells))
	}
	b.lists()
	b.collect()
}

// lists reads the lists of the cells, and prefetches the ids that collect reads.
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
	if ids := b.g.pool.ids; len(ids) > 0 {
		for _, k := range at {
			alone := uint64(int64(k>>32&31-1) >> 63) // all bits set for a list without a block
			x ^= uint64(ids[uint32(k&^alone)])
		}
	}
	b.prefetched ^= x
}

// collect tests the objects of the cells, and empties the batch. It leaves out most duplicates.
func (b *rayBatch) collect() {
	var one [1]ID
	for _, k := range b.cells[:b.n] {
		for _, id := range b.g.pool.of(list(k), &one) {
			if b.candidateCount == len(b.candidates) {
				b.testCandidates()
			}
			h := &b.seen[id&63]
			other := *h ^ (id + 1)
			*h = id + 1
			b.candidates[b.candidateCount] = id
			b.candidateCount += int(uint32(other|-other) >> 31)
		}
	}
	b.n = 0
	b.testCandidates()
}

// testCandidates tests the candidates, and prefetches their boxes before.
func (b *rayBatch) testCandidates() {
	met, x := b.candidates[:b.candidateCount], uint64(0)
	for _, id := range met {
		x ^= math.Float64bits(b.g.boxes[id].Min.X)
	}
	b.prefetched ^= x
	b.candidateCount = 0
	switch {
	case !b.plain:
		for _, id := range met {
			b.test(id)
		}
	case b.firstOnly:
		for _, h := range b.found[:b.hits(b.found[:], met)] {
			b.improve(h)
		}
	default:
		n := len(b.list)
		b.list = slices.Grow(b.list, len(met)+1)
		b.list = b.list[:n+b.hits(b.list[n:n+len(met)+1], met)]
	}
	if len(b.list) >= b.full {
		// A ray along long objects finds each in many cells; remove the duplicates.
		b.list = sortHits(b.list, b.start)
		b.full = 2*len(b.list) - b.start + manyHits
	}
}

// manyHits is the number of hits that may collect before duplicates are removed.
const manyHits = 1 << 12
