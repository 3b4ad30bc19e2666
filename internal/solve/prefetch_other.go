//go:build !amd64

package solve

import "unsafe"

// prefetch does nothing: Go has no such instruction outside assembly.
func prefetch(unsafe.Pointer, int) {}
