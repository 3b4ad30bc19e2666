package surface

import (
	"iter"
	"slices"
	"sort"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/internal/contact"
)

// Chain is the surface of a line of points that is solid on its left. Segments in a straight line
// are one face for collision, as on the ground: a crate on ten of them has two points, as on one
// long segment, and feels no seam. Set the exported fields, then call Build; nothing changes
// afterwards but the materials, by SetMaterial.
type Chain struct {
	Points   []geom.Vec
	Loop     bool        // a segment joins the last point to the first
	Ghost    [2]geom.Vec // the ghost vertices before the first point and after the last
	HasGhost [2]bool

	Material  uint16   // of all segments, if Materials is nil
	Materials []uint16 // of each segment

	corners []geom.Vec // ends of the faces: face k runs from corners[k] to the next
	starts  []int32    // the point at each corner, if some points are not corners; else nil
	tree    chainTree
}

// Build makes the faces.
func (c *Chain) Build() {
	c.join()
	c.tree.build(c)
}

// RunSlop (units of length) is how far the points of a run may lie from the straight line
// between its ends. Points computed on a slope are not exactly in line, so an exact test
// would join none there; they are off by the rounding of coordinates, which is 3e-7 at
// geom.MaxCoord and far less elsewhere. The error is a five-thousandth of geom.LinearSlop,
// too small to matter.
const RunSlop = 1e-6

// Segments returns the number of segments of the chain.
func (c *Chain) Segments() int {
	if c.Loop {
		return len(c.Points)
	}
	return len(c.Points) - 1
}

// Point returns point i; in a loop i may exceed the number of points.
func (c *Chain) Point(i int) geom.Vec {
	if i >= len(c.Points) {
		i -= len(c.Points)
	}
	return c.Points[i]
}

// Segment returns segment i.
func (c *Chain) Segment(i int) geom.Segment { return geom.Segment{A: c.Points[i], B: c.Point(i + 1)} }

// All yields the segments by number.
func (c *Chain) All() iter.Seq2[int, geom.Segment] {
	return func(yield func(int, geom.Segment) bool) {
		for i := range c.Segments() {
			if !yield(i, c.Segment(i)) {
				return
			}
		}
	}
}

// join finds the corners, where one straight run ends and the next begins.
func (c *Chain) join() {
	n := c.Segments()
	first := 0
	if c.Loop {
		// A loop with a corner begins at one, and not in the middle of a side.
		for i := range n {
			if before := (i + n - 1) % n; c.run(before, before+2) == before+1 {
				first = i
				break
			}
		}
	}
	var starts []int32
	for at := first; at < first+n; at = c.run(at, first+n) {
		starts = append(starts, int32(at%len(c.Points)))
	}
	if len(starts) == n {
		c.corners = c.Points // each point is a corner; the closing one is the first
		return
	}
	if !c.Loop {
		starts = append(starts, int32(n))
	}
	c.starts = starts
	c.corners = make([]geom.Vec, len(starts))
	for k, i := range starts {
		c.corners[k] = c.Points[i]
	}
}

