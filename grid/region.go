package grid

// region is a square of a level's cells, 2^regionBits on a side, with coordinates of its
// own: cell (0, 0) is in its middle. So a cell's number fits in half a key, and the qbox of
// an object in 16 bytes, however far from the origin of the world the cells are. The region
// round the origin has the coordinates of the world, and most worlds have no other.
//
// An object belongs to the region that its lower left corner is in, and is listed
// there in all its cells, those beyond the region's side too.
//
// A square is an entry of the table: a cell of a hashed region, a chunk of a chunked one.
//
// There is one struct for all kinds, and a branch on the kind where a square is
// looked for: the cells of a chunk, and the objects of a cell, are then walked
// without any. An interface, or a type parameter (whose methods Go calls through
// a dictionary), would put a call that cannot be inlined in its place.
type region struct {
	size float64 // side of a cell
	at   uint8   // its level
	kind Kind    // Fixed, Hashed or Chunked
	x, y int64   // its cell (0, 0), in 64ths of a cell of the level
	// frame is the cells in which the lower left corner of an object may be; in a fixed
	// region the whole object must be in them.
	frame  span
	count  int // objects
	key    key // its place among the regions of the level
	inv    float64
	cx, cy float64 // x and y in cells
	// cells has the lists of a hashed region, and the numbers of the chunks,
	// from 1, of a chunked one.
	cells  table
	blocks [tiers]table
	// chunks are all chunks of a fixed region, or the chunks in use of a chunked one.
	chunks chunks
	wide   int32 // chunks a row, of a fixed region
	// bounds holds all squares in use. It grows at once, but shrinks only when
	// squares on its border have been given up as often as there are squares, so
	// that shrinking costs a constant a change.
	bounds span
	stale  int
}

// chunkBits is the width of a chunk, 2^4 = 16 cells.
const chunkBits = 4

// ChunkSide is the side of a chunk, in cells.
const ChunkSide = 1 << chunkBits

// squareBits returns the width of r's squares, as a power of two of cells.
func (r *region) squareBits() uint8 {
	if r.kind == Hashed {
		return 0
	}
	return chunkBits
}

// cell returns the objects of a cell.
func (r *region) cell(cx, cy int32) list {
	if r.kind == Hashed {
		k := squareKey(cx, cy)
		// A lookup in a small table is as fast as one in its Bloom filter.
		if r.cells.hasBloom && len(r.cells.slots) > 1<<12 && !r.cells.mayHave(k) {
			return 0
		}
		return r.cells.get(k)
	}
	c := r.chunk(cx>>chunkBits, cy>>chunkBits)
	if c < 0 {
		return 0
	}
	return r.chunks.lists[c<<(2*chunkBits)|inChunk(cx, cy)]
}

// chunk returns the number of a chunk, below 0 if there is none.
func (r *region) chunk(bx, by int32) int {
	if r.kind == Fixed {
		if !r.bounds.has(bx, by) {
			return -1
		}
		return int(by-r.frame.y0>>chunkBits)*int(r.wide) + int(bx-r.frame.x0>>chunkBits)
	}
	return int(r.cells.get(squareKey(bx, by))) - 1
}

// squares returns the number of squares in use.
func (r *region) squares() int {
	if r.kind == Fixed {
		return r.chunks.used
	}
	return r.cells.used
}

// open returns the place of a cell's list. A new list is 0, and counts as in use; the
// caller must fill it at once. The place is valid until the next change.
func (r *region) open(cx, cy int32) *list {
	if r.kind == Hashed {
		s := r.cells.insert(squareKey(cx, cy))
		if s.val == 0 {
			r.bounds = r.bounds.grow(cx, cy)
			r.markUsed(cx, cy)
		}
		return &s.val
	}
	bx, by := cx>>chunkBits, cy>>chunkBits
	var c int
	if r.kind == Fixed {
		r.bounds = r.bounds.grow(bx, by)
		c = r.chunk(bx, by)
	} else {
		s := r.cells.insert(squareKey(bx, by))
		if s.val == 0 {
			s.val = list(r.chunks.alloc(squareKey(bx, by))) + 1
			r.bounds = r.bounds.grow(bx, by)
			r.markUsed(bx, by)
		}
		c = int(s.val) - 1
	}
	i := inChunk(cx, cy)
	at := &r.chunks.lists[c<<(2*chunkBits)|i]
	if *at == 0 {
		r.chunks.occupy(c, i)
	}
	return at
}

// listObject lists an object in a cell.
func (r *region) listObject(p *pool, id ID, o subBox, cx, cy int32) {
	c := r.open(cx, cy)
	*c = p.push(*c, id, o)
}

// unlistObject takes an object out of a cell's list, and the square out of the table
// if that was its last one.
func (r *region) unlistObject(p *pool, id ID, cx, cy int32) {
	if r.kind == Hashed {
		i := r.cells.index(squareKey(cx, cy))
		s := &r.cells.slots[i]
		s.val = p.drop(s.val, id)
		if s.val == 0 {
			r.cells.remove(i)
			r.markUnused(cx, cy)
			r.noteUnused(cx, cy)
		}
		return
	}
	bx, by := cx>>chunkBits, cy>>chunkBits
	c, i := r.chunk(bx, by), inChunk(cx, cy)
	at := &r.chunks.lists[c<<(2*chunkBits)|i]
	*at = p.drop(*at, id)
	if *at != 0 || !r.chunks.vacate(c, i) {
		return
	}
	if r.kind == Chunked {
		r.chunks.release(c)
		r.cells.remove(r.cells.index(squareKey(bx, by)))
		r.markUnused(bx, by)
	}
	r.noteUnused(bx, by)
}

// noteUnused notes that a square has gone out of use.
func (r *region) noteUnused(x, y int32) {
	if r.squares() == 0 {
		r.bounds, r.stale = noSpan, 0
		return
	}
	b := r.bounds
	if x == b.x0 || x == b.x1 || y == b.y0 || y == b.y1 {
		if r.stale++; r.stale >= max(minSlots, r.squares()) {
			r.shrinkBounds()
		}
	}
}

// shrinkBounds makes bounds exact.
func (r *region) shrinkBounds() {
	b := noSpan
	if r.kind == Fixed {
		for c, n := range r.chunks.load {
			if n > 0 {
				b = b.grow(r.chunkPlace(c))
			}
		}
	}
	for i := range r.cells.slots {
		if s := &r.cells.slots[i]; s.val != 0 {
			b = b.grow(s.key.square())
		}
	}
	r.bounds, r.stale = b, 0
}

// place returns the index of the chunk c in chunks.
func (r *region) chunkPlace(c int) (bx, by int32) {
	if r.kind == Fixed {
		return r.frame.x0>>chunkBits + int32(c)%r.wide, r.frame.y0>>chunkBits + int32(c)/r.wide
	}
	return r.chunks.keys[c].square()
}

// cellBounds returns bounds in cells.
func (r *region) cellBounds() span {
	b := r.bounds
	if r.kind == Hashed {
		return b
	}
	if n := r.squareBits(); n > 0 && !b.empty() {
		b = span{b.x0 << n, b.y0 << n, (b.x1+1)<<n - 1, (b.y1+1)<<n - 1}
		if r.kind == Fixed {
			b = b.intersect(r.frame)
		}
	}
	return b
}

// clear takes everything out, and keeps the memory.
func (r *region) clear() {
	r.count, r.bounds, r.stale = 0, noSpan, 0
	r.cells.clear()
	for i := range r.blocks {
		r.blocks[i].clear()
	}
	if r.kind == Fixed {
		r.chunks.empty()
	} else {
		r.chunks.clear()
	}
}
