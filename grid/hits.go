package grid

import (
	"cmp"
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
)

// Hits are ordered by T, then by id.

// sortHits sorts dst[start:], which is nearly in order, and removes duplicates.
func sortHits(dst []Hit, start int) []Hit {
	hits := dst[start:]
	n := min(1, len(hits))
	for n < len(hits) && hits[n].T > hits[n-1].T {
		n++
	}
	left := 8 * len(hits) // budget of moves, before a full sort
	for i := n; i < len(hits); i++ {
		h := hits[i]
		j := n
		for j > 0 && (h.T < hits[j-1].T || h.T == hits[j-1].T && h.ID < hits[j-1].ID) {
			j--
		}
		left -= n - j // duplicates count too
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

// maxFound is the number of hits collected before sorting: a power of two, because the lowest bits
// of a key hold the index of its hit.
const maxFound = 128

// hits adds the hits among the candidates to found, which must have room.
func (b *rayBatch) hits(met []ID) {
	boxes := b.g.boxes
	o, d := b.c.o, b.c.d
	ix, iy := 1/d.X, 1/d.Y
	maxT, mask, categories := b.c.maxT, b.c.mask, b.g.categories
	n := b.nFound
	for _, id := range met {
		box := &boxes[id]
		x0, x1 := box.Min.X-o.X, box.Max.X-o.X
		if d.X < 0 {
			x0, x1 = x1, x0
		}
		y0, y1 := box.Min.Y-o.Y, box.Max.Y-o.Y
		if d.Y < 0 {
			y0, y1 = y1, y0
		}
		t := maxTime(maxTime(0, x0/d.X), y0/d.Y)
		end := minTime(minTime(maxT, float64(x1*ix)), float64(y1*iy))
		// A product differs from the quotient by less than 2^-51 of itself: three roundings of
		// 2^-53. When the comparison is that close, slab decides; the T of a hit is always slab's.
		if by := t - end; math.Abs(by) > float64((t+math.Abs(end))*0x1p-50)+0x1p-1000 {
			f := &b.found[n&(maxFound-1)]
			f.ID, f.T = id, t
			b.keys[n&(maxFound-1)] = keyOf(t, n)
			hit := int(math.Float64bits(by) >> 63)
			if categories != nil {
				hit &= int(min(categories[id]&mask, 1))
			}
			n += hit
		} else if t, ok := b.c.slab(box, 0, 0); ok && b.g.visible(id, b.c.mask) {
			b.found[n&(maxFound-1)] = Hit{id, t}
			b.keys[n&(maxFound-1)] = keyOf(t, n)
			n++
		}
	}
	b.nFound = n
}

// keyOf returns a key that orders hit n by its T, except for the lowest bits of T, which hold n.
func keyOf(t float64, n int) uint64 { return math.Float64bits(t)&^(maxFound-1) | uint64(n) }

// window is the number of places by which a hit may be out of order for emit to sort it.
const window = 3

// emit appends the hits found, nearly always in order; sortHits does the rest. It keeps the
// smallest keys of a sliding window and always outputs the minimum: a few comparisons and no branch.
func (b *rayBatch) emit() {
	n := b.nFound
	if b.nFound = 0; n == 0 {
		return
	}
	dst := slices.Grow(b.list, n)
	out := dst[len(dst) : len(dst)+n]
	*(*[window]uint64)(b.keys[n:]) = [window]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	var k0, k1, k2 uint64
	for i, k := range b.keys[:n+window] {
		k2, k = max(k2, k), min(k2, k)
		k1, k = max(k1, k), min(k1, k)
		k0, k = max(k0, k), min(k0, k)
		if i >= window {
			f := &b.found[k&(maxFound-1)]
			out[i-window].set(f.ID, bitsOf(f))
		}
	}
	b.list = dst[:len(dst)+n]
}

// isPlain reports whether d is far from values whose reciprocals overflow or are denormal.
func isPlain(d geom.Vec) bool {
	const least, most = 0x1p-500, 0x1p500
	x, y := math.Abs(d.X), math.Abs(d.Y)
	return least < x && x < most && least < y && y < most
}

// bitsOf returns the bits of T, which order hits, since T >= 0.
func bitsOf(h *Hit) int64 { return int64(math.Float64bits(h.T)) }

// set sets a hit from the bits of T.
func (h *Hit) set(id ID, t int64) { h.ID, h.T = id, math.Float64frombits(uint64(t)) }
