package pool

import (
	"math/bits"
	"slices"
	"unsafe"
)

// Packed holds a list of records in little memory: of each record the words of 64 bits that differ from the words of
// the record before. Most words of most records are zero, or equal in all bodies of a kind, such as their mass. With
// Packing.Plain the list is copied as it is, which takes a fifth of the time. T must have no pointers. The zero Packed
// is an empty list.
type Packed[T any] struct {
	n      int
	packed bool
	plain  []T      // the records, if they are not packed
	masks  []uint16 // for each record, of each partWords words: those that differ
	words  []uint64 // that differ
	next   [2]T     // of Next: by number of record
}

const partWords = 16

// Packing is the memory of the lists that are being packed. A list takes it from Begin to Keep.
type Packing struct {
	Plain bool // lists that begin are copied as they are

	masks []uint16
	words []uint64
	none  []uint64 // zeros, before the first record
}

// wordsOf returns the number of words of a T.
func wordsOf[T any]() int { return int(unsafe.Sizeof(*new(T)) / 8) }

// view returns the words of v, of which there are n.
func view[T any](v *T, n int) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(v)), n) }

// Pack makes p hold the records, in the room that it has.
func (p *Packed[T]) Pack(room *Packing, records []T) {
	if p.Begin(room, len(records)); !p.packed {
		p.plain = append(p.plain, records...)
		return
	}
	size := wordsOf[T]()
	before := room.none[:size]
	for i := range records {
		record := view(&records[i], size)
		room.put(before, record)
		before = record
	}
	p.n = len(records)
	p.keep(room)
}

// Begin begins a list of n records, which n calls of Next and one of End make.
func (p *Packed[T]) Begin(room *Packing, n int) {
	p.n, p.packed = 0, !room.Plain && n > 0 && unsafe.Sizeof(*new(T))%8 == 0 // it may not be on machines of 32 bits
	if !p.packed {
		p.masks, p.words = nil, nil
		p.plain = (*Room(&p.plain, n))[:0]
		return
	}
	size := wordsOf[T]()
	p.plain = nil
	room.masks = slices.Grow(room.masks[:0], n*((size+partWords-1)/partWords))
	room.words = slices.Grow(room.words[:0], n*size)
	if len(room.none) < size {
		room.none = make([]uint64, size)
	}
}

// Next returns the next record, of which the caller sets all fields before another call.
func (p *Packed[T]) Next(room *Packing) *T {
	if !p.packed {
		p.plain = p.plain[:len(p.plain)+1]
		return &p.plain[len(p.plain)-1]
	}
	p.put(room)
	p.n++
	return &p.next[p.n&1]
}

// put packs the record that Next returned last, if any.
func (p *Packed[T]) put(room *Packing) {
	if p.n == 0 {
		return
	}
	size := wordsOf[T]()
	before := room.none[:size]
	if p.n > 1 {
		before = view(&p.next[(p.n-1)&1], size)
	}
	room.put(before, view(&p.next[p.n&1], size))
}

// End ends the list that Begin began.
func (p *Packed[T]) End(room *Packing) {
	if p.packed {
		p.put(room)
		p.keep(room)
	}
}

// put appends the words of record that differ from old.
func (r *Packing) put(old, record []uint64) {
	n := len(r.words)
	for len(record) > 0 {
		part := min(partWords, len(record))
		a, b, to := record[:part], old[:part], r.words[n:n+part]
		mask, k := uint16(0), 0
		for i := 0; i < len(a); {
			if i+4 <= len(a) && (a[i]^b[i])|(a[i+1]^b[i+1])|(a[i+2]^b[i+2])|(a[i+3]^b[i+3]) == 0 {
				i += 4
				continue
			}
			for end := min(i+4, len(a)); i < end; i++ {
				to[k] = a[i]
				differs := 0
				if a[i] != b[i] {
					differs = 1
				}
				mask |= uint16(differs) << i
				k += differs
			}
		}
		r.masks = append(r.masks, mask)
		n += k
		record, old = record[part:], old[part:]
	}
	r.words = r.words[:n]
}

