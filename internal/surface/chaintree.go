package surface

import (
	"math"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// chainTree finds the faces of a chain near a box. Consecutive faces are adjacent in space,
// so nothing is sorted: one box holds treeFan consecutive faces, one box holds treeFan of
// these boxes, and so on up to one or a few boxes. Faces are found in the chain's order.
type chainTree struct {
	levels [][]geom.AABB // the lowest first; empty if there are few faces
}

// treeFan is the number of faces, or boxes, in a box. Queries of a long chain are fastest
// with 8: with 2 they take twice as long, with 4 or 16 a little longer.
const treeFan = 8

// build makes the boxes of c.
func (tr *chainTree) build(c *Chain) {
	tr.levels = tr.levels[:0]
	for level, n := 0, c.Faces(); n > treeFan; level, n = level+1, c.boxesOf(level+1) {
		boxes := make([]geom.AABB, (n+treeFan-1)/treeFan)
		for j := range boxes {
			boxes[j] = geom.Empty
			for k := j * treeFan; k < min(n, (j+1)*treeFan); k++ {
				boxes[j] = boxes[j].Union(c.boxOf(level, k))
			}
		}
		tr.levels = append(tr.levels, boxes)
	}
}

// boxesOf returns the number of boxes of a level: 0 is the faces themselves.
func (c *Chain) boxesOf(level int) int {
	if level == 0 {
		return c.Faces()
	}
	return len(c.tree.levels[level-1])
}

// boxOf returns box j of a level.
func (c *Chain) boxOf(level, j int) geom.AABB {
	if level == 0 {
		return geom.Box(c.Ends(j))
	}
	return c.tree.levels[level-1][j]
}

// below returns the range of the boxes of level-1 in box j of a level.
func (c *Chain) below(level, j int) (lo, hi int) {
	return j * treeFan, min(c.boxesOf(level-1), (j+1)*treeFan)
}

// AppendParts appends boxes that hold all faces: of some successive ones each.
func (c *Chain) AppendParts(dst []geom.AABB) []geom.AABB {
	level := min(1, len(c.tree.levels))
	for k := range c.boxesOf(level) {
		dst = append(dst, c.boxOf(level, k))
	}
	return dst
}

// AppendNear appends the faces whose boxes share a point with box, in order.
func (c *Chain) AppendNear(dst []int32, box geom.AABB) []int32 {
	top := len(c.tree.levels)
	return c.appendLevel(dst, top, 0, c.boxesOf(top), &box)
}

// appendLevel is AppendNear for the boxes from lo up to hi of a level.
func (c *Chain) appendLevel(dst []int32, level, lo, hi int, box *geom.AABB) []int32 {
	if level == 0 {
		for k := lo; k < hi; k++ {
			if a, b := c.Ends(k); geom.Box(a, b).Overlaps(*box) {
				dst = append(dst, int32(k))
			}
		}
		return dst
	}
	boxes := c.tree.levels[level-1]
	for j := lo; j < hi; j++ {
		if boxes[j].Overlaps(*box) {
			from, to := c.below(level, j)
			dst = c.appendLevel(dst, level-1, from, to, box)
		}
	}
	return dst
}

// MayMeet reports whether a face may share a point with box: one of several successive faces in a box does.
func (c *Chain) MayMeet(box geom.AABB) bool {
	top := len(c.tree.levels)
	return top == 0 || c.anyBox(top, 0, c.boxesOf(top), &box)
}

// anyBox is MayMeet for the boxes from lo up to hi of a level, which is not 0.
func (c *Chain) anyBox(level, lo, hi int, box *geom.AABB) bool {
	for j := lo; j < hi; j++ {
		if !c.boxOf(level, j).Overlaps(*box) {
			continue
		}
		if from, to := c.below(level, j); level == 1 || c.anyBox(level-1, from, to, box) {
			return true
		}
	}
	return false
}

// AppendFaces appends the faces whose boxes share a point with box, in order and relative to origin; with joined, they
// have their ghosts. keep, unless nil, leaves out those for which it returns false. near is memory for their numbers.
func (c *Chain) AppendFaces(dst []collide.Face, near *[]int32, box geom.AABB, origin geom.Vec, joined bool,
	keep func(face int) bool,
) []collide.Face {
	*near = c.AppendNear((*near)[:0], box)
	for _, k := range *near {
		if keep != nil && !keep(int(k)) {
			continue
		}
		if joined {
			dst = append(dst, c.Face(int(k), origin))
			continue
		}
		a, b := c.Ends(int(k))
		dst = append(dst, collide.Face{A: a.Sub(origin), B: b.Sub(origin)})
	}
	return dst
}

// ChainRay is a ray that meets a chain's faces from their fronts. Which side of the ray an end of a face is on is
// computed in the same way for both faces that meet there, so that no ray slips through between them.
type ChainRay struct{ Origin, Dir geom.Vec }

// front returns the fraction at which r meets the face a-b from its front.
func (r *ChainRay) front(a, b geom.Vec) (f float64, ok bool) {
	left, right := r.Dir.Cross(a.Sub(r.Origin)), r.Dir.Cross(b.Sub(r.Origin))
	if !(left >= 0 && right <= 0 && left > right) {
		return 0, false
	}
	e := b.Sub(a)
	f = a.Sub(r.Origin).Cross(e) / r.Dir.Cross(e)
	return f, f >= 0 && f <= 1
}

// raySlop is the fraction of the coordinates by which boxes are enlarged for rays: above all
// rounding.
const raySlop = 1e-12

// mayMeet reports whether r may meet a box.
func (r *ChainRay) mayMeet(box geom.AABB) bool {
	to := r.Origin.Add(r.Dir)
	c := box.Center().Sub(r.Origin)
	half := box.Size().Mul(0.5)
	slop := float64(raySlop * (math.Abs(c.X) + math.Abs(c.Y) + half.X + half.Y))
	if !box.Expand(slop).Overlaps(geom.Box(r.Origin, to)) {
		return false
	}
	reach := float64(math.Abs(r.Dir.X)*(half.Y+slop)) + float64(math.Abs(r.Dir.Y)*(half.X+slop))
	return math.Abs(r.Dir.Cross(c)) <= reach
}
