package pool

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"
)

// Moves moves values of a pool among their slots so that they lie in memory in the order of their keys, and with them
// the elements of slices beside the pool. The zero Moves is ready for Begin.
type Moves struct {
	values   []keyed
	slots    []int32 // of the values, ascending
	to, from []int32 // by slot; a slot without a listed value stays
	room     []keyed // of the sort
	left     Bits    // empty outside of Sort
	cycles   []int32 // one slot of each cycle of moves
}

type keyed struct {
	key  uint64
	slot int32
}

// Begin begins a list of values in a pool with the given number of slots.
func (m *Moves) Begin(slots int32) {
	for _, i := range m.slots {
		m.to[i], m.from[i] = i, i
	}
	m.values, m.slots, m.cycles = m.values[:0], m.slots[:0], m.cycles[:0]
	for i := int32(len(m.to)); i < slots; i++ {
		m.to, m.from = append(m.to, i), append(m.from, i)
	}
}

// Add lists the value in a slot, which is above those that are listed. No two values have the same key.
func (m *Moves) Add(slot int32, key uint64) {
	m.values, m.slots = append(m.values, keyed{key, slot}), append(m.slots, slot)
}

// Sort assigns the slots of the listed values to them in the order of their keys.
func (m *Moves) Sort() {
	m.sortValues()
	for k, i := range m.slots {
		j := m.values[k].slot
		if m.to[j], m.from[i] = i, j; i != j {
			m.left.Add(i)
		}
	}
	for _, i := range m.slots {
		if m.left.Has(i) {
			m.cycles = append(m.cycles, i)
		}
		for m.left.Has(i) {
			m.left.Remove(i)
			i = m.from[i]
		}
	}
}

// sortValues sorts the values by their keys: many of them by radix, lowest digit first, where the keys differ at all.
func (m *Moves) sortValues() {
	if len(m.values) < 256 {
		slices.SortFunc(m.values, func(x, y keyed) int { return cmp.Compare(x.key, y.key) })
		return
	}
	varies := uint64(0)
	for k := range m.values {
		varies |= m.values[k].key ^ m.values[0].key
	}
	from, to := m.values, slices.Grow(m.room[:0], len(m.values))[:len(m.values)]
	const digit = 11
	for by := bits.TrailingZeros64(varies); by < 64; by += digit + bits.TrailingZeros64(varies>>(by+digit)) {
		var ends [1 << digit]int32
		for k := range from {
			ends[from[k].key>>by&(1<<digit-1)]++
		}
		sum := int32(0)
		for d := range ends {
			ends[d], sum = sum, sum+ends[d]
		}
		for k := range from {
			end := &ends[from[k].key>>by&(1<<digit-1)]
			to[*end] = from[k]
			*end++
		}
		from, to = to, from
	}
	m.values, m.room = from, to
}

// To returns the slot to which the value in a slot goes.
func (m *Moves) To(slot int32) int32 { return m.to[slot] }

// Slots returns the slots of the values, ascending.
func (m *Moves) Slots() []int32 { return m.slots }

// Moved yields the slots of the values that move, and those to which they go, which are the same slots.
func (m *Moves) Moved() iter.Seq2[int32, int32] {
	return func(yield func(from, to int32) bool) {
		for _, i := range m.slots {
			if m.to[i] != i && !yield(i, m.to[i]) {
				return
			}
		}
	}
}

// Move moves the elements of a slice by slot.
func Move[S ~[]T, T any](s S, m *Moves) {
	for _, first := range m.cycles {
		i, v := first, s[first]
		for m.from[i] != first {
			s[i] = s[m.from[i]]
			i = m.from[i]
		}
		s[i] = v
	}
}

// Move moves the values of p.
func (p *Pool[T]) Move(m *Moves) { Move(p.items, m) }

// Move moves edges, under their new names in the lists; first returns the starts of the lists of an edge's nodes.
func (e Edges) Move(m *Moves, first func(edge int32) (a, b *int32)) {
	for i, to := range m.Moved() {
		a, b := first(i)
		for side, first := range [...]*int32{a, b} {
			x := &e[i]
			end, next, prev := to<<1|int32(side), x.next[side], x.prev[side]
			if prev < 0 {
				*first = end
			} else if m.to[prev>>1] == prev>>1 {
				e[prev>>1].next[prev&1] = end
			} else {
				x.prev[side] = m.to[prev>>1]<<1 | prev&1
			}
			if next >= 0 && m.to[next>>1] == next>>1 {
				e[next>>1].prev[next&1] = end
			} else if next >= 0 {
				x.next[side] = m.to[next>>1]<<1 | next&1
			}
		}
	}
	Move(e, m)
}
