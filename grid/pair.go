package grid

import (
	"cmp"
	"math/bits"
	"slices"
)

// AppendPairs appends every pair of objects whose boxes share a point, each
// once with the lower id first, in ascending order of the first id and then
// the second, and returns the extended slice. It may be called from several
// goroutines between changes.
//
// The order is made in the spare capacity of dst: as much again as there are
// pairs. A slice that is used again has it from the first call.
func (g *Grid) AppendPairs(dst [][2]ID) [][2]ID {
	start := len(dst)
	for at, rest := nextLevel(g.used); at < Levels; at, rest = nextLevel(rest) {
		dst = g.appendLevelPairs(dst, &g.levels[at])
	}
	if g.used&(g.used-1) != 0 {
		dst = g.appendCoarserPairs(dst)
	}
	for i, id := range g.oversize {
		box := g.boxes[id]
		for _, b := range g.oversize[i+1:] {
			if box.Overlaps(g.boxes[b]) {
				dst = append(dst, pair(id, b))
			}
		}
		for b := range g.boxes {
			if g.at[b] < Levels && box.Overlaps(g.boxes[b]) {
				dst = append(dst, pair(id, ID(b)))
			}
		}
	}
	return g.sortPairs(dst, start)
}

// AppendPairsWith appends every pair of an object a of g and an object b of other
// whose boxes share a point, a first, in ascending order of a and then of b, and
// returns the extended slice: how objects that move, in a grid of their own, meet
// those that stay. It may be called from several goroutines between changes.
func (g *Grid) AppendPairsWith(dst [][2]ID, other *Grid) [][2]ID {
	var room [64]ID
	found := room[:0]
	for i := range g.boxes {
		if g.at[i] > oversize {
			continue
		}
		found = other.AppendOverlaps(found[:0], g.boxes[i], All)
		for _, b := range found {
			dst = append(dst, [2]ID{ID(i), b})
		}
	}
	return dst
}

func pair(a, b ID) [2]ID { return [2]ID{min(a, b), max(a, b)} }

// appendLevelPairs appends the pairs within one level, cell by cell.
func (g *Grid) appendLevelPairs(dst [][2]ID, l *level) [][2]ID {
	if l.kind == Hashed {
		for i := range l.cells.slots {
			s := &l.cells.slots[i]
			if c := s.val; c.len() > 1 {
				cx, cy := s.key.square()
				dst = g.appendCellPairs(dst, c, cx, cy)
			}
		}
		return dst
	}
	for c := range l.chunks.mask {
		if l.chunks.load[c] == 0 {
			continue
		}
		bx, by := l.place(c)
		lists := l.chunks.lists[c<<(2*chunkBits) : (c+1)<<(2*chunkBits)]
		for w, m := range l.chunks.mask[c] {
			for ; m != 0; m &= m - 1 {
				i := w<<6 | bits.TrailingZeros64(m)
				if lists[i].len() > 1 {
					dst = g.appendCellPairs(dst, lists[i], bx<<chunkBits+int32(i)&(ChunkSide-1), by<<chunkBits+int32(i)>>chunkBits)
				}
			}
		}
	}
	return dst
}

// appendCellPairs appends the pairs of one cell that is their lowest common one.
func (g *Grid) appendCellPairs(dst [][2]ID, c list, cx, cy int32) [][2]ID {
	ids := g.pool.of(c)
	// The quads lie anywhere in memory: fetched all at once, none waits for
	// the comparisons of another.
	var room [32]quad
	if len(ids) > len(room) {
		for i, a := range ids {
			qa := g.quads[a]
			for _, b := range ids[i+1:] {
				if qa.overlaps(&g.quads[b]) {
					dst = g.appendPair(dst, a, b, cx, cy)
				}
			}
		}
		return dst
	}
	for i, id := range ids {
		room[i] = g.quads[id]
	}
	for i := 1; i < len(ids); i++ {
		qa := &room[i]
		for j := range i {
			if qa.overlaps(&room[j]) {
				dst = g.appendPair(dst, ids[i], ids[j], cx, cy)
			}
		}
	}
	return dst
}

// appendPair appends a and b, of one level, if their boxes overlap and (cx, cy)
// is their lowest common cell.
func (g *Grid) appendPair(dst [][2]ID, a, b ID, cx, cy int32) [][2]ID {
	qa, qb := &g.quads[a], &g.quads[b]
	if max(qa.x0, qb.x0)>>subBits == cx && max(qa.y0, qb.y0)>>subBits == cy && g.boxes[a].Overlaps(g.boxes[b]) {
		return append(dst, pair(a, b))
	}
	return dst
}

// appendCoarserPairs appends the pairs of objects on different levels. The
// finer one asks: it covers at most 2x2 cells of any coarser level, and since
// cells nest, a shift tells which.
func (g *Grid) appendCoarserPairs(dst [][2]ID) [][2]ID {
	for i := range g.quads {
		at := g.at[i]
		if at >= Levels {
			continue
		}
		coarser := g.used &^ (2<<at - 1)
		for to, rest := nextLevel(coarser); to < Levels; to, rest = nextLevel(rest) {
			l := &g.levels[to]
			by := to - int(at)
			q := g.quads[i]
			q = quad{q.x0 >> by, q.y0 >> by, q.x1 >> by, q.y1 >> by}
			s := q.cells()
			for cy := s.y0; cy <= s.y1; cy++ {
				for cx := s.x0; cx <= s.x1; cx++ {
					c := l.cells.get(squareKey(cx, cy))
					if c == 0 {
						continue
					}
					for _, id := range g.pool.of(c) {
						o := &g.quads[id]
						if o.overlaps(&q) && max(s.x0, o.x0>>subBits) == cx && max(s.y0, o.y0>>subBits) == cy &&
							g.boxes[id].Overlaps(g.boxes[i]) {
							dst = append(dst, pair(ID(i), id))
						}
					}
				}
			}
		}
	}
	return dst
}

// digit is how many bits of an id one pass of sortPairs orders.
const digit = 11

// sortPairs sorts dst[start:]: by the first id with a radix sort, lowest digit
// first, and then each first id's few partners among themselves.
func (g *Grid) sortPairs(dst [][2]ID, start int) [][2]ID {
	n := len(dst) - start
	if n < 64 {
		slices.SortFunc(dst[start:], comparePairs)
		return dst
	}
	dst = slices.Grow(dst, n)
	from, to := dst[start:start+n], dst[start+n:start+2*n]
	passes := (bits.Len(uint(len(g.boxes)-1)) + digit - 1) / digit
	for p := range passes {
		by := p * digit
		var ends [1 << digit]int32
		for i := range from {
			ends[from[i][0]>>by&(1<<digit-1)]++
		}
		sum := int32(0)
		for i := range ends {
			ends[i], sum = sum, sum+ends[i]
		}
		for i := range from {
			d := from[i][0] >> by & (1<<digit - 1)
			to[ends[d]] = from[i]
			ends[d]++
		}
		from, to = to, from
	}
	if passes&1 == 1 {
		copy(to, from)
		from = to
	}
	for i := 0; i < n; {
		j := i + 1
		for j < n && from[j][0] == from[i][0] {
			j++
		}
		if j-i > 1 {
			slices.SortFunc(from[i:j], comparePartners)
		}
		i = j
	}
	return dst
}

func comparePairs(a, b [2]ID) int {
	if a[0] != b[0] {
		return cmp.Compare(a[0], b[0])
	}
	return cmp.Compare(a[1], b[1])
}

func comparePartners(a, b [2]ID) int { return cmp.Compare(a[1], b[1]) }
