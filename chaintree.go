package quarry

import (
	"math"

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

// build makes the boxes of ch.
func (tr *chainTree) build(ch *chain) {
	tr.levels = tr.levels[:0]
	for n := ch.faces(); n > treeFan; {
		up := (n + treeFan - 1) / treeFan
		boxes := make([]geom.AABB, up)
		for j := range boxes {
			box := geom.Empty
			for k := j * treeFan; k < min(n, (j+1)*treeFan); k++ {
				if l := len(tr.levels); l > 0 {
					box = box.Union(tr.levels[l-1][k])
				} else {
					box = box.Union(geom.Box(ch.ends(k)))
				}
			}
			boxes[j] = box
		}
		tr.levels = append(tr.levels, boxes)
		n = up
	}
}

// appendNear appends the faces whose boxes share a point with box, in order.
func (ch *chain) appendNear(dst []int32, box geom.AABB) []int32 {
	top := len(ch.tree.levels)
	n := ch.faces()
	if top > 0 {
		n = len(ch.tree.levels[top-1])
	}
	return ch.appendLevel(dst, top, 0, n, &box)
}

// appendLevel is appendNear for the boxes from lo up to hi, each the parent of treeFan boxes
// of levels[level]; level 0 is the faces themselves.
func (ch *chain) appendLevel(dst []int32, level, lo, hi int, box *geom.AABB) []int32 {
	if level == 0 {
		for k := lo; k < hi; k++ {
			if a, b := ch.ends(k); geom.Box(a, b).Overlaps(*box) {
				dst = append(dst, int32(k))
			}
		}
		return dst
	}
	boxes := ch.tree.levels[level-1]
	below := ch.faces()
	if level > 1 {
		below = len(ch.tree.levels[level-2])
	}
	for j := lo; j < hi; j++ {
		if boxes[j].Overlaps(*box) {
			dst = ch.appendLevel(dst, level-1, j*treeFan, min(below, (j+1)*treeFan), box)
		}
	}
	return dst
}

// chainRay is a ray cast against a chain's faces.
type chainRay struct {
	o, d geom.Vec
	best float64 // fraction of d at the nearest hit
	face int     // the face hit, -1: none
}

// cast finds the first face that r meets from its front; of several at one fraction, the
// first of the chain. Which side of the ray an end of a face is on is computed in the same
// way for both faces that meet there, so that no ray slips through between them.
func (ch *chain) cast(r *chainRay) {
	top := len(ch.tree.levels)
	n := ch.faces()
	if top > 0 {
		n = len(ch.tree.levels[top-1])
	}
	ch.castLevel(r, top, 0, n)
}

// castLevel is to cast as appendLevel is to appendNear.
func (ch *chain) castLevel(r *chainRay, level, lo, hi int) {
	if level == 0 {
		for k := lo; k < hi; k++ {
			a, b := ch.ends(k)
			if f, ok := r.front(a, b); ok && f < r.best {
				r.best, r.face = f, k
			}
		}
		return
	}
	boxes := ch.tree.levels[level-1]
	below := ch.faces()
	if level > 1 {
		below = len(ch.tree.levels[level-2])
	}
	for j := lo; j < hi; j++ {
		if r.mayMeet(&boxes[j]) {
			ch.castLevel(r, level-1, j*treeFan, min(below, (j+1)*treeFan))
		}
	}
}

// front returns the fraction at which r meets the face a-b from its front.
func (r *chainRay) front(a, b geom.Vec) (f float64, ok bool) {
	left, right := r.d.Cross(a.Sub(r.o)), r.d.Cross(b.Sub(r.o))
	if !(left >= 0 && right <= 0 && left > right) {
		return 0, false
	}
	e := b.Sub(a)
	f = a.Sub(r.o).Cross(e) / r.d.Cross(e)
	return f, f >= 0 && f <= 1
}

// raySlop is the fraction of the coordinates by which boxes are enlarged for rays: above all
// rounding.
const raySlop = 1e-12

// mayMeet reports whether r, up to its best hit, may meet a box.
func (r *chainRay) mayMeet(box *geom.AABB) bool {
	to := r.o.MulAdd(min(1, r.best), r.d)
	c := box.Center().Sub(r.o)
	half := box.Size().Mul(0.5)
	slop := float64(raySlop * (math.Abs(c.X) + math.Abs(c.Y) + half.X + half.Y))
	if !box.Expand(slop).Overlaps(geom.Box(r.o, to)) {
		return false
	}
	reach := float64(math.Abs(r.d.X)*(half.Y+slop)) + float64(math.Abs(r.d.Y)*(half.X+slop))
	return math.Abs(r.d.Cross(c)) <= reach
}
