package grid

// castBatch finds the hits of a cast in one region. As with pairs, most of the time is cache
// misses: a cell's list, its ids, their qboxes and their boxes each lie elsewhere in memory. So
// each of these steps is done for many cells before the next, and the misses of one step overlap.
type castBatch struct {
	g *Grid
	c *cast
	w *walk
	n int // number of cells
	// The rows of the previous column.
	prevLo, prevHi int32
	cells          [32]struct {
		at           int32 // index of the list of a chunk's cell
		u, v, lo     int32 // the cell, and the lowest row of its column
		back0, back1 int32
		list         list
	}
	candidates     [64]struct{ cell, id int32 }
	candidateCount int
}

// run appends all hits.
func (b *castBatch) run(dst []Hit) []Hit {
	b.prevLo, b.prevHi = 1, 0
	w := b.w
	hashed := w.r.kind == Hashed
	for {
		for v := w.lo; v <= w.hi; v++ {
			at := 0
			if !hashed {
				at = inChunk(w.u, v)
				if w.steep {
					at = inChunk(v, w.u)
				}
				c := w.chunkAt(v)
				if w.mask[at>>6]>>(at&63)&1 == 0 {
					continue
				}
				at |= c << (2 * chunkBits)
			}
			if b.n == len(b.cells) {
				dst, _ = b.flush(dst)
			}
			k := &b.cells[b.n]
			k.at, k.u, k.v, k.lo, k.back0, k.back1 = int32(at), w.u, v, w.lo, b.prevLo, b.prevHi
			b.n++
		}
		b.prevLo, b.prevHi = w.lo, w.hi
		// An empty cell is often followed by many.
		switch {
		case hashed && b.n > len(b.cells)/2:
			var found bool
			if dst, found = b.flush(dst); !found {
				w.skip()
				b.prevLo, b.prevHi = w.lo, w.hi
			}
		case !hashed && w.mask == &noCells:
			w.skip()
			b.prevLo, b.prevHi = w.lo, w.hi
		}
		if !w.next() {
			dst, _ = b.flush(dst)
			return dst
		}
	}
}

// flush appends the hits of the batch's cells and empties the batch. It reports whether any cell
// has objects.
func (b *castBatch) flush(dst []Hit) ([]Hit, bool) {
	g, w := b.g, b.w
	r := w.r
	n := b.n
	for i := range b.cells[:n] {
		k := &b.cells[i]
		switch {
		case r.kind != Hashed:
			k.list = r.chunks.lists[k.at]
		case w.steep:
			k.list = r.cell(k.v, k.u)
		default:
			k.list = r.cell(k.u, k.v)
		}
	}
	found := false
	var one [1]ID
	for i := range b.cells[:n] {
		c := b.cells[i].list
		if c == 0 {
			continue
		}
		found = true
		for _, id := range g.pool.of(c, &one) {
			if b.candidateCount == len(b.candidates) {
				dst = b.testCandidates(dst)
			}
			b.candidates[b.candidateCount] = struct{ cell, id int32 }{int32(i), int32(id)}
			b.candidateCount++
		}
	}
	dst = b.testCandidates(dst)
	b.n = 0
	return dst, found
}

// testCandidates appends the hits of the candidates.
//
// The columns in which a walk meets an object's rows are consecutive. The object is tested in the
// first of them only, found by the rows of the previous column, and there in the lowest row.
func (b *castBatch) testCandidates(dst []Hit) []Hit {
	g, w := b.g, b.w
	n := 0
	for _, m := range b.candidates[:b.candidateCount] {
		q := &g.qboxes[m.id]
		u0, u1, v0, v1 := q.x0, q.x1, q.y0, q.y1
		if w.steep {
			u0, u1, v0, v1 = v0, v1, u0, u1
		}
		k := &b.cells[m.cell]
		back := k.u - w.step
		if u0>>subBits <= back && back <= u1>>subBits && k.back0 <= k.back1 && v0>>subBits <= k.back1 &&
			k.back0 <= v1>>subBits ||
			max(k.lo, v0>>subBits) != k.v {
			continue
		}
		b.candidates[n] = m
		if w.mayTouch(u0, u1, v0, v1) {
			n++
		}
	}
	for _, m := range b.candidates[:n] {
		dst = g.appendHit(dst, b.c, ID(m.id))
	}
	b.candidateCount = 0
	return dst
}
