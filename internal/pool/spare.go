package pool

import "sync/atomic"

// Spare keeps working memory for calls that may run concurrently: each takes one, or gets a new one, and
// gives it back. The zero value is empty. Unlike a sync.Pool it never drops a value, so a warm call
// allocates nothing.
type Spare[T any] struct{ slots [16]atomic.Pointer[T] }

// Take returns a kept T, or a new zero one.
func (s *Spare[T]) Take() *T {
	for i := range s.slots {
		if s.slots[i].Load() == nil {
			continue
		}
		if t := s.slots[i].Swap(nil); t != nil {
			return t
		}
	}
	return new(T)
}

// Give keeps t, or drops it if enough are kept.
func (s *Spare[T]) Give(t *T) {
	for i := range s.slots {
		if s.slots[i].CompareAndSwap(nil, t) {
			return
		}
	}
}
