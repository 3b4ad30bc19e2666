//go:build !amd64 && !arm64

package solve

import "unsafe"

// prefetch does nothing: Go has no such instruction outside assembly.
func prefetch(unsafe.Pointer, int) {}

func prefetchLanes(*[8]*Manifold, unsafe.Pointer, *[8]uint32, *[8]uint32) {}
