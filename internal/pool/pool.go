package pool

import (
	"iter"
	"slices"
)

// An id is a slot number plus 1, in the lower slotBits bits, and a generation above it. Together
// they stay below 2^53, so that a float64, and so JSON and JavaScript, holds an id exactly.
const (
	slotBits = 26
	genMask  = 1<<27 - 1
)

// Pool keeps values in slots. A freed slot is used again under a new generation, the slot freed
// last first; a new slot is added only if none is free. So the slot of a value depends only on
// the calls made. A freed slot is zeroed, so that its memory can be collected. The zero Pool is
// empty.
type Pool[T any] struct {
	items []T
	gen   []uint32 // by slot: incremented when it is taken and when it is freed; odd: in use
	free  []int32
}

// At returns the value in slot i. The pointer is valid until the next Add.
func (p *Pool[T]) At(i int32) *T { return &p.items[i] }

// Slots returns the number of slots, in use or free: slot numbers are below it.
func (p *Pool[T]) Slots() int32 { return int32(len(p.items)) }

// Len returns the number of slots in use.
func (p *Pool[T]) Len() int { return len(p.items) - len(p.free) }

// Add takes a slot and returns its number, its id, and a pointer to its value, valid until the next
// Add: zero, or the value that Release left. It panics if the pool holds 2^26-1 values.
func (p *Pool[T]) Add() (int32, uint64, *T) {
	var i int32
	if n := len(p.free); n > 0 {
		i = p.free[n-1]
		p.free = p.free[:n-1]
	} else {
		if len(p.items) >= 1<<slotBits-1 {
			panic("quarry: more than 67,108,863 bodies, shapes, contacts or others of one kind")
		}
		i = int32(len(p.items))
		var zero T
		p.items = append(p.items, zero)
		p.gen = append(p.gen, 0)
	}
	p.gen[i] = (p.gen[i] + 1) & genMask
	return i, p.ID(i), &p.items[i]
}

// Reserve makes room for n more values at once.
func (p *Pool[T]) Reserve(n int) {
	if n -= len(p.free); n > 0 {
		p.items, p.gen = slices.Grow(p.items, n), slices.Grow(p.gen, n)
	}
}

// AppendAdded takes n slots, as n calls of Add do, and appends their numbers.
func (p *Pool[T]) AppendAdded(dst []int32, n int) []int32 {
	p.Reserve(n)
	for range n {
		i, _, _ := p.Add()
		dst = append(dst, i)
	}
	return dst
}

// ID returns the present id of slot i.
func (p *Pool[T]) ID(i int32) uint64 {
	return uint64(p.gen[i])<<slotBits | uint64(i+1)
}

// Find returns the slot of id. ok is false if the id is 0, was never given, or its value has been
// removed.
func (p *Pool[T]) Find(id uint64) (i int32, ok bool) {
	k := int64(id&(1<<slotBits-1)) - 1
	if k < 0 || k >= int64(len(p.items)) || p.gen[k]&1 == 0 || uint64(p.gen[k]) != id>>slotBits {
		return -1, false
	}
	return int32(k), true
}

// Has reports whether slot i exists and is in use.
func (p *Pool[T]) Has(i int32) bool { return i >= 0 && int(i) < len(p.gen) && p.Used(i) }

// Is reports whether slot i exists, is in use and has that id.
func (p *Pool[T]) Is(i int32, id uint64) bool { return p.Has(i) && p.ID(i) == id }

// Used reports whether slot i is in use.
func (p *Pool[T]) Used(i int32) bool { return p.gen[i]&1 == 1 }

// All yields the slots in use and their values, in the order of slots.
func (p *Pool[T]) All() iter.Seq2[int32, *T] {
	return func(yield func(int32, *T) bool) {
		for i := range p.items {
			if p.gen[i]&1 == 1 && !yield(int32(i), &p.items[i]) {
				return
			}
		}
	}
}

// Remove frees slot i.
func (p *Pool[T]) Remove(i int32) {
	var zero T
	p.items[i] = zero
	p.Release(i)
}

// Release frees slot i, and keeps its value for the next Add that takes the slot.
func (p *Pool[T]) Release(i int32) {
	p.gen[i] = (p.gen[i] + 1) & genMask
	p.free = append(p.free, i)
}

// Clear sets element i of a slice beside a pool, by slot, to its zero value; the slice grows to hold it,
// with as much room as the pool.
func Clear[S ~[]T, T, P any](of *S, beside *Pool[P], i int32) {
	var zero T
	if n := int(i) + 1; n > cap(*of) {
		*of = slices.Grow(*of, max(n, cap(beside.items))-len(*of))
	}
	for int(i) >= len(*of) {
		*of = append(*of, zero)
	}
	(*of)[i] = zero
}

// Extend makes a slice beside a pool as long as the pool, with as much room.
func Extend[S ~[]T, T, P any](of *S, beside *Pool[P]) {
	before, n := len(*of), len(beside.items)
	if n > cap(*of) {
		*of = slices.Grow(*of, cap(beside.items)-before)
	}
	if n > before {
		*of = (*of)[:n]
		clear((*of)[before:])
	}
}

// Remove calls remove with the slot of id, and returns false if p has no such value.
func Remove[T any](p *Pool[T], id uint64, remove func(int32)) bool {
	i, ok := p.Find(id)
	if ok {
		remove(i)
	}
	return ok
}

// Views yields the view of each value in p, in the order of slots.
func Views[T, V any](p *Pool[T], at func(int32) V) iter.Seq[V] {
	return func(yield func(V) bool) {
		for i := range p.All() {
			if !yield(at(i)) {
				return
			}
		}
	}
}
