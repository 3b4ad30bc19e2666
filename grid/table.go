package grid

import "math/bits"

// key is a cell of a level, exactly: cx in the high half, cy in the low one.
type key uint64

func cellKey(cx, cy int32) key { return key(uint32(cx))<<32 | key(uint32(cy)) }

func (k key) cell() (cx, cy int32) { return int32(uint32(k >> 32)), int32(uint32(k)) }

// cell is one slot of a table, 16 bytes. It is free if n = 0.
type cell struct {
	key  key
	head ID    // the first object of the list, that object.next continues
	n    int32 // length of the list
}

// table finds the occupied cells of a level: open addressing with linear
// probing, at most half full. The zero value is an empty table.
//
// A cell that is given up is taken out by moving up those behind it that it
// kept from their places, so that no tombstones collect and every probe stays
// as short as if the table had been built afresh.
type table struct {
	slots []cell // a power of two, or none
	shift uint8  // 64 - log2(len(slots))
	cells int    // slots in use
}

// minSlots is the smallest table that has any slots.
const minSlots = 16

// home returns the slot that k belongs in if that is free.
func (t *table) home(k key) int {
	// Rotating one coordinate into the other before the multiplication
	// gives both a say in the product's high bits, whichever way a row of
	// cells runs.
	h := uint64(k) ^ bits.RotateLeft64(uint64(k), 25)
	return int(h * 0x9E3779B97F4A7C15 >> t.shift)
}

// find returns the cell k, or nil if it is not in use.
func (t *table) find(k key) *cell {
	if t.cells == 0 {
		return nil
	}
	mask := len(t.slots) - 1
	for i := t.home(k); ; i++ {
		c := &t.slots[i&mask]
		if c.n == 0 {
			return nil
		}
		if c.key == k {
			return c
		}
	}
}

// index returns the slot of the cell k, which must be in use.
func (t *table) index(k key) int {
	mask := len(t.slots) - 1
	i := t.home(k)
	for t.slots[i].key != k || t.slots[i].n == 0 {
		i = (i + 1) & mask
	}
	return i
}

// insert returns the cell k, taking a slot for it if it had none; the caller
// must then give it a list. The pointer is good until the next change.
func (t *table) insert(k key) (c *cell, fresh bool) {
	if 2*(t.cells+1) > len(t.slots) {
		t.resize(max(minSlots, 2*len(t.slots)))
	}
	mask := len(t.slots) - 1
	i := t.home(k)
	for t.slots[i].n > 0 {
		if t.slots[i].key == k {
			return &t.slots[i], false
		}
		i = (i + 1) & mask
	}
	t.slots[i].key = k
	t.cells++
	return &t.slots[i], true
}

// remove frees the slot i, which must be the last that its cell needs.
func (t *table) remove(i int) {
	mask := len(t.slots) - 1
	hole := i
	for j := (i + 1) & mask; t.slots[j].n > 0; j = (j + 1) & mask {
		// The one at j may move to the hole if its probe passes there.
		if home := t.home(t.slots[j].key); (j-home)&mask >= (j-hole)&mask {
			t.slots[hole] = t.slots[j]
			hole = j
		}
	}
	t.slots[hole] = cell{}
	t.cells--
	// Scans walk all slots, so a table must not stay large for ever. The gap
	// between a half and a sixteenth keeps a scene that breathes from
	// allocating.
	if len(t.slots) > minSlots && 16*t.cells < len(t.slots) {
		t.resize(len(t.slots) / 4)
	}
}

// resize moves all cells to a table of n slots, a power of two.
func (t *table) resize(n int) {
	old := t.slots
	t.slots = make([]cell, n)
	t.shift = uint8(64 - bits.TrailingZeros(uint(n)))
	mask := n - 1
	for i := range old {
		if old[i].n == 0 {
			continue
		}
		j := t.home(old[i].key)
		for t.slots[j].n > 0 {
			j = (j + 1) & mask
		}
		t.slots[j] = old[i]
	}
}
