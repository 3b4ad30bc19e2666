package solve

import "math/bits"

// Graph colouring: contacts of one colour share no body that moves, so they can be solved at
// once, and their order has no effect. Each contact takes the first colour that neither of
// its bodies has, in the order of the contacts, anew in each step: so the colours are a
// function of the list of contacts alone. Contacts with static and kinematic bodies have
// colours of their own, which are solved last: Gauss-Seidel satisfies the last row best,
// and penetration into the floor is worst. A body with more contacts than colours makes the
// others overflow: each takes a block alone, solved before the colours of its kind.

// colorsEach is the number of colours of contacts between moving bodies, and of those of
// contacts with static and kinematic bodies.
const colorsEach = 32

// A group is the contacts of one colour, or an overflow: group 0 is the overflow of contacts
// between moving bodies, the next are their colours, then come overflow and colours of the
// others, from firstFixed on.
const (
	firstFixed = 1 + colorsEach
	groupCount = 2 * firstFixed
)

func isOverflow(group int) bool { return group == 0 || group == firstFixed }

// color returns the group of c, and marks its colour as used by its bodies: in used, the low
// half of a body's word is for contacts between moving bodies.
func (s *Solver) color(c *Contact) int {
	a, b := &s.used[c.A], &s.used[c.B]
	if !c.Static {
		free := ^(uint32(*a) | uint32(*b))
		*a |= uint64(free & -free)
		*b |= uint64(free & -free)
		return firstFree(free)
	}
	if s.bodies[c.A].invMass > 0 {
		b = a // the one that moves
	}
	free := ^uint32(*b >> 32)
	*b |= uint64(free&-free) << 32
	return firstFixed + firstFree(free)
}

// firstFree returns the group of the first free colour, or the overflow.
func firstFree(free uint32) int {
	if free == 0 {
		return 0
	}
	return 1 + bits.TrailingZeros32(free)
}

// queue is the blocks of one number of points, in the order in which they are solved: batch by
// batch, and in each group by group. A key is a batch's number times groupCount plus a group.
type queue struct {
	keys  []int32 // of the blocks, as they were made
	open  []int32 // for each key the block that has room, or -1
	order []int32 // blocks, key by key
	ends  []int32 // of the keys in order
}

func (q *queue) reset(batches int) {
	q.keys = q.keys[:0]
	q.open = resized(q.open, batches*groupCount)
	q.ends = resized(q.ends, batches*groupCount)
	for key := range q.open {
		q.open[key] = -1
	}
}

// made notes that a block was made for the key, and returns its index.
func (q *queue) made(key int) int32 {
	i := int32(len(q.keys))
	q.keys = append(q.keys, int32(key))
	q.open[key] = i
	if isOverflow(key % groupCount) {
		q.open[key] = -1 // takes no other contact
	}
	return i
}

// sort puts the blocks in order.
func (q *queue) sort() {
	at := q.open // where the next block of each key goes
	clear(at)
	for _, key := range q.keys {
		at[key]++
	}
	sum := int32(0)
	for key, n := range at {
		at[key] = sum
		sum += n
		q.ends[key] = sum
	}
	q.order = resized(q.order, len(q.keys))
	for i, key := range q.keys {
		q.order[at[key]] = int32(i)
		at[key]++
	}
}

// of returns the blocks of a group of t.
func (q *queue) of(t *batch, group int) []int32 {
	key := t.number*groupCount + group
	return q.order[q.start(key):q.ends[key]]
}

// all returns the blocks of t.
func (q *queue) all(t *batch) []int32 {
	key := t.number * groupCount
	return q.order[q.start(key):q.ends[key+groupCount-1]]
}

func (q *queue) start(key int) int32 {
	if key == 0 {
		return 0
	}
	return q.ends[key-1]
}