func (p *Packed[T]) keep(room *Packing) {
	CopySlice(Room(&p.masks, len(room.masks)), room.masks)
	CopySlice(Room(&p.words, len(room.words)), room.words)
}

// List returns the list of p, which the caller does not change; room is memory for it.
func (p *Packed[T]) List(room *[]T) []T {
	if !p.packed {
		return p.plain
	}
	p.Unpack(room)
	return *room
}

// Unpack makes to the list of p, in the room that to has.
func (p *Packed[T]) Unpack(to *[]T) {
	if !p.packed {
		CopySlice(to, p.plain)
		return
	}
	*to = slices.Grow((*to)[:0], p.n)[:p.n]
	size := wordsOf[T]()
	all := view(&(*to)[0], p.n*size)
	clear(all[:size])
	words, masks := p.words, p.masks
	for i := 0; i < len(all); i += size {
		record := all[i : i+size]
		if i > 0 {
			copy(record, all[i-size:i])
		}
		for ; len(record) > 0; record = record[min(partWords, len(record)):] {
			k := 0
			for m := masks[0]; m != 0; m &= m - 1 {
				record[bits.TrailingZeros16(m)] = words[k]
				k++
			}
			masks, words = masks[1:], words[k:]
		}
	}
}

// Room gives to, the list of a Snapshot, room for n elements, and returns to. A list that has had elements before gets
// room for some more, so that lists whose length varies cease to allocate.
func Room[S ~[]T, T any](to *S, n int) *S {
	switch {
	case cap(*to) >= n:
	case cap(*to) == 0:
		*to = make(S, 0, n)
	default:
		*to = make(S, 0, n+n/16)
	}
	return to
}

// Same reports whether a and b have the same words: of two interface values, the type and the place of the value.
func Same[T any](a, b *T) bool {
	size := unsafe.Sizeof(*a)
	return unsafe.String((*byte)(unsafe.Pointer(a)), size) == unsafe.String((*byte)(unsafe.Pointer(b)), size)
}

// PackedPool holds a Pool in little memory.
type PackedPool[T any] struct {
	Items Packed[T]
	Slots SavedSlots
}

// SavedSlots holds the slots of a Pool without their values.
type SavedSlots struct {
	gen  []uint32
	free []int32
}

// Pack makes p hold a pool.
func (p *PackedPool[T]) Pack(room *Packing, from *Pool[T]) {
	p.Items.Pack(room, from.items)
	SaveSlots(&p.Slots, from)
}

// Unpack makes to the pool of p, in the room that to has.
func (p *PackedPool[T]) Unpack(to *Pool[T]) {
	p.Items.Unpack(&to.items)
	LoadSlots(&p.Slots, to)
}

// Used reports whether slot i was in use.
func (s *SavedSlots) Used(i int32) bool { return s.gen[i]&1 == 1 }

// SaveSlots makes s hold the slots of a pool.
func SaveSlots[T any](s *SavedSlots, from *Pool[T]) {
	CopySlice(Room(&s.gen, len(from.gen)), from.gen)
	CopySlice(Room(&s.free, len(from.free)), from.free)
}

// Set makes p the pool with these values in the slots of s.
func (p *Pool[T]) Set(values []T, s *SavedSlots) {
	CopySlice(&p.items, values)
	CopySlice(&p.gen, s.gen)
	CopySlice(&p.free, s.free)
}

// LoadSlots gives a pool the slots of s. It keeps values, and adds zero values for slots that it did not have; the
// caller sets all.
func LoadSlots[T any](s *SavedSlots, to *Pool[T]) {
	n := len(s.gen)
	if n < len(to.items) {
		clear(to.items[n:])
	}
	had := min(n, len(to.items))
	to.items = slices.Grow(to.items[:had], n-had)[:n]
	clear(to.items[had:])
	CopySlice(&to.gen, s.gen)
	CopySlice(&to.free, s.free)
}
