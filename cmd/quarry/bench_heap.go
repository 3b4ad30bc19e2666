package main

import "runtime"

// heap reads what the runtime counts. It is a variable of its own because its
// memory would be counted if each reading allocated it.
type heap struct{ stats runtime.MemStats }

// live returns the bytes in use. What sync.Pool keeps goes with the second
// collection.
func (h *heap) live() int64 {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&h.stats)
	return int64(h.stats.HeapAlloc)
}

// mallocs returns how many allocations there have been.
func (h *heap) mallocs() uint64 {
	runtime.ReadMemStats(&h.stats)
	return h.stats.Mallocs
}
