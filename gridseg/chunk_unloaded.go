package gridseg

import (
	"cmp"
	"math/bits"
	"slices"
)

// Unloaded is how the cells of an unloaded place count: as empty or as solid.
type Unloaded uint8

// The kinds of unloaded cells.
const (
	// UnloadedEmpty: the cells count as empty. The surface of the loaded cells beside them is closed
	// along the border.
	UnloadedEmpty Unloaded = iota
	// UnloadedSolid: the cells count as tiles of shape Full whose other fields are zero. Loaded ground that is
	// solid up to the border has no face there, and loaded air ends at a wall.
	UnloadedSolid
)

// Unloaded chunks.
//
// A chunk that is unloaded and counts as solid is a ghost if it is beside a chunk that does not. A ghost is stored
// like other chunks, filled with blocks, so that the segments between it and its neighbours follow as between
// tiles. A chunk farther inside has no segments and takes no memory but its bits: where a list of neighbours would
// refer to it, it refers to Grid.beyond, one shared chunk of blocks.
//
// Replacing a ghost by such a place, or the reverse, changes no segment and needs no Resolve.

// unloaded is a set of chunks, a bit each, in squares of 16x16 chunks, by row, then column.
type unloaded struct {
	squares  []unloadedSquare
	n, solid int  // chunks in the set, and how many of them count as solid
	shared   bool // with a Saved: squares must be copied before a change
}

type unloadedSquare struct {
	x, y        int32 // chunk >> chunkBits
	away, solid flags
}

// search returns the place of the square (x, y) in u.squares.
func (u *unloaded) search(x, y int32) (int, bool) {
	return slices.BinarySearchFunc(u.squares, Cell{X: x, Y: y}, func(s unloadedSquare, at Cell) int {
		return cmp.Or(cmp.Compare(s.y, at.Y), cmp.Compare(s.x, at.X))
	})
}

// has reports whether the chunk (cx, cy) is in u, and whether it counts as solid.
func (u *unloaded) has(cx, cy int32) (away, solid bool) {
	if u.n == 0 {
		return false, false
	}
	k, ok := u.search(cx>>chunkBits, cy>>chunkBits)
	if !ok {
		return false, false
	}
	i := cellIndex(cx, cy)
	return u.squares[k].away.has(i), u.squares[k].solid.has(i)
}

// buried reports whether a chunk and the eight around it count as solid.
func (u *unloaded) buried(cx, cy int32) bool {
	for k := range int32(9) {
		if _, solid := u.has(cx+k%3-1, cy+k/3-1); !solid {
			return false
		}
	}
	return true
}

// put adds the chunks of r to u, or takes them out of it.
func (u *unloaded) put(r Rect, add, solid bool) {
	if u.shared {
		u.squares, u.shared = slices.Clone(u.squares), false
	}
	x0, y0, x1, y1 := r.MinX>>chunkBits, r.MinY>>chunkBits, r.MaxX>>chunkBits, r.MaxY>>chunkBits
	for y := y0 >> chunkBits; y <= y1>>chunkBits; y++ {
		for x := x0 >> chunkBits; x <= x1>>chunkBits; x++ {
			k, ok := u.search(x, y)
			if !ok {
				if !add {
					continue
				}
				u.squares = slices.Insert(u.squares, k, unloadedSquare{x: x, y: y})
			}
			s := &u.squares[k]
			u.count(s, -1)
			row := uint16(2<<min(x1-x<<chunkBits, chunkMask) - 1<<max(x0-x<<chunkBits, 0))
			for j := max(y0-y<<chunkBits, 0); j <= min(y1-y<<chunkBits, chunkMask); j++ {
				s.away[j] &^= row
				s.solid[j] &^= row
				if add {
					s.away[j] |= row
				}
				if add && solid {
					s.solid[j] |= row
				}
			}
			if u.count(s, 1) == 0 {
				u.squares = slices.Delete(u.squares, k, k+1)
			}
		}
	}
}

