package gridseg

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/quarry2d/quarry/internal/lattice"
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
	n, solid int  // chunks in the set; those of them that count as solid
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
				list = append(list, Cell{X: s.x<<chunkBits + int32(bits.TrailingZeros16(row)), Y: s.y<<chunkBits + int32(j)})
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
		w := uint32(three[0][j&chunkMask])>>chunkMask | uint32(three[1][j&chunkMask])<<1 | uint32(three[2][j&chunkMask])&1<<(chunkSide+1)
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

// Loaded reports whether cell (x, y) is loaded. All cells are, until Unload.
func (g *reader) Loaded(x, y int32) bool {
	away, _ := g.away.has(x>>chunkBits, y>>chunkBits)
	return !away
}

// AppendLoaded appends the lower left cell of each chunk that holds tiles and is loaded, by row, then column.
func (g *reader) AppendLoaded(dst []Cell) []Cell {
	from := len(dst)
	for _, c := range g.chunks {
		if c.tiles > 0 && !c.ghost {
			dst = append(dst, c.cell(0))
		}
	}
	slices.SortFunc(dst[from:], byRow)
	return dst
}

// AppendLoadedAgain appends the lower left cell of each chunk that was unloaded once and is loaded now, with or without
// tiles, by row, then column. It counts what Unload, Load and Restore did to this Grid in memory, and is not part of
// AppendBinary.
func (g engine) AppendLoadedAgain(dst []Cell) []Cell {
	from := len(dst)
	g.back.within(lattice.EveryCell, func(cx, cy int32, _ bool) bool {
		dst = append(dst, Cell{X: cx << chunkBits, Y: cy << chunkBits})
		return true
	})
	slices.SortFunc(dst[from:], byRow)
	return dst
}

// LoadedVersion returns a number that grows when the set of loaded chunks with tiles, or that of chunks that were
// loaded again, changes. While it is the same, and Edited returns false, AppendLoaded and AppendLoadedAgain return
// the same chunks. It counts the changes of this Grid in memory; it is not part of Save, AppendBinary and Hash.
func (g engine) LoadedVersion() uint64 { return g.census }

// UnloadedWalls returns the smallest rectangle that contains the unloaded chunks that count as solid, and false if
// there is none. Segments of unloaded cells lie in it.
func (g engine) UnloadedWalls() (Rect, bool) {
	b := lattice.NoCells
	if g.away.solid == 0 {
		return b, false
	}
	for k := range g.away.squares {
		s := &g.away.squares[k]
		x, y := s.x<<(2*chunkBits), s.y<<(2*chunkBits)
		if b.MinX <= x && x+(chunkCells-1) <= b.MaxX && b.MinY <= y && y+(chunkCells-1) <= b.MaxY {
			continue
		}
		for j, row := range s.solid {
			if row != 0 {
				cy := y + int32(j)<<chunkBits
				x0, x1 := x+int32(bits.TrailingZeros16(row))<<chunkBits, x+int32(16-bits.LeadingZeros16(row))<<chunkBits-1
				b = b.Grow(Cell{X: x0, Y: cy}).Grow(Cell{X: x1, Y: cy + chunkMask})
			}
		}
	}
	return b, true
}

// at returns the chunk at (cx, cy), or Grid.beyond if it stands for the chunk; nil if the chunk is empty.
func (g *reader) at(cx, cy int32) *chunk {
	if c := g.table.find(cx, cy); c != nil || g.away.solid == 0 {
		return c
	}
	if _, solid := g.away.has(cx, cy); solid {
		return g.beyond
	}
	return nil
}

// eachBeyond calls f for the parts of r, a chunk each, that are unloaded, count as solid and have no ghost, until it
// returns false.
func (g *reader) eachBeyond(r Rect, f func(Rect) bool) {
	g.away.within(r, func(cx, cy int32, solid bool) bool {
		if !solid || g.table.find(cx, cy) != nil {
			return true
		}
		x, y := cx<<chunkBits, cy<<chunkBits
		return f(Rect{MinX: max(r.MinX, x), MinY: max(r.MinY, y), MaxX: min(r.MaxX, x+chunkMask), MaxY: min(r.MaxY, y+chunkMask)})
	})
}

// refuse returns an error if the cells of r must not be edited: if g has an owner, or an error that names the first
// unloaded cell by square of chunks, row and column.
func (g *Grid) refuse(op string, r Rect) (err error) {
	if err := g.refuseOwned(op, Cell{X: r.MinX, Y: r.MinY}); err != nil {
		return err
	}
	g.away.within(r, func(cx, cy int32, _ bool) bool {
		err = &Error{op, Cell{X: max(r.MinX, cx<<chunkBits), Y: max(r.MinY, cy<<chunkBits)}, ErrUnloaded}
		return false
	})
	return err
}
