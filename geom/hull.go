package geom

import (
	"cmp"
	"slices"
)

// ConvexHull appends the convex hull of points to dst: its vertices, counter-clockwise, starting
// with the leftmost (of several, the lowest). Points on its edges and duplicates are left out. The
// hull of collinear points is their two ends, of equal points one point, of no points empty. The
// points must be finite. It allocates only if dst lacks the capacity for three times len(points)
// more.
//
// Method: Andrew's monotone chain (Another efficient algorithm for convex hulls in two dimensions,
// 1979).
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
	first := len(dst) // the hull is built behind the sorted points
	for i := range n {
		dst = extendChain(dst, first, dst[start+i])
	}
	turn := len(dst) - 1 // the rightmost point, where the upper chain starts
	for i := n - 2; i >= 0; i-- {
		dst = extendChain(dst, turn, dst[start+i])
	}
	dst = dst[:len(dst)-1] // drop the leftmost point, which is in the list twice
	m := copy(dst[start:], dst[first:])
	return dst[:start+m]
}

// extendChain appends p to the chain that starts at dst[first], and drops the points at which the
// chain would not turn left.
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
