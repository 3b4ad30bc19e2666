package grid

// A block is 8x8 squares of the size below: squares of the level on tier 1, blocks of the tier
// below on the others. Its value has a bit for each square in use, by row. A query that covers many
// cells starts on the tier on which it covers few blocks, and so finds the cells in use without
// visiting the others. Most moves of objects change only the first tier, and that only if a cell
// becomes used or unused.

// tiers is the number of block sizes of a level. The largest blocks are 512 squares wide; a query
// that covers many of those scans all of them. A fixed level, which has all its chunks, has no
// blocks.
const tiers = 3

// childBit returns the bit of a square in its block's value.
func childBit(x, y int32) list { return 1 << (x&7 | y&7<<3) }

// markUsed sets the bit of a square that has come into use.
func (r *region) markUsed(x, y int32) {
	for i := range r.blocks {
		bit := childBit(x, y)
		x, y = x>>3, y>>3
		s := r.blocks[i].insert(squareKey(x, y))
		old := s.val
		s.val |= bit
		if old != 0 {
			return
		}
	}
}

// markUnused clears the bit of a square that is no longer in use.
func (r *region) markUnused(x, y int32) {
	for i := range r.blocks {
		t := &r.blocks[i]
		bit := childBit(x, y)
		x, y = x>>3, y>>3
		at := t.index(squareKey(x, y))
		if t.slots[at].val != bit {
			t.slots[at].val &^= bit
			return
		}
		t.remove(at)
	}
}

// rangeMask returns the bits of the squares of block (bx, by) that are in s, a range of the size
// below.
func rangeMask(s span, bx, by int32) uint64 {
	x0, x1 := max(s.x0-bx<<3, 0), min(s.x1-bx<<3, 7)
	y0, y1 := max(s.y0-by<<3, 0), min(s.y1-by<<3, 7)
	if x0 > x1 || y0 > y1 {
		return 0
	}
	row := uint64(2)<<x1 - 1<<x0
	rows := uint64(0x0101010101010101) >> (8 * (7 - (y1 - y0))) << (8 * y0)
	return row * rows
}
