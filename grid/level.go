package grid

import "fmt"

// Kind is how a grid finds its cells.
type Kind uint8

// The kinds of grids; see the package's doc for which to use when.
const (
	Fixed Kind = iota
	Hashed
	Chunked
	Hierarchical
)

// String returns the kind's name.
func (k Kind) String() string {
	if k <= Hierarchical {
		return [...]string{"fixed", "hashed", "chunked", "hierarchical"}[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// level is the cells of one size. A square is what the table knows: a cell of a
// hashed level, a chunk of a chunked one.
//
// There is one struct for all kinds, and a branch on the kind where a square is
// looked for: the cells of a chunk, and the objects of a cell, are then walked
// without any. An interface, or a type parameter (whose methods Go calls through
// a dictionary), would put a call that cannot be inlined in its place.
type level struct {
	size, inv float64 // side of a cell, and its inverse
	at        uint8   // which level this is
	kind      Kind    // Fixed, Hashed or Chunked
	count     int     // objects
	// frame is the cells that objects can be listed in.
	frame span
	// cells has the lists of a hashed level, and the numbers of the chunks,
	// from 1, of a chunked one.
	cells  table
	blocks [tiers]table
	// chunks are those of a fixed level, all of them, or of a chunked one.
	chunks chunks
	wide   int32 // chunks a row, of a fixed level
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

// squareBits returns the width of l's squares, as a power of two of cells.
func (l *level) squareBits() uint8 {
	if l.kind == Hashed {
		return 0
	}
	return chunkBits
}

// cell returns the objects of a cell.
func (l *level) cell(cx, cy int32) list {
	if l.kind == Hashed {
		k := squareKey(cx, cy)
		// A small table is as near as its sieve.
		if l.cells.sifted && len(l.cells.slots) > 1<<12 && !l.cells.may(k) {
			return 0
		}
		return l.cells.get(k)
	}
	c := l.chunk(cx>>chunkBits, cy>>chunkBits)
	if c < 0 {
		return 0
	}
	return l.chunks.lists[c<<(2*chunkBits)|inChunk(cx, cy)]
}

// chunk returns the number of a chunk, below 0 if there is none.
func (l *level) chunk(bx, by int32) int {
	if l.kind == Fixed {
		if !l.bounds.has(bx, by) {
			return -1
		}
		return int(by-l.frame.y0>>chunkBits)*int(l.wide) + int(bx-l.frame.x0>>chunkBits)
	}
	return int(l.cells.get(squareKey(bx, by))) - 1
}

// squares returns how many squares are in use.
func (l *level) squares() int {
	if l.kind == Fixed {
		return l.chunks.used
	}
	return l.cells.used
}

// open returns the place of a cell's list. One that is new is 0, and counts as
// in use; the caller must fill it at once. It is good until the next change.
func (l *level) open(cx, cy int32) *list {
	if l.kind == Hashed {
		s := l.cells.insert(squareKey(cx, cy))
		if s.val == 0 {
			l.bounds = l.bounds.grow(cx, cy)
			l.use(cx, cy)
		}
		return &s.val
	}
	bx, by := cx>>chunkBits, cy>>chunkBits
	var c int
	if l.kind == Fixed {
		l.bounds = l.bounds.grow(bx, by)
		c = l.chunk(bx, by)
	} else {
		s := l.cells.insert(squareKey(bx, by))
		if s.val == 0 {
			s.val = list(l.chunks.take(squareKey(bx, by))) + 1
			l.bounds = l.bounds.grow(bx, by)
			l.use(bx, by)
		}
		c = int(s.val) - 1
	}
	i := inChunk(cx, cy)
	at := &l.chunks.lists[c<<(2*chunkBits)|i]
	if *at == 0 {
		l.chunks.occupy(c, i)
	}
	return at
}

// link lists an object in a cell.
func (l *level) link(p *pool, id ID, o outline, cx, cy int32) {
	c := l.open(cx, cy)
	*c = p.push(*c, id, o)
}

// unlink takes an object out of a cell's list, and the square out of the table
// if that was its last one.
func (l *level) unlink(p *pool, id ID, cx, cy int32) {
	if l.kind == Hashed {
		i := l.cells.index(squareKey(cx, cy))
		s := &l.cells.slots[i]
		s.val = p.drop(s.val, id)
		if s.val == 0 {
			l.cells.remove(i)
			l.disuse(cx, cy)
			l.letGo(cx, cy)
		}
		return
	}
	bx, by := cx>>chunkBits, cy>>chunkBits
	c, i := l.chunk(bx, by), inChunk(cx, cy)
	at := &l.chunks.lists[c<<(2*chunkBits)|i]
	*at = p.drop(*at, id)
	if *at != 0 || !l.chunks.vacate(c, i) {
		return
	}
	if l.kind == Chunked {
		l.chunks.give(c)
		l.cells.remove(l.cells.index(squareKey(bx, by)))
		l.disuse(bx, by)
	}
	l.letGo(bx, by)
}

// letGo notes that a square has gone out of use.
func (l *level) letGo(x, y int32) {
	if l.squares() == 0 {
		l.bounds, l.stale = noSpan, 0
		return
	}
	b := l.bounds
	if x == b.x0 || x == b.x1 || y == b.y0 || y == b.y1 {
		if l.stale++; l.stale >= max(minSlots, l.squares()) {
			l.shrinkBounds()
		}
	}
}

// shrinkBounds makes bounds exact.
func (l *level) shrinkBounds() {
	b := noSpan
	if l.kind == Fixed {
		for c, n := range l.chunks.load {
			if n > 0 {
				b = b.grow(l.place(c))
			}
		}
	}
	for i := range l.cells.slots {
		if s := &l.cells.slots[i]; s.val != 0 {
			b = b.grow(s.key.square())
		}
	}
	l.bounds, l.stale = b, 0
}

// place returns where the chunk c is, among chunks.
func (l *level) place(c int) (bx, by int32) {
	if l.kind == Fixed {
		return l.frame.x0>>chunkBits + int32(c)%l.wide, l.frame.y0>>chunkBits + int32(c)/l.wide
	}
	return l.chunks.keys[c].square()
}

// cellBounds returns bounds in cells.
func (l *level) cellBounds() span {
	b := l.bounds
	if l.kind == Hashed {
		return b
	}
	if n := l.squareBits(); n > 0 && !b.empty() {
		b = span{b.x0 << n, b.y0 << n, (b.x1+1)<<n - 1, (b.y1+1)<<n - 1}
		b = b.and(l.frame)
	}
	return b
}

// clear takes everything out, and keeps the room.
func (l *level) clear() {
	l.count, l.bounds, l.stale = 0, noSpan, 0
	l.cells.clear()
	for i := range l.blocks {
		l.blocks[i].clear()
	}
	if l.kind == Fixed {
		l.chunks.empty()
	} else {
		l.chunks.clear()
	}
}
