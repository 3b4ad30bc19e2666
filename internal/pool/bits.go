package pool

import (
	"iter"
	"math/bits"
)

// Bits is a set of slots. The zero Bits is empty; it takes a bit for each slot up to the highest one
// that was ever in it.
type Bits []uint64

// Add adds slot i.
func (b *Bits) Add(i int32) {
	for int(i>>6) >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// Remove removes slot i, if the set has it.
func (b Bits) Remove(i int32) {
	if int(i>>6) < len(b) {
		b[i>>6] &^= 1 << (i & 63)
	}
}

// Set adds slot i, or removes it.
func (b *Bits) Set(i int32, in bool) {
	if in {
		b.Add(i)
	} else {
		b.Remove(i)
	}
}

// Count returns the number of slots in the set.
func (b Bits) Count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// AppendCounts appends, for each range of grain words, the number of slots in the words before it, and returns the
// number of all.
func (b Bits) AppendCounts(dst []int32, grain int) ([]int32, int) {
	n := 0
	for k, w := range b {
		if k%grain == 0 {
			dst = append(dst, int32(n))
		}
		n += bits.OnesCount64(w)
	}
	return dst, n
}

// All yields the slots in ascending order. The loop may add and remove slots; it may or may not visit
// those that it adds.
func (b *Bits) All() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for k := 0; k < len(*b); k++ {
			for w := (*b)[k]; w != 0; w &= w - 1 {
				if !yield(int32(k<<6 | bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// Within yields the slots 64*from to 64*to-1 of the set, in ascending order. The loop may remove
// these.
func (b Bits) Within(from, to int) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for k := from; k < to; k++ {
			for w := b[k]; w != 0; w &= w - 1 {
				if !yield(int32(k<<6 | bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
