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
	n := min(1, len(hits))
	for n < len(hits) && hits[n].T > hits[n-1].T {
		n++
	}
	left := 8 * len(hits) // moves, before it is worth a better way
	for i := n; i < len(hits); i++ {
		h := hits[i]
		j := n
		for j > 0 && (h.T < hits[j-1].T || h.T == hits[j-1].T && h.ID < hits[j-1].ID) {
			j--
		}
		left -= n - j // looks, of one that is there already too
		if j == 0 || hits[j-1] != h {
			for k := n; k > j; k-- {
				hits[k] = hits[k-1]
			}
			hits[j] = h
			n++
		}
		if left < 0 {
			n += copy(hits[n:], hits[i+1:])
			slices.SortFunc(hits[:n], compareHits)
			return dst[:start+len(slices.Compact(hits[:n]))]
		}
	}
	return dst[:start+n]
}

func compareHits(a, b Hit) int {
	if a.T != b.T {
		return cmp.Compare(a.T, b.T)
	}
	return cmp.Compare(a.ID, b.ID)
}

// bitsOf returns the bits of T, which order it as it is not below 0.
func bitsOf(h *Hit) int64 { return int64(math.Float64bits(h.T)) }

// set sets a hit, of which the bits of T are given.
func (h *Hit) set(id ID, t int64) { h.ID, h.T = id, math.Float64frombits(uint64(t)) }
