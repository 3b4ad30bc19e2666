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
	for n := c.Faces(); n > treeFan; {
		up := (n + treeFan - 1) / treeFan
		boxes := make([]geom.AABB, up)
		for j := range boxes {
			box := geom.Empty
			for k := j * treeFan; k < min(n, (j+1)*treeFan); k++ {
				if l := len(tr.levels); l > 0 {
					box = box.Union(tr.levels[l-1][k])
				} else {
					box = box.Union(geom.Box(c.Ends(k)))
				}
			}
			boxes[j] = box
		}
		tr.levels = append(tr.levels, boxes)
		n = up
	}
}

// AppendParts appends boxes that hold all faces: of some successive ones each.
func (c *Chain) AppendParts(dst []geom.AABB) []geom.AABB {
	if len(c.tree.levels) > 0 {
		return append(dst, c.tree.levels[0]...)
	}
	for k := range c.Faces() {
		dst = append(dst, geom.Box(c.Ends(k)))
	}
	return dst
}

// root returns the highest level of the tree, 0 if there are only faces, and the number of its boxes or faces.
func (c *Chain) root() (level, count int) {
	if level = len(c.tree.levels); level == 0 {
		return 0, c.Faces()
	}
	return level, len(c.tree.levels[level-1])
}

// AppendNear appends the faces whose boxes share a point with box, in order.
func (c *Chain) AppendNear(dst []int32, box geom.AABB) []int32 {
	top, n := c.root()
	return c.appendLevel(dst, top, 0, n, &box)
}

// appendLevel is AppendNear for the boxes from lo up to hi, each the parent of treeFan boxes
// of levels[level]; level 0 is the faces themselves.
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
	below := c.Faces()
	if level > 1 {
		below = len(c.tree.levels[level-2])
	}
	for j := lo; j < hi; j++ {
		if boxes[j].Overlaps(*box) {
			dst = c.appendLevel(dst, level-1, j*treeFan, min(below, (j+1)*treeFan), box)
		}
	}
	return dst
}

// MayMeet reports whether a face may share a point with box: one of several successive faces in a box does.
func (c *Chain) MayMeet(box geom.AABB) bool {
	top := len(c.tree.levels)
	return top == 0 || c.anyBox(top-1, 0, len(c.tree.levels[top-1]), &box)
}

// anyBox is MayMeet for the boxes from lo up to hi of a level.
func (c *Chain) anyBox(level, lo, hi int, box *geom.AABB) bool {
	boxes := c.tree.levels[level]
	for j := lo; j < hi; j++ {
		if boxes[j].Overlaps(*box) && (level == 0 || c.anyBox(level-1, j*treeFan, min(len(c.tree.levels[level-1]),
			(j+1)*treeFan), box)) {
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

// ChainRay is a ray cast against a chain's faces.
type ChainRay struct {
	Origin, Dir geom.Vec
	Fraction    float64 // fraction of d at the nearest hit
	Face        int     // the face hit, -1: none
}

// Cast finds the first face that r meets from its front; of several at one fraction, the
// first of the chain. Which side of the ray an end of a face is on is computed in the same
// way for both faces that meet there, so that no ray slips through between them.
func (c *Chain) Cast(r *ChainRay) {
	top, n := c.root()
	c.castLevel(r, top, 0, n)
}

// castLevel is Cast for a range of the boxes of a level.
func (c *Chain) castLevel(r *ChainRay, level, lo, hi int) {
	if level == 0 {
		for k := lo; k < hi; k++ {
			a, b := c.Ends(k)
			if f, ok := r.front(a, b); ok && f < r.Fraction {
				r.Fraction, r.Face = f, k
			}
		}
		return
	}
	boxes := c.tree.levels[level-1]
	below := c.Faces()
	if level > 1 {
		below = len(c.tree.levels[level-2])
	}
	for j := lo; j < hi; j++ {
		if r.mayMeet(&boxes[j]) {
			c.castLevel(r, level-1, j*treeFan, min(below, (j+1)*treeFan))
		}
	}
}

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

// mayMeet reports whether r, up to its best hit, may meet a box.
func (r *ChainRay) mayMeet(box *geom.AABB) bool {
	to := r.Origin.MulAdd(min(1, r.Fraction), r.Dir)
	c := box.Center().Sub(r.Origin)
	half := box.Size().Mul(0.5)
	slop := float64(raySlop * (math.Abs(c.X) + math.Abs(c.Y) + half.X + half.Y))
	if !box.Expand(slop).Overlaps(geom.Box(r.Origin, to)) {
		return false
	}
	reach := float64(math.Abs(r.Dir.X)*(half.Y+slop)) + float64(math.Abs(r.Dir.Y)*(half.X+slop))
	return math.Abs(r.Dir.Cross(c)) <= reach
}
