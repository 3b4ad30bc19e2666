package grid

import "math/bits"

// key is the exact position of a square among squares of one size: x in the high half, y in the low
// half.
type key uint64

func squareKey(x, y int32) key { return key(uint32(x))<<32 | key(uint32(y)) }

func (k key) square() (x, y int32) { return int32(uint32(k >> 32)), int32(uint32(k)) }

// slot is a slot of a table, 16 bytes; it is free if val = 0. The meaning of val depends on the
// owner: see level and block.
type slot struct {
	key key
	val list
}

// table maps squares to values: open addressing with linear probing, at most five eighths full. The
// zero value is an empty table.
//
// Removal moves up later entries that were displaced by the removed one, so that there are no
// tombstones and every probe stays as short as in a new table.
type table struct {
	slots []slot // a power of two in length, or empty
	shift uint8  // 66 - log2(len(slots)): shifts a hash to an index of four slots
	used  int    // slots in use
}

// minSlots is the smallest non-zero number of slots.
const minSlots = 16

// home returns the preferred slot of k. The squares of one 2x2 block have adjacent slots, so the
// slots of an object's cells, or of the next cells of a ray, are on one cache line more often than
// not.
func (t *table) home(k key) int {
	return int(k.hash()>>t.shift)<<2 | k.corner()
}

// hash returns a number whose high bits differ for different 2x2 blocks.
func (k key) hash() uint64 {
	const odd = 1<<32 | 1 // the low bits of both halves
	h := uint64(k) &^ odd
	// Rotation before the multiplication gives both coordinates influence on the product's high
	// bits.
	h ^= bits.RotateLeft64(h, 25)
	return h * 0x9E3779B97F4A7C15
}

// corner returns the position of k in its 2x2 block.
func (k key) corner() int { return int(k>>31&2 | k&1) }

// find returns the slot of k, or nil if it has none.
func (t *table) find(k key) *slot {
	if t.used == 0 {
		return nil
	}
	mask := len(t.slots) - 1
	for i := t.home(k); ; i++ {
		s := &t.slots[i&mask]
		if s.val == 0 {
			return nil
		}
		if s.key == k {
			return s
		}
	}
}

// get returns the value of k, or 0.
func (t *table) get(k key) list {
	if s := t.find(k); s != nil {
		return s.val
	}
	return 0
}

// index returns the index of the slot of k; k must have one.
func (t *table) index(k key) int {
	mask := len(t.slots) - 1
	i := t.home(k)
	for t.slots[i].key != k || t.slots[i].val == 0 {
		i = (i + 1) & mask
	}
	return i
}

// tooFull reports whether n squares are too many for the slots: more than five in eight.
func (t *table) tooFull(n int) bool { return 8*n > 5*len(t.slots) }

// insert returns the slot of k, or a new slot with value 0 that the caller must fill at once. The
// pointer is valid until the next change.
func (t *table) insert(k key) *slot {
	if t.tooFull(t.used + 1) {
		t.resize(max(minSlots, 2*len(t.slots)))
	}
	mask := len(t.slots) - 1
	i := t.home(k)
	for t.slots[i].val != 0 {
		if t.slots[i].key == k {
			return &t.slots[i]
		}
		i = (i + 1) & mask
	}
	t.slots[i].key = k
	t.used++
	return &t.slots[i]
}

// remove frees the slot at i.
func (t *table) remove(i int) {
	mask := len(t.slots) - 1
	hole := i
	for j := (i + 1) & mask; t.slots[j].val != 0; j = (j + 1) & mask {
		// The entry at j may move to the hole if its probe passes the hole.
		if home := t.home(t.slots[j].key); (j-home)&mask >= (j-hole)&mask {
			t.slots[hole] = t.slots[j]
			hole = j
		}
	}
	t.slots[hole] = slot{}
	t.used--
	// Scans visit all slots, so shrink large tables. The gap between five eighths and a sixteenth
	// keeps a scene of varying size from allocating.
	if len(t.slots) > minSlots && 16*t.used < len(t.slots) {
		t.resize(len(t.slots) / 4)
	}
}

// resize moves all entries to a table of n slots, a power of two.
func (t *table) resize(n int) {
	old := t.slots
	t.slots = make([]slot, n)
	t.shift = uint8(66 - bits.TrailingZeros(uint(n)))
	mask := n - 1
	for i := range old {
		if old[i].val == 0 {
			continue
		}
		j := t.home(old[i].key)
		for t.slots[j].val != 0 {
			j = (j + 1) & mask
		}
		t.slots[j] = old[i]
	}
}

// clear frees all slots, and keeps the memory.
func (t *table) clear() {
	clear(t.slots)
	t.used = 0
}
