package grid

import "math/bits"

// A block is 8x8 squares of the size below: of cells on tier 1, of blocks on
// the tiers above. Its slot's value has a bit for each of them that is in use,
// row by row. A question that covers many cells goes down from the tier on
// which it covers few blocks, and so finds the cells in use without looking
// for the others. An object that moves seldom gets beyond the first tier, and
// not even there unless a cell becomes used or unused.

// tiers is how many sizes of blocks a level has. The largest are 512 cells
// wide; a question that covers many of those looks through all of them.
const tiers = 3

// few is how many squares are looked for one by one rather than by their
// blocks: those of a box on its own level.
const few = 4

// childBit is the bit of a square in its block's value.
func childBit(cx, cy int32) uint64 { return 1 << (cx&7 | cy&7<<3) }

// use notes that a cell has come into use.
func (l *level) use(cx, cy int32) {
	for i := range l.blocks {
		bit := childBit(cx, cy)
		cx, cy = cx>>3, cy>>3
		s := l.blocks[i].insert(cellKey(cx, cy))
		old := s.val
		s.val |= bit
		if old != 0 {
			return
		}
	}
}

// disuse notes that a cell has gone out of use.
func (l *level) disuse(cx, cy int32) {
	for i := range l.blocks {
		t := &l.blocks[i]
		bit := childBit(cx, cy)
		cx, cy = cx>>3, cy>>3
		at := t.index(cellKey(cx, cy))
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

// up returns the blocks, tier tiers up, that hold s.
func (s span) up(tier int) span {
	by := 3 * tier
	return span{s.x0 >> by, s.y0 >> by, s.x1 >> by, s.y1 >> by}
}

// descend appends the overlapping objects of the cells of s that lie in the
// block (bx, by) of a tier >= 1, whose value is val.
func (q *overlapQuery) descend(dst []ID, tier int, bx, by int32, val uint64) []ID {
	val &= rangeMask(q.s.up(tier-1), bx, by)
	for ; val != 0; val &= val - 1 {
		i := int32(bits.TrailingZeros64(val))
		cx, cy := bx<<3+i&7, by<<3+i>>3
		if tier == 1 {
			dst = q.appendCell(dst, cx, cy)
		} else {
			dst = q.descend(dst, tier-1, cx, cy, q.l.blocks[tier-2].get(cellKey(cx, cy)))
		}
	}
	return dst
}
