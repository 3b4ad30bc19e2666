package grid

import (
	"cmp"
	"math"
	"slices"
)

// The order of hits: by T, and then by id.

// sortHits sorts dst[start:], which is nearly in order, and leaves each hit there once.
func sortHits(dst []Hit, start int) []Hit {
	hits := dst[start:]
	left := 8 * len(hits) // moves, before it is worth a better way
	for i := 1; i < len(hits); i++ {
		// How many of the last three it comes before tells where all go, without a branch.
		t := bitsOf(&hits[i])
		if i >= 4 && bitsOf(&hits[i-4]) <= t {
			w := (*[5]Hit)(hits[i-4 : i+1])
			id, id1, id2, id3 := w[4].ID, w[3].ID, w[2].ID, w[1].ID
			t1, t2, t3 := bitsOf(&w[3]), bitsOf(&w[2]), bitsOf(&w[1])
			by1, by2, by3 := over(t1, t), over(t2, t), over(t3, t)
			w[3+by1].set(id1, t1)
			w[2+by2].set(id2, t2)
			w[1+by3].set(id3, t3)
			w[4-by1-by2-by3].set(id, t)
			continue
		}
		id := hits[i].ID
		j := i
		for ; j > 0 && bitsOf(&hits[j-1]) > t; j-- {
			hits[j].set(hits[j-1].ID, bitsOf(&hits[j-1]))
		}
		hits[j].set(id, t)
		if left -= i - j; left < 0 {
			return sortFar(dst, start)
		}
	}
	// Those that come twice are side by side now, unless others are at the same T.
	n := min(1, len(hits))
	for i := 1; i < len(hits); i++ {
		a, b := &hits[i-1], &hits[i]
		if !(b.T > a.T) {
			if b.T == a.T && b.ID == a.ID {
				continue
			}
			return sortFar(dst, start)
		}
		hits[n].set(b.ID, bitsOf(b))
		n++
	}
	return dst[:start+n]
}

// bitsOf returns the bits of T, which order it as it is not below 0.
func bitsOf(h *Hit) int64 { return int64(math.Float64bits(h.T)) }

// set sets a hit, of which the bits of T are given.
func (h *Hit) set(id ID, t int64) { h.ID, h.T = id, math.Float64frombits(uint64(t)) }

// over returns 1 if a > b, else 0; neither is below 0.
func over(a, b int64) int { return int(uint64(b-a) >> 63) }

// sortFar is sortHits for what is far out of order.
func sortFar(dst []Hit, start int) []Hit {
	slices.SortFunc(dst[start:], compareHits)
	return dst[:start+len(slices.Compact(dst[start:]))]
}

func compareHits(a, b Hit) int {
	if a.T != b.T {
		return cmp.Compare(a.T, b.T)
	}
	return cmp.Compare(a.ID, b.ID)
}
