package pool

import "maps"

// CopySlice makes to a copy of from, in the room that to has.
func CopySlice[S ~[]T, T any](to *S, from S) { *to = append((*to)[:0], from...) }

// CopyMap makes to a copy of from. It allocates nothing if they are equal.
func CopyMap[K, V comparable](to *map[K]V, from map[K]V) {
	if !maps.Equal(*to, from) {
		*to = maps.Clone(from)
	}
}

// Copy makes p a copy of from, in the room that p has. The values share the memory that they point to.
func (p *Pool[T]) Copy(from *Pool[T]) {
	CopySlice(&p.items, from.items)
	CopySlice(&p.gen, from.gen)
	CopySlice(&p.free, from.free)
}

// Copy makes l a log without events of the last step, and with the events to come of from.
func (l *Log[T]) Copy(from *Log[T]) {
	l.Now = l.Now[:0]
	CopySlice(&l.later, from.later)
}

// Copy makes t a copy of from, in the room that t has.
func (t *Table) Copy(from *Table) {
	CopySlice(&t.entries, from.entries)
	t.n, t.shift = from.n, from.shift
}
