package pool

// Table maps nonzero 64-bit keys to 32-bit values. It is an open-addressing hash table with linear
// probing and deletion by backward shift (D. E. Knuth, The Art of Computer Programming, volume 3,
// section 6.4, algorithm R), so it keeps no marks of deleted keys. It grows by doubling and does
// not shrink; 16 bytes an entry, and at most half of the entries are in use. The zero Table is
// empty.
type Table struct {
	entries []entry // a power of two, or none
	n       int
	shift   uint // 64 - log2(len(entries))
}

type entry struct {
	key   uint64
	value int32
}

// Len returns the number of keys.
func (t *Table) Len() int { return t.n }

// home returns the entry at which the search for key begins. The multiplier is 2^64 divided by
// the golden ratio: keys that differ in few bits spread.
func (t *Table) home(key uint64) int { return int(key * 0x9e3779b97f4a7c15 >> t.shift) }

// find returns the entry of key, or the free entry at which its search ends.
func (t *Table) find(key uint64) int {
	mask := len(t.entries) - 1
	i := t.home(key)
	for t.entries[i].key != key && t.entries[i].key != 0 {
		i = (i + 1) & mask
	}
	return i
}

// Get returns the value of key. ok is false if the table has no such key.
func (t *Table) Get(key uint64) (value int32, ok bool) {
	if t.n == 0 {
		return 0, false
	}
	e := &t.entries[t.find(key)]
	return e.value, e.key == key && key != 0
}

// Put sets the value of key, which is not 0.
func (t *Table) Put(key uint64, value int32) {
	if 2*t.n >= len(t.entries) {
		t.grow()
	}
	e := &t.entries[t.find(key)]
	if e.key == 0 {
		e.key = key
		t.n++
	}
	e.value = value
}

// Set sets the value of key, which the table has. Several goroutines may call it at once, for different keys.
func (t *Table) Set(key uint64, value int32) { t.entries[t.find(key)].value = value }

// Delete removes key, if the table has it.
func (t *Table) Delete(key uint64) {
	if t.n == 0 {
		return
	}
	i := t.find(key)
	if t.entries[i].key == 0 {
		return
	}
	t.n--
	mask := len(t.entries) - 1
	// Move back each later entry of the run whose search would now end too early, at i.
	for j := (i + 1) & mask; t.entries[j].key != 0; j = (j + 1) & mask {
		if home := t.home(t.entries[j].key); (j-home)&mask >= (j-i)&mask {
			t.entries[i] = t.entries[j]
			i = j
		}
	}
	t.entries[i] = entry{}
}

func (t *Table) grow() {
	old := t.entries
	size := max(16, 2*len(old))
	t.entries = make([]entry, size)
	t.shift = 64
	for s := size; s > 1; s >>= 1 {
		t.shift--
	}
	for _, e := range old {
		if e.key != 0 {
			t.entries[t.find(e.key)] = e
		}
	}
}
