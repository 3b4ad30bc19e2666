//go:build amd64 || arm64

package solve

import "unsafe"

// prefetch asks the processor for so many bytes of memory, and does not wait for them.
//
//go:noescape
func prefetch(p unsafe.Pointer, bytes int)

// prefetchLanes asks for eight manifolds, 128 bytes each, and the first cache line of the motions at the offsets a and
// b from motions.
//
//go:noescape
func prefetchLanes(manifold *[8]*Manifold, motions unsafe.Pointer, a, b *[8]uint32)
