package contact

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/pool"
)

// Order holds the contacts of the solver in the order of their keys, because the solver's results depend on the
// order. The order of slots would not do: a contact gets its slot when boxes of the broad phase meet, so a heap in
// a moving frame, whose boxes are renewed more often, would fall in another way than at rest. The order is kept
// from step to step: contacts that end are taken out, and those that begin are merged in. The zero Order is empty.
type Order struct {
	keys    []uint64  // ascending
	pairs   []Pair    // with those keys
	in      pool.Bits // slots of the contacts, without those that were removed since
	begun   []int32   // slots of the contacts that came in by the last Begin: its result
	fresh   []keyed   // the pairs of these contacts, from Add until Sort
	changed bool      // in the last step, or since
}

// Pair is a contact as the solver lists it: slots.
type Pair struct {
	Contact      int32
	BodyA, BodyB int32
	A, B         int32 // of the shapes; see rows.Ref
}

// keyed is a pair with its key.
type keyed struct {
	key  uint64
	pair Pair
}

// Reset empties the order.
func (o *Order) Reset() {
	o.keys, o.pairs = o.keys[:0], o.pairs[:0]
	clear(o.in)
}

// Remove takes out the contact in a slot, which another one may take before the next Begin.
func (o *Order) Remove(slot int32) { o.in.Remove(slot) }

// Begin begins a step in which the order has the contacts that are in both sets. It takes out the others, and returns
// the slots of those that the order did not have, valid until the next call: Add must be called for each.
func (o *Order) Begin(active, touching pool.Bits) []int32 {
	n := min(len(active), len(touching))
	for len(o.in) < n {
		o.in = append(o.in, 0)
	}
	for k := range o.in[:n] {
		o.in[k] &= active[k] & touching[k]
	}
	clear(o.in[n:])
	o.changed = o.in.Count() < len(o.pairs)
	if o.changed {
		o.compact()
	}
	o.begun, o.fresh = o.begun[:0], o.fresh[:0]
	for k := range o.in[:n] {
		now := active[k] & touching[k]
		for b := now &^ o.in[k]; b != 0; b &= b - 1 {
			o.begun = append(o.begun, int32(k<<6|bits.TrailingZeros64(b)))
		}
		o.in[k] = now
	}
	return o.begun
}

// compact takes out the pairs that are not in the order any more. They are few, so the others are moved run by run.
func (o *Order) compact() {
	to, from := 0, 0
	for k := 0; ; k++ {
		for k < len(o.pairs) && o.in.Has(o.pairs[k].Contact) {
			k++
		}
		if to < from {
			copy(o.keys[to:], o.keys[from:k])
			copy(o.pairs[to:], o.pairs[from:k])
		}
		to, from = to+k-from, k+1
		if k == len(o.pairs) {
			break
		}
	}
	o.keys, o.pairs = o.keys[:to], o.pairs[:to]
}

// Add adds the contact in a slot of the last Begin. No two contacts have the same key.
func (o *Order) Add(key uint64, p Pair) { o.fresh = append(o.fresh, keyed{key, p}) }

// Sort ends the calls of Add, and reports whether the order differs from the step before.
func (o *Order) Sort() bool {
	if len(o.fresh) == 0 {
		return o.changed
	}
	slices.SortFunc(o.fresh, func(x, y keyed) int { return cmp.Compare(x.key, y.key) })
	// Merge from the back, run by run.
	n := len(o.pairs)
	o.keys, o.pairs = slices.Grow(o.keys, len(o.fresh))[:n+len(o.fresh)], slices.Grow(o.pairs,
		len(o.fresh))[:n+len(o.fresh)]
	for b := len(o.fresh) - 1; b >= 0; b-- {
		f := &o.fresh[b]
		at, _ := slices.BinarySearch(o.keys[:n], f.key)
		copy(o.keys[at+b+1:], o.keys[at:n])
		copy(o.pairs[at+b+1:], o.pairs[at:n])
		o.keys[at+b], o.pairs[at+b] = f.key, f.pair
		n = at
	}
	o.fresh, o.changed = o.fresh[:0], true
	return true
}

// Pairs returns the pairs in the order of their keys, valid until the next Begin.
func (o *Order) Pairs() []Pair { return o.pairs }

// Scattered reports whether the slots are so far from ascending, in the order of Pairs, that it pays to move the
// contacts in memory: a step that reads contacts, bodies and manifolds in that order waits for memory. It is false
// unless the order has changed.
func (o *Order) Scattered() bool {
	if !o.changed {
		return false
	}
	descents, last := 0, int32(0)
	for k := range o.pairs {
		at := o.pairs[k].Contact
		descents += int(uint32(at-last) >> 31)
		last = at
	}
	return descents > leastScattered+len(o.pairs)/scatteredShare
}

// Moving all contacts takes about a quarter of a step, and saves up to a tenth of each later step. Few contacts fit
// the processor's cache in any order.
const (
	scatteredShare = 16
	leastScattered = 64
)

// Move gives the contacts their new slots.
func (o *Order) Move(m *pool.Moves) {
	clear(o.in)
	for k := range o.pairs {
		p := &o.pairs[k]
		p.Contact = m.To(p.Contact)
		o.in.Add(p.Contact)
	}
}
