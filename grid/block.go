package grid

// A block is 8x8 squares of the size below: of a level's squares on tier 1, of
// blocks on the tiers above. Its slot's value has a bit for each of them that is
// in use, row by row. A query that covers many cells goes down from the tier on
// which it covers few blocks, and so finds the cells in use without looking
// for the others. An object that moves seldom gets beyond the first tier, and
// not even there unless a cell becomes used or unused.

// tiers is how many sizes of blocks a level has. The largest are 512 squares
// wide; a query that covers many of those looks through all of them. A fixed
// level, which has all its chunks, needs none.
const tiers = 3

// childBit is the bit of a square in its block's value.
func childBit(x, y int32) list { return 1 << (x&7 | y&7<<3) }

// markUsed notes that a square has come into use.
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

// markUnused notes that a square has gone out of use.
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

// rangeMask returns the bits of those squares of the block (bx, by) that are
// in s, a range of the size below.
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
