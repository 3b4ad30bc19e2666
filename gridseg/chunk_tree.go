package gridseg

import "math/bits"

// tree is a 4x4-ary tree of chunks by position, so that the cost of a search over a range depends
// on the chunks in it, not on the width of the range or on chunks outside. Squares are aligned to
// powers of four chunks and have at least two children: levels with a single child are skipped. So
// there are fewer squares than chunks, and the tree and the order of a walk are functions of the
// chunks' positions alone.
type tree struct {
	root       branch
	squares    []square
	free       branch // first of a list through square.children[0]
	lastSquare branch // the square of the last inserted chunk
}

// square has 4 x 4 children, which are squares or chunks.
type square struct {
	x, y     uint32 // lower left corner, in chunks: see treeAt
	bits     uint8  // a side has 1<<bits chunks; 2 to treeBits, even
	n        uint8  // number of children
	children [16]branch
}

// branch refers to a child: index in squares + 1 for a square, ^slot in Grid.chunks for a chunk, 0
// for none.
type branch int32

// treeBits is the number of bits of a chunk coordinate.
const treeBits = 32 - chunkBits

// treeAt converts a chunk coordinate to a tree coordinate, which counts from 0.
func treeAt(c int32) uint32 { return uint32(c + 1<<(treeBits-1)) }

// treeCell returns the first cell of a chunk, given its tree coordinate.
func treeCell(x uint32) float64 { return float64((int64(x) - 1<<(treeBits-1)) << chunkBits) }

func (s *square) holds(x, y uint32) bool { return ((x^s.x)|(y^s.y))>>s.bits == 0 }

// childAt returns the index of the child that contains (x, y).
func (s *square) childAt(x, y uint32) int {
	down := s.bits - 2
	return int(y>>down&3<<2 | x>>down&3)
}

// insert adds c, whose slot must be set.
func (t *tree) insert(g *Grid, c *chunk) {
	x, y := treeAt(c.cx), treeAt(c.cy)
	at := &t.root
	if t.lastSquare != 0 {
		if s := &t.squares[t.lastSquare-1]; s.bits == 2 && s.holds(x, y) {
			s.children[s.childAt(x, y)] = branch(^c.slot)
			s.n++
			return
		}
	}
	into := branch(0)
	for *at > 0 {
		s := &t.squares[*at-1]
		if !s.holds(x, y) {
			break
		}
		into = *at
		if at = &s.children[s.childAt(x, y)]; *at == 0 {
			s.n++
		}
	}
	if *at == 0 {
		*at, t.lastSquare = branch(^c.slot), into
		return
	}
	// Replace the other child by a square that contains both.
	other := *at
	var ox, oy uint32
	if other > 0 {
		ox, oy = t.squares[other-1].x, t.squares[other-1].y
	} else {
		o := g.chunks[^other]
		ox, oy = treeAt(o.cx), treeAt(o.cy)
	}
	made := square{bits: uint8(bits.Len32((x^ox)|(y^oy))+1) &^ 1, n: 2}
	made.x, made.y = x>>made.bits<<made.bits, y>>made.bits<<made.bits
	made.children[made.childAt(ox, oy)] = other
	made.children[made.childAt(x, y)] = branch(^c.slot)
	if t.free != 0 {
		*at = t.free
		t.free = t.squares[t.free-1].children[0]
		t.squares[*at-1] = made
	} else {
		*at = branch(len(t.squares) + 1)
		t.squares = append(t.squares, made) // at may now point into the old array; it was written before
	}
	t.lastSquare = *at
}

// remove removes c.
func (t *tree) remove(c *chunk) {
	x, y := treeAt(c.cx), treeAt(c.cy)
	var up *branch // refers to the square of c
	at := &t.root
	for *at > 0 {
		up, at = at, t.child(*at, x, y)
	}
	*at = 0
	if up == nil {
		return
	}
	s := &t.squares[*up-1]
	if s.n--; s.n > 1 {
		return
	}
	gone := *up
	for _, k := range s.children {
		if k != 0 {
			*up = k
		}
	}
	*s = square{children: [16]branch{t.free}}
	t.free = gone
	if t.lastSquare == gone {
		t.lastSquare = 0
	}
}

func (t *tree) child(r branch, x, y uint32) *branch {
	s := &t.squares[r-1]
	return &s.children[s.childAt(x, y)]
}

// move updates the tree after a change of c's slot.
func (t *tree) move(c *chunk) {
	at := &t.root
	for *at > 0 {
		at = t.child(*at, treeAt(c.cx), treeAt(c.cy))
	}
	*at = branch(^c.slot)
}

// span4 returns the columns, of the four of a square at x, that meet x0 to x1.
func (s *square) span4(x, x0, x1 uint32) (low, high uint32) {
	if x1 < x || x0 > x+(1<<s.bits-1) {
		return 1, 0
	}
	down := s.bits - 2
	return (max(x0, x) - x) >> down, (min(x1, x+(1<<s.bits-1)) - x) >> down
}
