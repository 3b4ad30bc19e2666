package quarry

import "slices"

// pool keeps values in slots that are used again, each use under a new
// generation. A freed slot is zeroed, so what it held can be collected. The
// slot that was freed last is given out first, and only when none is free a new
// one: which slot a thing gets depends on the calls made and on nothing else.
type pool[T any] struct {
	items []T
	gen   []uint32 // of the slot: one more when it is taken and when it is freed; odd: in use
	free  []int32
}

// add returns a free slot, its id, and a pointer valid until the next add.
func (p *pool[T]) add() (int32, uint64, *T) {
	var i int32
	if n := len(p.free); n > 0 {
		i = p.free[n-1]
		p.free = p.free[:n-1]
	} else {
		if len(p.items) >= 1<<slotBits-1 {
			panic("quarry: more than 67,108,863 things of one kind")
		}
		i = int32(len(p.items))
		var zero T
		p.items = append(p.items, zero)
		p.gen = append(p.gen, 0)
	}
	p.gen[i] = (p.gen[i] + 1) & genMask
	return i, p.id(i), &p.items[i]
}

// reserve makes room for n more values at once.
func (p *pool[T]) reserve(n int) {
	if n -= len(p.free); n > 0 {
		p.items, p.gen = slices.Grow(p.items, n), slices.Grow(p.gen, n)
	}
}

// id returns the id of the slot i as it is now.
func (p *pool[T]) id(i int32) uint64 {
	return uint64(p.gen[i])<<slotBits | uint64(i+1)
}

// find returns the slot of id, or false when id is stale, 0 or made up.
func (p *pool[T]) find(id uint64) (int32, bool) {
	i := int64(id&(1<<slotBits-1)) - 1
	if i < 0 || i >= int64(len(p.items)) || p.gen[i]&1 == 0 || uint64(p.gen[i]) != id>>slotBits {
		return -1, false
	}
	return int32(i), true
}

// used reports whether slot i holds something.
func (p *pool[T]) used(i int32) bool { return p.gen[i]&1 == 1 }

// remove frees slot i.
func (p *pool[T]) remove(i int32) {
	var zero T
	p.items[i] = zero
	p.gen[i] = (p.gen[i] + 1) & genMask
	p.free = append(p.free, i)
}

// len returns how many slots are in use.
func (p *pool[T]) len() int { return len(p.items) - len(p.free) }
