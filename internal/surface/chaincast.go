package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// AppendSwept appends the faces whose boxes touch box while it moves by d, and perhaps others near its
// path, in the chain's order.
func (c *Chain) AppendSwept(dst []int32, box geom.AABB, d geom.Vec) []int32 {
	r, top := ChainRay{Origin: box.Center(), Dir: d}, len(c.tree.levels)
	return c.appendSwept(dst, top, 0, c.boxesOf(top), &r, box.Size().Mul(0.5))
}

// appendSwept is AppendSwept for a range of the boxes of a level, as appendLevel is AppendNear.
func (c *Chain) appendSwept(dst []int32, level, lo, hi int, r *ChainRay, half geom.Vec) []int32 {
	for j := lo; j < hi; j++ {
		box := c.boxOf(level, j)
		switch {
		case !r.mayMeet(geom.AABB{Min: box.Min.Sub(half), Max: box.Max.Add(half)}):
		case level == 0:
			dst = append(dst, int32(j))
		default:
			from, to := c.below(level, j)
			dst = c.appendSwept(dst, level-1, from, to, r, half)
		}
	}
	return dst
}

// Meets returns the fraction at which r meets face k from its front.
func (c *Chain) Meets(k int, r *ChainRay) (f float64, ok bool) { return r.front(c.Ends(k)) }

// SegmentFace returns segment i of face k, counted from its first, which is f relative to origin: its
// number in the chain, and the segment as a face.
func (c *Chain) SegmentFace(k, i int, f *collide.Face, origin geom.Vec) (number int, g collide.Face) {
	at := c.First(k) + i
	point := func(i int) geom.Vec { return c.Point((i + len(c.Points)) % len(c.Points)).Sub(origin) }
	g = collide.Face{A: point(at), B: point(at + 1), HasGhost1: true, HasGhost2: true}
	if i == 0 {
		g.Ghost1, g.HasGhost1 = f.Ghost1, f.HasGhost1
	} else {
		g.Ghost1 = point(at - 1)
	}
	if i == c.Count(k)-1 {
		g.Ghost2, g.HasGhost2 = f.Ghost2, f.HasGhost2
	} else {
		g.Ghost2 = point(at + 2)
	}
	return at % len(c.Points), g
}

// ChainNear is a search for the point of a chain nearest to a point.
type ChainNear struct {
	From     geom.Vec
	Distance float64                // of the nearest point so far; at first the largest that counts
	Segment  int                    // with that point, -1: none
	Admits   func(segment int) bool // nil: all segments count
}

// Nearest improves n by the segments of c; of several at one distance, the first of the chain counts.
func (c *Chain) Nearest(n *ChainNear) {
	top := len(c.tree.levels)
	c.nearestIn(n, top, 0, c.boxesOf(top))
}

// nearestIn is Nearest for a range of the boxes of a level; it descends into the nearest box first.
func (c *Chain) nearestIn(n *ChainNear, level, lo, hi int) {
	if level == 0 {
		for k := lo; k < hi; k++ {
			if box := geom.Box(c.Ends(k)); gapOf(n.From, &box) <= n.Distance {
				c.nearestOnFace(n, k)
			}
		}
		return
	}
	boxes := c.tree.levels[level-1]
	nearest, least := lo, math.MaxFloat64
	for j := lo; j < hi; j++ {
		if gap := gapOf(n.From, &boxes[j]); gap < least {
			nearest, least = j, gap
		}
	}
	into := func(j int) {
		if gapOf(n.From, &boxes[j]) <= n.Distance {
			from, to := c.below(level, j)
			c.nearestIn(n, level-1, from, to)
		}
	}
	into(nearest)
	for j := lo; j < hi; j++ {
		if j != nearest {
			into(j)
		}
	}
}

// nearestOnFace improves n by the segments of face k.
func (c *Chain) nearestOnFace(n *ChainNear, k int) {
	i := c.First(k)
	for range c.Count(k) {
		g := c.Segment(i)
		d, _, _ := geom.Distance([]geom.Vec{g.A, g.B}, []geom.Vec{n.From})
		if d < n.Distance || d == n.Distance && (n.Segment < 0 || i < n.Segment) {
			if n.Admits == nil || n.Admits(i) {
				n.Distance, n.Segment = d, i
			}
		}
		if i++; i == len(c.Points) {
			i = 0
		}
	}
}

// gapOf returns the distance from p to box, shortened by rounding errors.
func gapOf(p geom.Vec, box *geom.AABB) float64 {
	d := geom.V(max(0, box.Min.X-p.X, p.X-box.Max.X), max(0, box.Min.Y-p.Y, p.Y-box.Max.Y))
	return d.Len() * (1 - raySlop)
}
