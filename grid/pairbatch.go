package grid

import "math/bits"

// The search for pairs is bound by memory latency: a cell's list, its ids and their qboxes lie in
// three places, each known only after the one before is loaded. So each of these steps is done for
// a batch of cells before the next: the loads of one step overlap, and do not wait for the
// comparisons, whose outcome is unpredictable.

// pairBatch is a batch of cells of one region.
type pairBatch struct {
	g      *Grid
	n      int // number of objects
	cells  int
	ids    [256]ID
	qboxes [256]qbox
	ranges [128]struct {
		cx, cy int32
		end    int32 // end of its objects in ids
	}
}

// appendRegionPairs appends the pairs within one region; each is reported by the lowest cell that
// both objects share.
func (g *Grid) appendRegionPairs(dst [][2]ID, r *region) [][2]ID {
	b := pairBatch{g: g}
	if r.kind == Hashed {
		for i := range r.cells.slots {
			s := &r.cells.slots[i]
			if s.val.class() > 0 {
				cx, cy := s.key.square()
				dst = b.add(dst, s.val, cx, cy)
			}
		}
		return b.flush(dst)
	}
	for c := range r.chunks.mask {
		if r.chunks.load[c] == 0 {
			continue
		}
		bx, by := r.chunkPlace(c)
		lists := r.chunks.lists[c<<(2*chunkBits) : (c+1)<<(2*chunkBits)]
		for w, m := range r.chunks.mask[c] {
			for ; m != 0; m &= m - 1 {
				i := w<<6 | bits.TrailingZeros64(m)
				if lists[i].class() > 0 {
					dst = b.add(dst, lists[i], bx<<chunkBits+int32(i)&(ChunkSide-1), by<<chunkBits+int32(i)>>chunkBits)
				}
			}
		}
	}
	return b.flush(dst)
}

// add adds a cell with several objects to the batch.
func (b *pairBatch) add(dst [][2]ID, c list, cx, cy int32) [][2]ID {
	ids := b.g.pool.several(c)
	if len(ids) > len(b.ids) {
		return b.g.appendLargeCell(dst, ids, cx, cy)
	}
	if b.n+len(ids) > len(b.ids) || b.cells == len(b.ranges) {
		dst = b.flush(dst)
	}
	for i, id := range ids {
		b.ids[b.n+i] = id
	}
	b.n += len(ids)
	k := &b.ranges[b.cells]
	k.cx, k.cy, k.end = cx, cy, int32(b.n)
	b.cells++
	return dst
}

// flush appends the pairs of the batch and empties it.
func (b *pairBatch) flush(dst [][2]ID) [][2]ID {
	g := b.g
	for i, id := range b.ids[:b.n] {
		b.qboxes[i] = g.qboxes[id]
	}
	start := int32(0)
	for _, k := range b.ranges[:b.cells] {
		ids, qboxes := b.ids[start:k.end], b.qboxes[start:k.end]
		start = k.end
		for i := 1; i < len(ids); i++ {
			qa := &qboxes[i]
			for j := range i {
				if qb := &qboxes[j]; qa.overlaps(qb) && lowest(qa, qb, k.cx, k.cy) && g.overlap(ids[i], ids[j], qa,
					qb) {
					dst = append(dst, pair(ids[i], ids[j]))
				}
			}
		}
	}
	b.n, b.cells = 0, 0
	return dst
}

// appendLargeCell appends the pairs of a cell with too many objects for a batch.
func (g *Grid) appendLargeCell(dst [][2]ID, ids []ID, cx, cy int32) [][2]ID {
	for i, a := range ids {
		qa := &g.qboxes[a]
		for _, b := range ids[i+1:] {
			if qb := &g.qboxes[b]; qa.overlaps(qb) && lowest(qa, qb, cx, cy) && g.overlap(a, b, qa, qb) {
				dst = append(dst, pair(a, b))
			}
		}
	}
	return dst
}

// lowest reports whether (cx, cy) is the lowest cell that both qboxes are in.
func lowest(a, b *qbox, cx, cy int32) bool {
	return max(a.x0, b.x0)>>subBits == cx && max(a.y0, b.y0)>>subBits == cy
}

