package geom

import (
	"cmp"
	"slices"
)

// ConvexHull appends the convex hull of points to dst: its vertices only,
// counter-clockwise, from the leftmost (of those, the lowest). Points on its
// edges and doubles are left out. Of points that are all on one line it is the
// two ends, of points that are all equal the one, of no points nothing. The
// points must be finite. It allocates only if dst lacks the capacity for three
// times len(points) more.
//
// Method: Andrew's monotone chain (Another efficient algorithm for convex hulls
// in two dimensions, 1979).
func ConvexHull(dst, points []Vec) []Vec {
	start := len(dst)
	dst = append(dst, points...)
	slices.SortFunc(dst[start:], func(a, b Vec) int {
		if c := cmp.Compare(a.X, b.X); c != 0 {
			return c
		}
		return cmp.Compare(a.Y, b.Y)
	})
	sorted := slices.Compact(dst[start:])
	n := len(sorted)
	if n < 3 {
		return dst[:start+n]
	}
	dst = dst[:start+n]
	first := len(dst) // the chain grows behind the sorted points
	for i := range n {
		dst = extendChain(dst, first, dst[start+i])
	}
	turn := len(dst) - 1 // the rightmost point, where the upper chain starts
	for i := n - 2; i >= 0; i-- {
		dst = extendChain(dst, turn, dst[start+i])
	}
	dst = dst[:len(dst)-1] // the leftmost point again
	m := copy(dst[start:], dst[first:])
	return dst[:start+m]
}

// extendChain appends p to the chain that starts at dst[first], without the
// points that would no longer be a left turn.
func extendChain(dst []Vec, first int, p Vec) []Vec {
	for len(dst)-first >= 2 {
		a, b := dst[len(dst)-2], dst[len(dst)-1]
		if b.Sub(a).Cross(p.Sub(a)) > 0 {
			break
		}
		dst = dst[:len(dst)-1]
	}
	return append(dst, p)
}
