package solve

import "unsafe"

// The blocks of a batch are packed in the order of their first contacts, which is that of the manifolds in memory, but not that of the
// blocks: each colour has a place of its own. A large batch does not fit the second-level cache, and the processor
// does not foresee so many places. So the memory of the next block is asked for while one is packed.

// prefetch asks for the memory of a block.
func (s *worker) prefetch(p *packing) {
	if j := p.block; p.two {
		prefetchBlock(&s.twos[j], &s.rareTwos[j], &s.inputTwos[j])
	} else {
		prefetchBlock(&s.ones[j], &s.rareOnes[j], &s.inputOnes[j])
	}
}

func prefetchBlock[block any](k *block, r *rareRows, in *input) {
	prefetch(unsafe.Pointer(k), int(unsafe.Sizeof(*k)))
	prefetch(unsafe.Pointer(r), int(unsafe.Sizeof(*r)))
	prefetch(unsafe.Pointer(in), int(unsafe.Sizeof(*in)))
}

// prefetchInput asks for the manifolds and motions of a block.
func prefetchInput(in *input, motions []Motion) {
	prefetchLanes(&in.manifold, unsafe.Pointer(unsafe.SliceData(motions)), &in.a, &in.b)
}