// count adds sign times the chunks of s to the numbers of u, and returns the number of chunks in s.
func (u *unloaded) count(s *unloadedSquare, sign int) (n int) {
	for k := range s.away {
		n += bits.OnesCount16(s.away[k])
		u.solid += sign * bits.OnesCount16(s.solid[k])
	}
	u.n += sign * n
	return n
}

// within yields the chunks of u that meet r, by square, then row and column, until f returns false.
func (u *unloaded) within(r Rect, f func(cx, cy int32, solid bool) bool) {
	if u.n == 0 || r.Empty() {
		return
	}
	x0, y0, x1, y1 := r.MinX>>chunkBits, r.MinY>>chunkBits, r.MaxX>>chunkBits, r.MaxY>>chunkBits
	from, _ := u.search(x0>>chunkBits, y0>>chunkBits)
	for k := from; k < len(u.squares); k++ {
		s := &u.squares[k]
		if s.y > y1>>chunkBits {
			return
		}
		if s.x < x0>>chunkBits {
			k += max(0, u.skip(k, x0>>chunkBits, s.y)-1)
			continue
		}
		if s.x > x1>>chunkBits {
			k += max(0, u.skip(k, x0>>chunkBits, s.y+1)-1)
			continue
		}
		for j, row := range s.away {
			cy := s.y<<chunkBits + int32(j)
			if cy < y0 || cy > y1 {
				continue
			}
			for ; row != 0; row &= row - 1 {
				i := bits.TrailingZeros16(row)
				if cx := s.x<<chunkBits + int32(i); cx >= x0 && cx <= x1 && !f(cx, cy, s.solid[j]>>i&1 != 0) {
					return
				}
			}
		}
	}
}

// walls returns the chunks of u that count as solid and are beside one that does not, by square, then row and column.
func (u *unloaded) walls() (list []Cell) {
	for k := range u.squares {
		s := &u.squares[k]
		inner := u.buriedIn(s)
		for j, row := range s.solid {
			for row &^= inner[j]; row != 0; row &= row - 1 {
				list = append(list, Cell{X: s.x<<chunkBits + int32(bits.TrailingZeros16(row)), Y: s.y<<chunkBits +
					int32(j)})
			}
		}
	}
	return list
}

// buriedIn returns the chunks of s that are buried, as buried does one by one.
func (u *unloaded) buriedIn(s *unloadedSquare) (inner flags) {
	var near [9]flags // of the 3x3 squares, by row
	for k := range near {
		if i, ok := u.search(s.x+int32(k%3)-1, s.y+int32(k/3)-1); ok {
			near[k] = u.squares[i].solid
		}
	}
	// Rows -1 to 16, with a column more on either side: bit 0 is the last column of the square to the left. A bit
	// of across is set if the chunk and those to its left and right are solid.
	var across [chunkSide + 2]uint32
	for k := range across {
		j := k - 1
		three := near[(j>>chunkBits+1)*3:]
		w := uint32(three[0][j&chunkMask])>>chunkMask | uint32(three[1][j&chunkMask])<<1 |
			uint32(three[2][j&chunkMask])&1<<(chunkSide+1)
		across[k] = w & (w << 1) & (w >> 1)
	}
	for j := range inner {
		inner[j] = uint16(across[j] & across[j+1] & across[j+2] >> 1)
	}
	return inner
}

// skip returns the number of squares from k to the first that is not before (x, y).
func (u *unloaded) skip(k int, x, y int32) int {
	to, _ := u.search(x, y)
	return to - k
}

func (u *unloaded) hash() (h uint64) {
	for k := range u.squares {
		s := &u.squares[k]
		at := mix(uint64(uint32(s.x))<<32 | uint64(uint32(s.y)))
		for j := range s.away {
			at = mix(at ^ (uint64(s.away[j])<<16 | uint64(s.solid[j])))
		}
		h += at
	}
	return h
}
