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

// hits writes the hits among the candidates to found, which has room for one more than these, and returns their number.
func (b *rayBatch) hits(found []Hit, met []ID) (n int) {
	boxes := b.g.boxes
	o, d := b.c.o, b.c.d
	ix, iy := 1/d.X, 1/d.Y
	maxT, mask, categories := b.c.maxT, b.c.mask, b.g.categories
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
			f := &found[n]
			f.ID, f.T = id, t
			hit := int(math.Float64bits(by) >> 63)
			if categories != nil {
				hit &= int(min(categories[id]&mask, 1))
			}
			n += hit
		} else if t, ok := b.c.slab(box, 0, 0); ok && b.g.visible(id, b.c.mask) {
			found[n] = Hit{id, t}
			n++
		}
	}
	return n
}

// isPlain reports whether d is far from values whose reciprocals overflow or are denormal.
func isPlain(d geom.Vec) bool {
	const least, most = 0x1p-500, 0x1p500
	x, y := math.Abs(d.X), math.Abs(d.Y)
	return least < x && x < most && least < y && y < most
}
