package solve

import "unsafe"

// The blocks of a batch are packed in the order of their first contacts, in which manifolds lie in memory, but
// blocks do not: each colour has a place of its own. A large batch does not fit the second-level cache, and
// the processor does not foresee so many places. So the memory of the next block is prefetched while one is packed.
//
// Manifolds and motions are prefetched in batches of any size: the narrow phase and the step before have pushed them
// out of the caches even where the batch itself fits.

// prefetchBlock prefetches the memory of a block.
func (s *worker) prefetchBlock(p *packing) {
	if j := p.block; p.two {
		prefetchRows(&s.twos[j], &s.rareTwos[j], &s.inputTwos[j])
	} else {
		prefetchRows(&s.ones[j], &s.rareOnes[j], &s.inputOnes[j])
	}
}

func prefetchRows[block any](k *block, r *rareRows, in *input) {
	prefetch(unsafe.Pointer(k), int(unsafe.Sizeof(*k)))
	prefetch(unsafe.Pointer(r), int(unsafe.Sizeof(*r)))
	prefetch(unsafe.Pointer(in), int(unsafe.Sizeof(*in)))
}

// prefetchInput prefetches the manifolds and motions of a block that is filled.
func (s *worker) prefetchInput(p *packing) {
	_, _, _, in := s.rowsOf(p)
	prefetchLanes(&in.manifold, unsafe.Pointer(unsafe.SliceData(s.Motions)), &in.a, &in.b)
}
