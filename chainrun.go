package quarry

import (
	"sort"

	"github.com/quarry2d/quarry/geom"
)

// Segments in a straight line are one face for collision, as on the ground: a crate on ten
// of them has two points, as on one long segment, and feels no seam.

// runSlop (units of length) is how far the points of a run may lie from the straight line
// between its ends. Points computed on a slope are not exactly in line, so an exact test
// would join none there; they are off by the rounding of coordinates, which is 3e-7 at
// geom.MaxCoord and far less elsewhere. The error is a five-thousandth of geom.LinearSlop,
// too small to matter.
const runSlop = 1e-6

// segments returns the number of segments of the chain.
func (ch *chain) segments() int {
	if ch.loop {
		return len(ch.points)
	}
	return len(ch.points) - 1
}

// point returns point i; in a loop i may exceed the number of points.
func (ch *chain) point(i int) geom.Vec {
	if i >= len(ch.points) {
		i -= len(ch.points)
	}
	return ch.points[i]
}

// joinSegments finds the corners, where one straight run ends and the next begins.
func (ch *chain) joinSegments() {
	n := ch.segments()
	first := 0
	if ch.loop {
		// A loop with a corner begins at one, and not in the middle of a side.
		for i := range n {
			if before := (i + n - 1) % n; ch.run(before, before+2) == before+1 {
				first = i
				break
			}
		}
	}
	var starts []int32
	for at := first; at < first+n; at = ch.run(at, first+n) {
		starts = append(starts, int32(at%len(ch.points)))
	}
	if len(starts) == n {
		ch.corners = ch.points // each point is a corner; the closing one is the first
		return
	}
	if !ch.loop {
		starts = append(starts, int32(n))
	}
	ch.starts = starts
	ch.corners = make([]geom.Vec, len(starts))
	for k, i := range starts {
		ch.corners[k] = ch.points[i]
	}
}

// run returns the end of the straight run that begins at point from, at most point to; in a
// loop both may exceed the number of points.
//
// Each point of the run narrows the range of directions, from low to high, in which a line
// from the run's start passes within runSlop of all its points. So the cost a point does not
// depend on the run's length.
func (ch *chain) run(from, to int) int {
	o := ch.point(from)
	var low, high geom.Vec
	end := from
	for end < to {
		p := ch.point(end + 1)
		v := p.Sub(o)
		if end > from {
			if low.Cross(v) < 0 || v.Cross(high) < 0 || p.Sub(ch.point(end)).Dot(ch.point(end).Sub(o)) <= 0 {
				break
			}
		}
		lean := v.Left().Mul(runSlop / v.Len())
		if l := v.Sub(lean); end == from || low.Cross(l) > 0 {
			low = l
		}
		if h := v.Add(lean); end == from || high.Cross(h) < 0 {
			high = h
		}
		end++
	}
	return end
}

// faces returns the number of faces of the chain.
func (ch *chain) faces() int {
	if ch.loop {
		return len(ch.corners)
	}
	return len(ch.corners) - 1
}

// ends returns the ends of face k.
func (ch *chain) ends(k int) (a, b geom.Vec) {
	if k+1 == len(ch.corners) {
		return ch.corners[k], ch.corners[0]
	}
	return ch.corners[k], ch.corners[k+1]
}

// first returns the first segment of face k.
func (ch *chain) first(k int) int {
	if ch.starts == nil {
		return k
	}
	return int(ch.starts[k])
}

// last returns the last segment of face k.
func (ch *chain) last(k int) int {
	i := ch.first(k) + ch.count(k) - 1
	if i >= len(ch.points) {
		i -= len(ch.points)
	}
	return i
}

// count returns the number of segments of face k.
func (ch *chain) count(k int) int {
	if ch.starts == nil {
		return 1
	}
	next := 0
	if k+1 < len(ch.starts) {
		next = k + 1
	}
	n := int(ch.starts[next] - ch.starts[k])
	if n <= 0 {
		n += len(ch.points)
	}
	return n
}

// segmentAt returns the segment of face k that the point p, relative to origin, lies beside.
func (ch *chain) segmentAt(k int, p, origin geom.Vec) int {
	first, n := ch.first(k), ch.count(k)
	if n == 1 {
		return first
	}
	a, b := ch.ends(k)
	along := b.Sub(a)
	// The first of the run's inner points that p is not past.
	i := sort.Search(n-1, func(i int) bool {
		return p.Sub(ch.point(first+1+i).Sub(origin)).Dot(along) < 0
	})
	if i += first; i >= len(ch.points) {
		i -= len(ch.points)
	}
	return i
}

// materialOf returns the material of a segment.
func (ch *chain) materialOf(segment int) MaterialID {
	if ch.materials == nil {
		return ch.material
	}
	return ch.materials[segment]
}
