package grid

import "math/bits"

// list is the objects of one cell: where they lie in the pool (low half), how
// many they are and the class of the block that they have, 2^class places
// (high half: count*32 + class). The zero list is empty and has no block.
type list uint64

func makeList(start uint32, n, class int) list {
	return list(start) | list(uint32(n<<5|class))<<32
}

func (l list) start() int { return int(uint32(l)) }
func (l list) len() int   { return int(l >> 37) }
func (l list) class() int { return int(l >> 32 & 31) }

// maxLoad is the most objects that a cell can list; a list must fit its half.
const maxLoad = 1<<27 - 1

// pool holds the lists of all cells as compact arrays, in blocks of powers of
// two. A block that is given up is kept for the next list of its class, so a
// scene that is warm allocates nothing.
type pool struct {
	ids  []ID
	free [28]int32 // first free block of a class, +1; its first place names the next
}

// of returns the objects of a list. The slice is good until the next change.
func (p *pool) of(l list) []ID {
	s := l.start()
	return p.ids[s : s+l.len()]
}

// take returns the start of a block of a class.
func (p *pool) take(class int) uint32 {
	if f := p.free[class]; f != 0 {
		p.free[class] = int32(p.ids[f-1])
		return uint32(f - 1)
	}
	start, end := len(p.ids), len(p.ids)+1<<class
	if end > 1<<31-1 {
		panic("quarry: grid: more than 2^31 places in cells")
	}
	if end > cap(p.ids) {
		ids := make([]ID, start, max(64, end, start+start/16)) // see oneMore
		copy(ids, p.ids)
		p.ids = ids
	}
	p.ids = p.ids[:end]
	return uint32(start)
}

func (p *pool) give(start uint32, class int) {
	p.ids[start] = ID(p.free[class])
	p.free[class] = int32(start) + 1
}

// push returns l with id at its end.
func (p *pool) push(l list, id ID) list {
	if l == 0 {
		start := p.take(0)
		p.ids[start] = id
		return makeList(start, 1, 0)
	}
	n, class, start := l.len(), l.class(), uint32(l)
	if n == 1<<class {
		if n > maxLoad/2 {
			panic("quarry: grid: a cell is full")
		}
		l = p.move(l, class+1)
		start, class = uint32(l), class+1
	}
	p.ids[int(start)+n] = id
	return makeList(start, n+1, class)
}

// drop returns l without id, which must be in it.
func (p *pool) drop(l list, id ID) list {
	ids := p.of(l)
	i := 0
	for ids[i] != id {
		i++
	}
	n := len(ids) - 1
	ids[i] = ids[n]
	if n == 0 {
		p.give(uint32(l), l.class())
		return 0
	}
	l -= 1 << 37
	// Less than half, not half: a list to and fro about a power of two must
	// not move each time.
	if class := l.class(); n < 1<<class/2 {
		l = p.move(l, class-1)
	}
	return l
}

// move puts l into a block of another class.
func (p *pool) move(l list, class int) list {
	start := p.take(class)
	copy(p.ids[start:int(start)+l.len()], p.of(l))
	p.give(uint32(l), l.class())
	return makeList(start, l.len(), class)
}

// classOf returns the class of the smallest block for n > 0 objects.
func classOf(n int) int { return bits.Len(uint(n - 1)) }

func (p *pool) clear() {
	p.ids = p.ids[:0]
	clear(p.free[:])
}
