package solve

import "math/bits"

// Graph colouring: contacts of one colour share no body that moves, so they can be solved at
// once, and their order has no effect. Each contact takes the first colour that neither of
// its bodies has, in the order of the contacts. Colours are assigned again in each step whose list
// of contacts differs from the list before (Solver.Keep), so they are a function of the list alone.
// Contacts with static and kinematic bodies have colours of their own, which are solved last:
// Gauss-Seidel satisfies the last row best, and penetration into the floor is worst. If a body has
// more contacts than there are colours, the others overflow: each of them takes a block alone,
// solved before the colours of its kind.

// kind is the kind of a contact: contacts of a kind have one spring (Solver.begin), and are solved one after the other.
type kind uint8

// The kinds, in the order in which they are solved.
const (
	column kind = iota // between bodies that move and have at most two contacts each, as in a column
	moving             // between other bodies that move
	fixed              // with a static or kinematic body (Link.Static)
	kindCount
)

// colorsEach is the number of colours of contacts of a kind.
const colorsEach = 32

// A group is the contacts of one kind and colour, or an overflow. The groups of a kind follow each other, its overflow
// first.
const (
	groupsEach = 1 + colorsEach
	groupCount = int(kindCount) * groupsEach
)

func isOverflow(group int) bool { return group%groupsEach == 0 }

// color returns the group of a contact or joint of the bodies i and j, and marks its colour as used by each of the
// two that moves. In used, the high half of a body's word is for contacts of the kind fixed. (The world lists a held
// body's contacts among the others, although the body does not move.)
func (s *Solver) color(used []uint64, i, j int32, of kind) int {
	first, shift := int(of)*groupsEach, 0
	if of == fixed {
		shift = 32
	}
	free := ^uint32((used[i] | used[j]) >> shift)
	mark := uint64(free&-free) << shift
	if int(i) >= s.fixedCount {
		used[i] |= mark
	}
	if int(j) >= s.fixedCount {
		used[j] |= mark
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

// groups holds the blocks of one number of points, group by group.
type groups struct {
	contacts [groupCount]int32
	starts   [groupCount + 1]int32 // first block of each group, and the number of blocks
	firsts   [groupCount + 1]int32 // contacts of the groups before, and of all
	placed   [groupCount]int32     // contacts that have a place
}

// divide gives each group its blocks.
func (g *groups) divide() {
	at := int32(0)
	for i, n := range g.contacts {
		g.starts[i], g.firsts[i+1] = at, g.firsts[i]+n
		if isOverflow(i) {
			at += n
		} else {
			at += (n + 7) / 8
		}
	}
	g.starts[groupCount] = at
	g.placed = [groupCount]int32{}
}

// place returns the number of the next contact of a group among the contacts of all groups, and its place: 8 times the
// block, plus the lane.
func (g *groups) place(group int) (number, place int32) {
	k := g.placed[group]
	g.placed[group]++
	number = g.firsts[group] + k
	if isOverflow(group) {
		k *= 8
	}
	return number, 8*g.starts[group] + k
}

// total returns the number of contacts.
func (g *groups) total() int32 { return g.firsts[groupCount] }

// blocks returns the number of blocks.
func (g *groups) blocks() int { return int(g.starts[groupCount]) }

// lanesOf returns the number of contacts in block j of a group.
func (g *groups) lanesOf(group int, j int32) uint32 {
	if isOverflow(group) {
		return 1
	}
	return uint32(min(8, g.contacts[group]-8*(j-g.starts[group])))
}

// batchGroups is the groups of the contacts of a batch.
type batchGroups struct {
	one, two groups            // of contacts of one and of two points
	list     [groupCount]uint8 // the groups that have contacts, in order, and their number
	listed   int
}

// divide gives each group its blocks, and lists the groups that have some: most scenes use few colours.
func (g *batchGroups) divide() {
	g.one.divide()
	g.two.divide()
	g.list, g.listed = [groupCount]uint8{}, 0
	for i := range groupCount {
		if g.one.contacts[i]+g.two.contacts[i] > 0 {
			g.list[g.listed] = uint8(i)
			g.listed++
		}
	}
}

// of returns the groups of contacts of n points.
func (g *batchGroups) of(n int8) *groups {
	if n == 2 {
		return &g.two
	}
	return &g.one
}

// ColorOf returns the colour in which the last Run solved contact i of Links, from 0, or -1 if it was solved alone;
// static tells whether it is one of the colours of contacts with static and kinematic bodies, which are solved last. It
// panics without a Run since Reset.
func (s *Solver) ColorOf(i int32) (color int, static bool) {
	if !s.finished {
		panic("quarry: solve: ColorOf before Run")
	}
	starts := &s.groups[s.batchOf[s.contactIslands[i]]].of(s.Links[i].N).starts
	group, block := 0, s.places[i]>>3
	for starts[group+1] <= block {
		group++
	}
	return group%groupsEach - 1, kind(group/groupsEach) == fixed
}
