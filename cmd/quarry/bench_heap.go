package main

import "runtime"

// heap reads the runtime's memory statistics. Its memory is reused, so that reading is not counted
// itself.
type heap struct{ stats runtime.MemStats }

// live returns the bytes in use. The second collection releases the content of sync.Pools.
func (h *heap) live() int64 {
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&h.stats)
	return int64(h.stats.HeapAlloc)
}

// mallocs returns the number of allocations so far.
func (h *heap) mallocs() uint64 {
	runtime.ReadMemStats(&h.stats)
	return h.stats.Mallocs
}