// run returns the end of the straight run that begins at point from, at most point to; in a
// loop both may exceed the number of points.
//
// Each point of the run narrows the range of directions, from low to high, in which a line
// from the run's start passes within RunSlop of all its points. So the cost a point does not
// depend on the run's length.
func (c *Chain) run(from, to int) int {
	o := c.Point(from)
	var low, high geom.Vec
	end := from
	for end < to {
		p := c.Point(end + 1)
		v := p.Sub(o)
		if end > from {
			if low.Cross(v) < 0 || v.Cross(high) < 0 || p.Sub(c.Point(end)).Dot(c.Point(end).Sub(o)) <= 0 {
				break
			}
		}
		lean := v.Left().Mul(RunSlop / v.Len())
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

// Ghosts returns the ghost vertices of segment i: the far ends of its neighbours, or the chain's.
func (c *Chain) Ghosts(i int) (ghosts [2]geom.Vec, has [2]bool) {
	ghosts, has = c.Ghost, c.HasGhost
	n := len(c.Points)
	if i > 0 || c.Loop {
		ghosts[0], has[0] = c.Points[(i+n-1)%n], true
	}
	if i+2 < n || c.Loop {
		ghosts[1], has[1] = c.Points[(i+2)%n], true
	}
	return ghosts, has
}

// SetMaterial changes the material of a segment. It writes a new list, since copies of c share the old one.
func (c *Chain) SetMaterial(segment int, m uint16) {
	if c.Materials = slices.Clone(c.Materials); c.Materials == nil {
		c.Materials = slices.Repeat([]uint16{c.Material}, c.Segments())
	}
	c.Materials[segment] = m
}

// MaterialOf returns the material of a segment.
func (c *Chain) MaterialOf(segment int) uint16 {
	if c.Materials == nil {
		return c.Material
	}
	return c.Materials[segment]
}

// Faces returns the number of faces of the chain.
func (c *Chain) Faces() int {
	if c.Loop {
		return len(c.corners)
	}
	return len(c.corners) - 1
}

// Ends returns the ends of face k.
func (c *Chain) Ends(k int) (a, b geom.Vec) {
	if k+1 == len(c.corners) {
		return c.corners[k], c.corners[0]
	}
	return c.corners[k], c.corners[k+1]
}

// First returns the first segment of face k.
func (c *Chain) First(k int) int {
	if c.starts == nil {
		return k
	}
	return int(c.starts[k])
}

// Last returns the last segment of face k.
func (c *Chain) Last(k int) int {
	i := c.First(k) + c.Count(k) - 1
	if i >= len(c.Points) {
		i -= len(c.Points)
	}
	return i
}

// Count returns the number of segments of face k.
func (c *Chain) Count(k int) int {
	if c.starts == nil {
		return 1
	}
	next := 0
	if k+1 < len(c.starts) {
		next = k + 1
	}
	n := int(c.starts[next] - c.starts[k])
	if n <= 0 {
		n += len(c.Points)
	}
	return n
}

// SegmentAt returns the segment of face k that the point p, relative to origin, lies beside.
func (c *Chain) SegmentAt(k int, p, origin geom.Vec) int {
	first, n := c.First(k), c.Count(k)
	if n == 1 {
		return first
	}
	a, b := c.Ends(k)
	along := b.Sub(a)
	// The first of the run's inner points that p is not past.
	i := sort.Search(n-1, func(i int) bool {
		return p.Sub(c.Point(first+1+i).Sub(origin)).Dot(along) < 0
	})
	if i += first; i >= len(c.Points) {
		i -= len(c.Points)
	}
	return i
}

// Face returns face k, relative to origin.
func (c *Chain) Face(k int, origin geom.Vec) collide.Face {
	a, b := c.Ends(k)
	f := collide.Face{A: a.Sub(origin), B: b.Sub(origin)}
	n := len(c.corners)
	switch {
	case k > 0:
		f.Ghost1, f.HasGhost1 = c.corners[k-1].Sub(origin), true
	case c.Loop:
		f.Ghost1, f.HasGhost1 = c.corners[n-1].Sub(origin), true
	case c.HasGhost[0]:
		f.Ghost1, f.HasGhost1 = c.Ghost[0].Sub(origin), true
	}
	switch {
	case k+2 < n:
		f.Ghost2, f.HasGhost2 = c.corners[k+2].Sub(origin), true
	case c.Loop:
		f.Ghost2, f.HasGhost2 = c.corners[k+2-n].Sub(origin), true
	case c.HasGhost[1]:
		f.Ghost2, f.HasGhost2 = c.Ghost[1].Sub(origin), true
	}
	return f
}

// SegmentOf returns the segment of face k under the point p: at an end of the face the end's
// segment, wherever the shape is.
func (c *Chain) SegmentOf(k int, p *collide.Point, origin geom.Vec) int {
	switch {
	case p.ID.CornerA():
		return c.First(k)
	case p.ID.CornerB():
		return c.Last(k)
	}
	return c.SegmentAt(k, p.Anchor, origin)
}

// Feature names a point on face k: by the corner if it is at one, else by the face.
func (c *Chain) Feature(id collide.FeatureID, k int) contact.Feature {
	f := contact.Feature{Kind: contact.Corner, X: int64(k), Pair: collide.FeatureID(id.HullFeature())}
	switch {
	case id.CornerA():
	case id.CornerB():
		f.X = int64(k + 1)
		if c.Loop && k+1 == len(c.corners) {
			f.X = 0
		}
	default:
		f.Kind = contact.ChainFace
	}
	return f
}
