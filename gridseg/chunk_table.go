package gridseg

// table finds chunks by their coordinates: open addressing with linear probing, a power of two of
// slots, at most half of them in use. Removal moves later entries up, so that no tombstones are
// left.
type table struct {
	slots []*chunk
	n     int
}

// home returns the first slot of the search for a chunk. The constants are odd multipliers derived
// from the golden and the silver ratio.
func (t *table) home(cx, cy int32) int {
	h := uint64(uint32(cx))*0x9E3779B97F4A7C15 ^ uint64(uint32(cy))*0xD413CCCFE7799215
	h ^= h >> 32
	h *= 0x9E3779B97F4A7C15
	return int(h>>33) & (len(t.slots) - 1)
}

func (t *table) find(cx, cy int32) *chunk {
	if t.n == 0 {
		return nil
	}
	for i := t.home(cx, cy); ; i = (i + 1) & (len(t.slots) - 1) {
		if c := t.slots[i]; c == nil || c.cx == cx && c.cy == cy {
			return c
		}
	}
}

func (t *table) insert(c *chunk) {
	if 2*(t.n+1) > len(t.slots) {
		old := t.slots
		t.slots = make([]*chunk, max(16, 2*len(old)))
		for _, o := range old {
			if o != nil {
				t.place(o)
			}
		}
	}
	t.place(c)
	t.n++
}

func (t *table) place(c *chunk) {
	i := t.home(c.cx, c.cy)
	for t.slots[i] != nil {
		i = (i + 1) & (len(t.slots) - 1)
	}
	t.slots[i] = c
}

func (t *table) remove(c *chunk) {
	mask := len(t.slots) - 1
	i := t.home(c.cx, c.cy)
	for t.slots[i] != c {
		i = (i + 1) & mask
	}
	t.n--
	hole := i
	for {
		i = (i + 1) & mask
		o := t.slots[i]
		if o == nil {
			break
		}
		// o may move to the hole unless the hole comes before its home.
		if (i-t.home(o.cx, o.cy))&mask >= (i-hole)&mask {
			t.slots[hole] = o
			hole = i
		}
	}
	t.slots[hole] = nil
}
