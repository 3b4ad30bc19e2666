package team

import "sync"

// Queue holds work beside a loop that only one worker may do at a time, such as changes of one table. A worker that
// adds an item while no other is at work on the queue does this item and those that are added meanwhile; the others go
// on with the loop. So the order of the items differs from run to run. The zero Queue is ready for use.
type Queue[T any] struct {
	mu    sync.Mutex
	items []T
	busy  bool
}

// Reset empties q, before a loop. An item whose work panicked leaves it busy.
func (q *Queue[T]) Reset() {
	clear(q.items)
	q.items, q.busy = q.items[:0], false
}

// Add adds an item. If no worker is at work on q, it does the items until none is left.
func (q *Queue[T]) Add(item T, do func(T)) {
	q.mu.Lock()
	q.items = append(q.items, item)
	if !q.busy {
		q.busy = true
		for n := len(q.items); n > 0; n = len(q.items) {
			next := q.items[n-1]
			q.items = q.items[:n-1]
			q.mu.Unlock()
			do(next)
			q.mu.Lock()
		}
		q.busy = false
	}
	q.mu.Unlock()
}
