package grid

import "math/bits"

// list refers to the objects of one cell. The low half is the start of its block in the pool, the
// high half count*32 + class; the block has 2^class places. The zero list is empty and has no
// block. The list of a single object has class 0 and no block: its id is in the low half.
type list uint64

// single returns the list of one object.
func single(id ID) list { return makeList(uint32(id), 1, 0) }

func makeList(start uint32, n, class int) list {
	return list(start) | list(uint32(n<<5|class))<<32
}

func (l list) start() int { return int(uint32(l)) }
func (l list) class() int { return int(l >> 32 & 31) }

// len returns the number of objects.
func (l list) len() int { return int(l >> 37) }

// maxLoad is the largest number of objects in a cell, limited by the bits of the count.
const maxLoad = 1<<27 - 1

// pool stores the lists of all cells as compact arrays, in blocks of 2^class ids. Released blocks are reused for lists
// of the same class, so a warm scene allocates nothing.
type pool struct {
	ids   []ID
	free  [28]int32 // first free block of a class, +1; the first place of a free block refers to the next
	index table     // places + 1 of the objects of indexed lists, by placeKey
	looks int       // number of ids that find has compared
}

// indexedClass is the lowest class of lists whose objects have an entry in the index: a search of a longer list would
// make the removal of all its objects take quadratic time.
const indexedClass = 8

// placeKey is the key of an object in a list with a block: blocks have different starts.
func placeKey(l list, id ID) key { return key(uint32(l))<<32 | key(uint32(id)) }

// note enters the place of an object of an indexed list in the index.
func (p *pool) note(l list, id ID, place int) {
	if l.class() >= indexedClass {
		p.index.insert(placeKey(l, id)).val = list(place) + 1
	}
}

// forget removes an object of an indexed list from the index.
func (p *pool) forget(l list, id ID) {
	if l.class() >= indexedClass {
		p.index.remove(p.index.index(placeKey(l, id)))
	}
}

// place returns the place of an object of a list with a block, which must have it.
func (p *pool) place(l list, id ID) int {
	if l.class() >= indexedClass {
		return int(p.index.get(placeKey(l, id))) - 1
	}
	ids := p.several(l)
	i := 0
	for ids[i] != id {
		i++
	}
	p.looks += i + 1
	return i
}

// of returns the objects of a list, which must not be empty; of a single list it is in one. The
// slice is valid until the next change.
func (p *pool) of(l list, one *[1]ID) []ID {
	if l.class() == 0 {
		one[0] = ID(uint32(l))
		return one[:]
	}
	return p.several(l)
}

// several returns the objects of a list with a block.
func (p *pool) several(l list) []ID {
	s := l.start()
	return p.ids[s : s+int(l>>37)]
}

// blockSize returns the number of places of a block of class > 0.
func blockSize(class int) int { return 1 << class }

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
	if end > cap(p.ids) {
		ids := make([]ID, start, max(64, end, start+start/16)) // see extended
		copy(ids, p.ids)
		p.ids = ids
	}
	p.ids = p.ids[:end]
	return uint32(start)
}

func (p *pool) release(start uint32, class int) {
	p.ids[start] = ID(p.free[class])
	p.free[class] = int32(start) + 1
}

// cellFull is a constant so that push needs no call of fmt.
const cellFull = "quarry: grid: more than 2^26 objects in a cell"

// push returns l with id appended.
func (p *pool) push(l list, id ID) list {
	if l == 0 {
		return single(id)
	}
	switch n, class, start := int(l>>37), l.class(), l.start(); {
	case class == 0:
		to := p.alloc(1)
		p.ids[to], p.ids[to+1] = ID(uint32(l)), id
		return makeList(to, 2, 1)
	case n > maxLoad/2 && n == 1<<class:
		panic(cellFull)
	default:
		if n == 1<<class {
			l = p.move(l, class+1)
			start = l.start()
		}
		p.ids[start+n] = id
		p.note(l, id, n)
		return l + 1<<37
	}
}

// drop returns l without id, which must be in l.
func (p *pool) drop(l list, id ID) list {
	if l.class() == 0 {
		return 0
	}
	n := int(l>>37) - 1
	ids := p.ids[l.start() : l.start()+n+1]
	i := p.place(l, id)
	if p.forget(l, id); i < n {
		p.note(l, ids[n], i)
	}
	ids[i] = ids[n]
	class := l.class()
	switch {
	case n == 1:
		last := single(ids[0])
		p.release(uint32(l), class)
		return last
	case n < 1<<class/2:
		// Move below half, not at half: a list that alternates around a power of two must not move
		// each time.
		return p.move(l-1<<37, class-1)
	}
	return l - 1<<37
}

// move copies l to a block of another class.
func (p *pool) move(l list, class int) list {
	start := p.alloc(class)
	n := l.len()
	copy(p.ids[start:int(start)+n], p.ids[l.start():])
	to := makeList(start, n, class)
	if max(class, l.class()) >= indexedClass {
		for i, id := range p.ids[start : int(start)+n] {
			p.forget(l, id)
			p.note(to, id, i)
		}
	}
	p.release(uint32(l), l.class())
	return to
}

// classOf returns the class of the smallest block for n > 0 objects.
func classOf(n int) int { return bits.Len(uint(n - 1)) }

func (p *pool) clear() {
	p.ids = p.ids[:0]
	p.index.clear()
	clear(p.free[:])
}
