package solve

import "unsafe"

// prefetch asks the processor for so many bytes of memory, and does not wait for them.
//
//go:noescape
func prefetch(p unsafe.Pointer, bytes int)
