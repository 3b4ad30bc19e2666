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
// others.
const groupCount = 2 * (1 + colorsEach)

// firstFixed is the first group of contacts with static and kinematic bodies.
const firstFixed = 1 + colorsEach

// group is the blocks of one group: those of two points are solved before those of one.
type group struct {
	twoStart, twoEnd, oneStart, oneEnd int32
}

// color finds the group of each contact, and lays out the blocks. Afterwards places has the block
// of each contact, times 8, plus its lane.
func (s *Solver) color() {
	s.used = resized(s.used, len(s.bodies))
	clear(s.used)
	s.places = resized(s.places, len(s.Contacts))
	s.groupOf = resized(s.groupOf, len(s.Contacts))
	var one, two [groupCount]int32
	for i := range s.Contacts {
		c := &s.Contacts[i]
		a, b := &s.used[c.A], &s.used[c.B]
		var g int
		if c.Static {
			// The body that does not move has no colours. Either may be body 0.
			if s.bodies[c.A].invMass > 0 {
				b = a
			}
			free := ^uint32(*b >> 32)
			g = firstFixed + pick(free)
			*b |= uint64(free&-free) << 32
		} else {
			free := ^(uint32(*a) | uint32(*b))
			g = pick(free)
			*a |= uint64(free & -free)
			*b |= uint64(free & -free)
		}
		s.groupOf[i] = uint8(g)
		if c.N == 2 {
			s.places[i] = two[g]
			two[g]++
		} else {
			s.places[i] = one[g]
			one[g]++
		}
	}
	s.layOut(&one, &two)
	for i := range s.Contacts {
		g := int(s.groupOf[i])
		start := s.groups[g].oneStart
		if s.Contacts[i].N == 2 {
			start = s.groups[g].twoStart
		}
		if isOverflow(g) {
			s.places[i] *= 8
		}
		s.places[i] += 8 * start
	}
}

// pick returns the group of the first free colour, or the overflow.
func pick(free uint32) int {
	if free == 0 {
		return 0
	}
	return 1 + bits.TrailingZeros32(free)
}

func isOverflow(g int) bool { return g == 0 || g == firstFixed }

// layOut makes blocks for so many contacts of one and two points in each group.
func (s *Solver) layOut(one, two *[groupCount]int32) {
	var at group
	for g := range s.groups {
		each := int32(8)
		if isOverflow(g) {
			each = 1
		}
		at.oneStart, at.twoStart = at.oneEnd, at.twoEnd
		at.oneEnd += (one[g] + each - 1) / each
		at.twoEnd += (two[g] + each - 1) / each
		s.groups[g] = at
	}
	s.ones, s.twos = resized(s.ones, int(at.oneEnd)), resized(s.twos, int(at.twoEnd))
	for g, at := range s.groups {
		each := int32(8)
		if isOverflow(g) {
			each = 1
		}
		for i := at.oneStart; i < at.oneEnd; i++ {
			n := min(each, one[g])
			one[g] -= n
			if n < 8 {
				s.ones[i] = block1{}
			}
			s.ones[i].reset(n)
		}
		for i := at.twoStart; i < at.twoEnd; i++ {
			n := min(each, two[g])
			two[g] -= n
			if n < 8 {
				s.twos[i] = block2{}
			}
			s.twos[i].reset(n)
		}
	}
}

func (k *contactRows) reset(n int32) {
	k.n, k.rolls, k.uneven, k.separate = uint32(n), 0, 0, 0
}
