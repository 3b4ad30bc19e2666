package grid

import (
	"cmp"
	"math/bits"
	"slices"
)

// AppendPairs appends every pair of objects whose boxes share a point, each once with the lower id
// first, in ascending order of the first id and then the second, and returns the extended slice. It
// may be called from several goroutines between changes.
//
// Sorting uses the spare capacity of dst: as much again as there are pairs. A reused slice has that
// capacity after the first call.
func (g *Grid) AppendPairs(dst [][2]ID) [][2]ID {
	start := len(dst)
	several := g.used&(g.used-1) != 0
	for at, rest := nextLevel(g.used); at < oversize; at, rest = nextLevel(rest) {
		l := &g.levels[at]
		for _, r := range l.regions {
			dst = g.appendRegionPairs(dst, r)
		}
		several = several || len(l.regions) > 1
	}
	if several {
		dst = g.appendElsewherePairs(dst)
	}
	for i, id := range g.oversize {
		box := g.boxes[id]
		for _, b := range g.oversize[i+1:] {
			if box.Overlaps(g.boxes[b]) {
				dst = append(dst, pair(id, b))
			}
		}
		for b := range g.boxes {
			if g.at[b] < oversize && box.Overlaps(g.boxes[b]) {
				dst = append(dst, pair(id, ID(b)))
			}
		}
	}
	g.pairsToIDs(dst[start:])
	return g.sortPairs(dst, start)
}

// appendRegionPairs appends the pairs within one region; each is reported by the lowest cell that
// both objects share.
func (g *Grid) appendRegionPairs(dst [][2]ID, r *region) [][2]ID {
	r.each(func(cx, cy int32, c list) {
		if c.class() == 0 {
			return // one object
		}
		ids := g.pool.several(c)
		for i, a := range ids {
			qa := &g.qboxes[a]
			for _, b := range ids[i+1:] {
				if qb := &g.qboxes[b]; qa.overlaps(qb) && lowest(qa, qb, cx, cy) && g.overlap(a, b, qa, qb) {
					dst = append(dst, pair(a, b))
				}
			}
		}
	})
	return dst
}

// lowest reports whether (cx, cy) is the lowest cell that both qboxes are in.
func lowest(a, b *qbox, cx, cy int32) bool {
	return max(a.x0, b.x0)>>subBits == cx && max(a.y0, b.y0)>>subBits == cy
}

// overlap reports whether the boxes of two objects overlap, given that their qboxes do. It seldom
// reads the boxes.
func (g *Grid) overlap(a, b ID, qa, qb *qbox) bool {
	return qa.certainlyOverlaps(qb) || g.boxes[a].Overlaps(g.boxes[b])
}

// appendElsewherePairs appends the pairs of objects on different levels, found from the finer one, and in different
// regions of a level, found from an object that reaches out of its region.
func (g *Grid) appendElsewherePairs(dst [][2]ID) [][2]ID {
	var room [fewRegions]*region
	var near [64]ID
	for i := range g.qboxes {
		id, at := ID(i), g.at[i]
		if at >= oversize {
			continue
		}
		others := g.used &^ (1<<at - 1)
		if !g.reachesOut(id) {
			others &^= 1 << at
		}
		if others == 0 {
			continue
		}
		q := query{g: g, box: g.boxes[id], all: true}
		f := g.fineBoxOf(&q.box)
		home := g.regionOfBox(&g.levels[at], &q.box)
		for to, rest := nextLevel(others); to < oversize; to, rest = nextLevel(rest) {
			for _, r := range g.levels[to].regionsMeeting(&room, f) {
				if r == home {
					continue
				}
				for _, other := range q.appendFrom(near[:0], r, f) {
					// If both reach out, the lower slot reports the pair.
					if to != int(at) || id < other || !g.reachesOut(other) {
						dst = append(dst, pair(id, other))
					}
				}
			}
		}
	}
	return dst
}

// reachesOut reports whether an object on a level is in cells beyond its region.
func (g *Grid) reachesOut(id ID) bool {
	q := &g.qboxes[id]
	return q.x1>>subBits >= maxCell || q.y1>>subBits >= maxCell
}

// AppendPairsWith appends every pair of an object a of g and an object b of other whose boxes share
// a point, a first, in ascending order of a and then of b, and returns the extended slice. Use it
// with moving objects in one grid and static objects in another. It may be called from several
// goroutines between changes.
func (g *Grid) AppendPairsWith(dst [][2]ID, other *Grid) [][2]ID {
	var room [64]ID
	found := room[:0]
	for id := range ID(g.idLimit()) {
		if !g.Has(id) || g.at[g.slotOf(id)] == excluded {
			continue
		}
		found = other.appendPartners(found[:0], g.boxes[g.slotOf(id)])
		for _, b := range found {
			dst = append(dst, [2]ID{id, b})
		}
	}
	return dst
}

func pair(a, b ID) [2]ID { return [2]ID{min(a, b), max(a, b)} }

// digit is the number of bits that one pass of the radix sort orders.
const digit = 11

// sortPairs sorts dst[start:]: by the first id with a radix sort, lowest digit first, then the few
// partners of each first id.
func (g *Grid) sortPairs(dst [][2]ID, start int) [][2]ID {
	n := len(dst) - start
	if n < 64 {
		slices.SortFunc(dst[start:], comparePairs)
		return dst
	}
	dst = slices.Grow(dst, n)
	from, to := dst[start:start+n], dst[start+n:start+2*n]
	passes := (bits.Len(uint(g.idLimit()-1)) + digit - 1) / digit
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