// overlap reports whether the boxes of two objects overlap, given that their qboxes do. It seldom
// reads the boxes.
func (g *Grid) overlap(a, b ID, qa, qb *qbox) bool {
	return qa.certainlyOverlaps(qb) || g.boxes[a].Overlaps(g.boxes[b])
}

// coarseBatch is a batch of objects to be paired with the objects of coarser cells.
type coarseBatch struct {
	g       *Grid
	n       int
	queries [128]struct {
		id     ID
		cx, cy int32
		r      *region // the region of the cell
		q      qbox    // the object, in the coordinates of r
		list   list
	}
	candidateCount int
	candidates     [256]struct{ ask, id int32 }
}

// appendCoarserPairs appends the pairs of objects on different levels. The object on the finer
// level searches: it covers at most 2x2 cells of any coarser level, and since cells nest, shifts
// give these cells.
func (g *Grid) appendCoarserPairs(dst [][2]ID) [][2]ID {
	b := coarseBatch{g: g}
	var room [fewRegions]*region
	for i := range g.qboxes {
		at := g.at[i]
		if at >= oversize {
			continue
		}
		r, finer := g.regionOfBox(&g.levels[at], &g.boxes[i]), g.qboxes[i]
		coarser := g.used &^ (2<<at - 1)
		for to, rest := nextLevel(coarser); to < oversize; to, rest = nextLevel(rest) {
			by := uint8(to)/2 - at/2 // 0: the other level of the pair
			coarse := g.levels[to].regions
			if len(coarse) > fewRegions {
				coarse = g.levels[to].findRegionsMeeting(&room, g.fineBoxOf(&g.boxes[i]))
			}
			for _, c := range coarse {
				q := finer.coarser(by)
				if dx, dy := r.x>>by-c.x, r.y>>by-c.y; dx|dy != 0 {
					var ok bool
					if q, ok = q.moved(dx, dy); !ok {
						continue
					}
				}
				s := q.cells()
				for cy := s.y0; cy <= s.y1; cy++ {
					for cx := s.x0; cx <= s.x1; cx++ {
						// Most coarser levels have nothing here, as the Bloom filter shows.
						if !c.cells.mayHave(squareKey(cx>>chunkBits, cy>>chunkBits)) {
							continue
						}
						if b.n == len(b.queries) {
							dst = b.flush(dst)
						}
						a := &b.queries[b.n]
						a.id, a.r, a.q, a.cx, a.cy = ID(i), c, q, cx, cy
						b.n++
					}
				}
			}
		}
	}
	return b.flush(dst)
}

// flush appends the pairs of the batch and empties it.
func (b *coarseBatch) flush(dst [][2]ID) [][2]ID {
	g := b.g
	for i := range b.queries[:b.n] {
		a := &b.queries[i]
		a.list = a.r.cell(a.cx, a.cy)
	}
	var one [1]ID
	for i := range b.queries[:b.n] {
		a := &b.queries[i]
		if a.list == 0 {
			continue
		}
		for _, id := range g.pool.of(a.list, &one) {
			if b.candidateCount == len(b.candidates) {
				dst = b.testCandidates(dst)
			}
			b.candidates[b.candidateCount] = struct{ ask, id int32 }{int32(i), int32(id)}
			b.candidateCount++
		}
	}
	dst = b.testCandidates(dst)
	b.n = 0
	return dst
}

// testCandidates appends the overlapping pairs among the candidates.
func (b *coarseBatch) testCandidates(dst [][2]ID) [][2]ID {
	g := b.g
	var qboxes [len(b.candidates)]qbox
	for i, m := range b.candidates[:b.candidateCount] {
		qboxes[i] = g.qboxes[m.id]
	}
	for i, m := range b.candidates[:b.candidateCount] {
		a := &b.queries[m.ask]
		if o := &qboxes[i]; o.overlaps(&a.q) && lowest(o, &a.q, a.cx, a.cy) && g.overlap(ID(m.id), a.id, o, &a.q) {
			dst = append(dst, pair(a.id, ID(m.id)))
		}
	}
	b.candidateCount = 0
	return dst
}
