package team

import "iter"

// Lists holds the items that the workers of a loop list, in the order of the loop's ranges, which is the same for any
// number of workers. The zero value is ready for Reset; the memory is kept from loop to loop.
type Lists[T any] struct {
	of     []list[T] // by worker
	joined []T
	ranges
}

// ranges is the part of Lists that does not depend on the type of the items: one copy of its code is enough.
type ranges struct {
	parts []part // by range
}

// list is the list of a worker, with two cache lines of its own, because each Add changes its length.
type list[T any] struct {
	items []T
	_     [104]byte
}

// part is the part of a range in its worker's list.
type part struct{ worker, from, to int32 }

// Reset empties l, for a loop of [0, count) in ranges of grain on the given number of workers.
func (l *Lists[T]) Reset(workers, count, grain int) {
	for len(l.of) < workers {
		l.of = append(l.of, list[T]{})
	}
	for i := range l.of {
		l.of[i].items = l.of[i].items[:0]
	}
	l.reset(count, grain)
}

// reset makes the parts of a loop of [0, count) in ranges of grain.
func (r *ranges) reset(count, grain int) {
	n := 0
	if count > 0 {
		n = (count-1)/grain + 1
	}
	if r.parts = r.parts[:0]; cap(r.parts) < n {
		r.parts = make([]part, 0, n+n/4)
	}
	r.parts = r.parts[:n]
	clear(r.parts)
}

// Add adds a T for range number at, which the worker has, and returns it, zero, until the worker's next Add.
func (l *Lists[T]) Add(worker, at int) *T {
	items, p := &l.of[worker].items, &l.parts[at]
	if p.from == p.to {
		p.worker, p.from, p.to = int32(worker), int32(len(*items)), int32(len(*items))
	}
	p.to++
	var zero T
	*items = append(*items, zero)
	return &(*items)[len(*items)-1]
}

// Of returns the items of range number at, which the worker has or had. The worker may call it during the loop; items
// that it then adds for other ranges do not change the slice.
func (l *Lists[T]) Of(worker, at int) []T {
	p := l.parts[at]
	if p.from == p.to {
		return nil
	}
	return l.of[worker].items[p.from:p.to]
}

// Ranges yields the items of each range that has some, in order, after the loop.
func (l *Lists[T]) Ranges() iter.Seq[[]T] {
	return func(yield func([]T) bool) {
		for at, p := range l.parts {
			if p.from < p.to && !yield(l.Of(int(p.worker), at)) {
				return
			}
		}
	}
}

// Join returns all items in the order of the ranges, in memory that is valid until the next
// Reset. If a worker has them all in this order, they stay where they are.
func (l *Lists[T]) Join() []T {
	if worker, all := l.sole(); all {
		return l.of[worker].items
	}
	l.joined = l.joined[:0]
	for _, p := range l.parts {
		l.joined = append(l.joined, l.of[p.worker].items[p.from:p.to]...)
	}
	return l.joined
}

// sole returns a worker that has all items in order, if there is one.
func (r *ranges) sole() (worker int32, all bool) {
	n := int32(0)
	for _, p := range r.parts {
		if p.from == p.to {
			continue
		}
		if n == 0 {
			worker = p.worker
		}
		if p.worker != worker || p.from != n {
			return 0, false
		}
		n = p.to
	}
	return worker, true
}
