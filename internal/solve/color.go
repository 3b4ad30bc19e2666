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

// color returns the group of c, and marks its colour as used by those of its bodies that move: in
// used, the low half of a body's word is for contacts between moving bodies. (A held body is
// one of them to the world, and does not move.)
func (s *Solver) color(c *Contact, a, b *body) int {
	first, shift := 0, 0
	if c.Static {
		first, shift = firstFixed, 32
	}
	var taken uint64
	if a.invMass > 0 {
		taken = s.used[c.A]
	}
	if b.invMass > 0 {
		taken |= s.used[c.B]
	}
	free := ^uint32(taken >> shift)
	mark := uint64(free&-free) << shift
	if a.invMass > 0 {
		s.used[c.A] |= mark
	}
	if b.invMass > 0 {
		s.used[c.B] |= mark
	}
	return first + firstFree(free)
}

// firstFree returns the group of the first free colour, or the overflow.
func firstFree(free uint32) int {
	if free == 0 {
		return 0
	}
	return 1 + bits.TrailingZeros32(free)
}

// queue is the blocks of one number of points, in the order in which they are solved: group
// by group.
type queue struct {
	groupOf []uint8           // of the blocks, as they were made
	open    [groupCount]int32 // for each group the block that has room, or -1
	order   []int32           // blocks, group by group
	ends    [groupCount]int32 // of the groups in order
}

func (q *queue) reset() {
	q.groupOf = q.groupOf[:0]
	for g := range q.open {
		q.open[g] = -1
	}
}

// made notes that a block was made for the group, and returns its index.
func (q *queue) made(group int) int32 {
	i := int32(len(q.groupOf))
	q.groupOf = append(q.groupOf, uint8(group))
	q.open[group] = i
	if isOverflow(group) {
		q.open[group] = -1 // takes no other contact
	}
	return i
}

// sort puts the blocks in order.
func (q *queue) sort() {
	var at [groupCount]int32 // where the next block of each group goes
	for _, g := range q.groupOf {
		at[g]++
	}
	sum := int32(0)
	for g, n := range at {
		at[g] = sum
		sum += n
		q.ends[g] = sum
	}
	q.order = resized(q.order, len(q.groupOf))
	for i, g := range q.groupOf {
		q.order[at[g]] = int32(i)
		at[g]++
	}
}

// of returns the blocks of a group.
func (q *queue) of(group int) []int32 {
	start := int32(0)
	if group > 0 {
		start = q.ends[group-1]
	}
	return q.order[start:q.ends[group]]
}
