package grid

import "math/bits"

// list is the objects of one cell: where they lie in the pool (low half), how
// many they are and the class of the block that they have, 2^class places
// (high half: count*32 + class). The zero list is empty and has no block, and
// neither has that of a single object, of class 0: its id stands in the place of where,
// and its sub-box above bit 40.
type list uint64

// single returns the list of one object.
func single(id ID, o subBox) list { return makeList(uint32(id), 1, 0) | list(o)<<40 }

func makeList(start uint32, n, class int) list {
	return list(start) | list(uint32(n<<5|class))<<32
}

func (l list) start() int { return int(uint32(l)) }
func (l list) class() int { return int(l >> 32 & 31) }

// len returns the number of objects.
func (l list) len() int {
	n := int(l >> 37)
	if l.class() == 0 {
		n &= 1
	}
	return n
}

// sub-box returns that of the object of a list of one.
func (l list) subBox() subBox { return subBox(l >> 40) }

// maxLoad is the most objects that a cell can list; a list must fit its half.
const maxLoad = 1<<27 - 1

// pool holds the lists of all cells as compact arrays, in blocks for powers of
// two: of 2^class objects the ids, and then the sub-boxes in that cell, two in the place of
// an id, so that both are on one cache line for most. A block that is given up is kept for
// the next list of its class, so a scene that is warm allocates nothing.
type pool struct {
	ids  []ID
	free [28]int32 // first free block of a class, +1; its first place names the next
}

// of returns the objects of a list, which is not empty: in one, if there is but
// one. The slice is good until the next change.
func (p *pool) of(l list, one *[1]ID) []ID {
	if l.class() == 0 {
		one[0] = ID(uint32(l))
		return one[:]
	}
	return p.several(l)
}

// several returns the objects of a list that has a block.
func (p *pool) several(l list) []ID {
	s := l.start()
	return p.ids[s : s+int(l>>37)]
}

// blockSize returns how many places a block has, of class > 0.
func blockSize(class int) int { return 3 << (class - 1) }

// sub-box returns that of object i of a list of several.
func (p *pool) subBox(l list, i int) subBox {
	return subBox(p.ids[l.start()+1<<l.class()+i>>1] >> (i & 1 << 4))
}

// setSubBox sets that of object i in the block of a list of several.
func (p *pool) setSubBox(l list, i int, o subBox) {
	at, by := l.start()+1<<l.class()+i>>1, i&1<<4
	p.ids[at] = ID(uint32(p.ids[at])&^(0xffff<<by) | uint32(o)<<by)
}

// alloc returns the start of a block of a class.
func (p *pool) alloc(class int) uint32 {
	if f := p.free[class]; f != 0 {
		p.free[class] = int32(p.ids[f-1])
		return uint32(f - 1)
	}
	start, end := len(p.ids), len(p.ids)+blockSize(class)
	if end > 1<<31-1 {
		panic("quarry: grid: more than 2^31 places in cells")
	}
	if end+padding > cap(p.ids) {
		ids := make([]ID, start, max(64, end+padding, start+start/16)) // see extended
		copy(ids, p.ids)
		p.ids = ids
	}
	p.ids = p.ids[:end]
	return uint32(start)
}

// padding is how many places rays may read beyond a block, and throw away.
const padding = 8

// noIDs is a pool that has no blocks.
var noIDs [padding]ID

// padded returns the places with some spare ones behind them.
func (p *pool) padded() []ID {
	if len(p.ids) == 0 {
		return noIDs[:]
	}
	return p.ids[:len(p.ids)+padding]
}

func (p *pool) release(start uint32, class int) {
	p.ids[start] = ID(p.free[class])
	p.free[class] = int32(start) + 1
}

// push returns l with id and its sub-box at its end.
func (p *pool) push(l list, id ID, o subBox) list {
	if l == 0 {
		return single(id, o)
	}
	switch n, class, start := int(l>>37), l.class(), l.start(); {
	case class == 0:
		to := p.alloc(1)
		p.ids[to], p.ids[to+1] = ID(uint32(l)), id
		p.ids[to+2] = ID(uint32(l.subBox()) | uint32(o)<<16)
		return makeList(to, 2, 1)
	case n < 1<<class:
		p.ids[start+n] = id
		p.setSubBox(l, n, o)
		return l + 1<<37
	case n > maxLoad/2:
		panic("quarry: grid: a cell is full")
	default:
		l = p.move(l, class+1)
		p.ids[l.start()+n] = id
		p.setSubBox(l, n, o)
		return l + 1<<37
	}
}

// drop returns l without id, which must be in it.
func (p *pool) drop(l list, id ID) list {
	if l.class() == 0 {
		return 0
	}
	n := int(l>>37) - 1
	ids := p.ids[l.start() : l.start()+n+1]
	i := find(ids, id)
	ids[i] = ids[n]
	p.setSubBox(l, i, p.subBox(l, n))
	class := l.class()
	switch {
	case n == 1:
		last := single(ids[0], p.subBox(l, 0))
		p.release(uint32(l), class)
		return last
	case n < 1<<class/2:
		// Less than half, not half: a list to and fro about a power of two
		// must not move each time.
		return p.move(l-1<<37, class-1)
	}
	return l - 1<<37
}

// move puts l into a block of another class.
func (p *pool) move(l list, class int) list {
	start := p.alloc(class)
	n := l.len()
	copy(p.ids[start:int(start)+n], p.ids[l.start():])
	copy(p.ids[int(start)+1<<class:][:(n+1)/2], p.ids[l.start()+1<<l.class():])
	p.release(uint32(l), l.class())
	return makeList(start, l.len(), class)
}

// replaceSubBox returns l with another sub-box of id, which must be in it.
func (p *pool) replaceSubBox(l list, id ID, o subBox) list {
	n, s := l.len(), l.start()
	if n == 1 {
		return single(id, o)
	}
	p.setSubBox(l, find(p.ids[s:s+n], id), o)
	return l
}

// find returns where id is in ids, in which it must be.
func find(ids []ID, id ID) int {
	i := 0
	for ids[i] != id {
		i++
	}
	return i
}

// classOf returns the class of the smallest block for n > 0 objects.
func classOf(n int) int { return bits.Len(uint(n - 1)) }

func (p *pool) clear() {
	p.ids = p.ids[:0]
	clear(p.free[:])
}
