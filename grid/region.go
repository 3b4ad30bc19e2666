package grid

// region is a square of a level's cells, 2^regionBits on a side, with local coordinates: cell (0,
// 0) is in its middle. So a cell coordinate fits in half a key, and the qbox of an object in 16
// bytes, however far the cells are from the world's origin. The region around the origin has the
// world's coordinates, and most worlds have no other.
//
// An object belongs to the region of its lower left corner, which lists it in all its cells, also
// in those beyond the region's side.
//
// A square is an entry of the table cells: a cell of a hashed region, a chunk of a chunked region.
//
// One struct serves all kinds, with a branch on the kind where a square is looked up; the cells of
// a chunk and the objects of a cell are then visited without branches. An interface, or a type
// parameter (whose methods Go calls through a dictionary), would need calls that cannot be inlined.
type region struct {
	size float64 // side of a cell
	at   uint8   // its level
	kind Kind    // Fixed, Hashed or Chunked
	x, y int64   // its cell (0, 0), in 64ths of a cell of the level
	// frame is the range of cells for the lower left corner of an object; in a fixed region for the
	// whole object.
	frame  span
	count  int // number of objects
	key    key // position among the regions of the level
	inv    float64
	cx, cy float64 // x and y in cells
	// cells holds the lists of a hashed region, or the chunk numbers + 1 of a chunked region.
	cells  table
	blocks [tiers]table
	// chunks holds all chunks of a fixed region, or the chunks in use of a chunked region.
	chunks chunks
	wide   int32 // chunks a row, of a fixed region
	// bounds contains all squares in use. It grows at once, but shrinks only when as many squares
	// on its border have been freed as there are squares, so that shrinking takes constant time per
	// change.
	bounds span
	stale  int
}

// chunkBits is log2 of the width of a chunk: 16 cells.
const chunkBits = 4

// ChunkSide is the side of a chunk, in cells.
const ChunkSide = 1 << chunkBits

// squareBits returns log2 of the width of r's squares, in cells.
func (r *region) squareBits() uint8 {
	if r.kind == Hashed {
		return 0
	}
	return chunkBits
}

// cell returns the list of a cell.
func (r *region) cell(cx, cy int32) list {
	if r.kind == Hashed {
		return r.cells.get(squareKey(cx, cy))
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

// open returns a pointer to a cell's list. A new list is 0 but counts as in use; the caller must
// fill it at once. The pointer is valid until the next change.
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

// listObject adds an object to a cell's list.
func (r *region) listObject(p *pool, id ID, cx, cy int32) {
	c := r.open(cx, cy)
	*c = p.push(*c, id)
}

// unlistObject removes an object from a cell's list, and the square from the table if it becomes
// empty.
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

// noteUnused updates bounds after a square has come out of use.
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

// chunkPlace returns the position of chunk c.
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

// clear removes everything, and keeps the memory.
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
