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
		box := g.objects[id].box
		for _, b := range g.oversize[i+1:] {
			if box.Overlaps(g.objects[b].box) {
				dst = append(dst, pair(id, b))
			}
		}
		for b := range g.objects {
			if o := &g.objects[b]; o.level < Levels && box.Overlaps(o.box) {
				dst = append(dst, pair(id, ID(b)))
			}
		}
	}
	return g.sortPairs(dst, start)
}

func pair(a, b ID) [2]ID { return [2]ID{min(a, b), max(a, b)} }

// appendLevelPairs appends the pairs within one level: those of each cell
// whose lowest common cell it is.
func (g *Grid) appendLevelPairs(dst [][2]ID, l *level) [][2]ID {
	for i := range l.cells.slots {
		c := &l.cells.slots[i]
		if c.length() < 2 {
			continue
		}
		cx, cy := c.key.cell()
		k := corner(cx, cy)
		for a := c.head(); a != none; {
			oa := &g.objects[a]
			for b := oa.next[k]; b != none; {
				ob := &g.objects[b]
				if oa.box.Overlaps(ob.box) && max(oa.cx, ob.cx) == cx && max(oa.cy, ob.cy) == cy {
					dst = append(dst, pair(a, b))
				}
				b = ob.next[k]
			}
			a = oa.next[k]
		}
	}
	return dst
}

// appendCoarserPairs appends the pairs of objects on different levels. The
// finer one asks: it covers at most 2x2 cells of any coarser level, and since
// cells nest, a shift tells which.
func (g *Grid) appendCoarserPairs(dst [][2]ID) [][2]ID {
	for i := range g.objects {
		a := &g.objects[i]
		if a.level >= Levels {
			continue
		}
		coarser := g.used &^ (2<<a.level - 1)
		for at, rest := nextLevel(coarser); at < Levels; at, rest = nextLevel(rest) {
			l := &g.levels[at]
			by := at - int(a.level)
			s := a.span()
			s = span{s.x0 >> by, s.y0 >> by, s.x1 >> by, s.y1 >> by}
			for cy := s.y0; cy <= s.y1; cy++ {
				for cx := s.x0; cx <= s.x1; cx++ {
					c := l.cells.find(cellKey(cx, cy))
					if c == nil {
						continue
					}
					k := corner(cx, cy)
					for id := c.head(); id != none; {
						o := &g.objects[id]
						if o.box.Overlaps(a.box) && max(s.x0, o.cx) == cx && max(s.y0, o.cy) == cy {
							dst = append(dst, pair(ID(i), id))
						}
						id = o.next[k]
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
	passes := (bits.Len(uint(len(g.objects)-1)) + digit - 1) / digit
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
