package quarry

import (
	"math"
	"slices"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/grid"
	"github.com/quarry2d/quarry/internal/surface"
)

// rayChain is rayShape for the chain in slot ci.
func (w *World) rayChain(best *RayHit, ci int32, origin, d geom.Vec, mask uint64) {
	ch := w.chains.At(ci)
	if ch.category&mask == 0 {
		return
	}
	t := w.bodies.At(ch.body).transform()
	r := surface.ChainRay{Origin: t.Inv(origin), Dir: t.Q.Inv(d), Fraction: best.Fraction, Face: -1}
	if ch.Cast(&r); r.Face < 0 {
		return
	}
	a, b := ch.Ends(r.Face)
	n, _ := b.Sub(a).Right().Unit()
	*best = RayHit{
		Chain: ChainID(w.chains.ID(ci)), Segment: ch.SegmentAt(r.Face, r.Dir.Mul(r.Fraction), r.Origin),
		Fraction: r.Fraction, Normal: t.Q.Apply(n),
	}
}

// AppendChains appends the chains with a segment that shares a point with box (in the
// world), in an order that depends only on the calls made, and returns the extended slice.
func (w *World) AppendChains(dst []ChainID, box geom.AABB) []ChainID {
	w.mustBeMade()
	var room [64]grid.ID
	for _, id := range w.broad.AppendOverlaps(room[:0], box, inChains) {
		c := w.chainAt(w.proxyAt(id).slot())
		var one [1]int
		if len(c.appendOverlaps(one[:0], box, 1)) > 0 {
			dst = append(dst, c.id)
		}
	}
	return dst
}

// AppendOverlaps appends the numbers of the segments that share a point with box (in the
// world, closed), in ascending order, and returns the extended slice. Sides, masks and
// materials do not matter.
func (c Chain) AppendOverlaps(dst []int, box geom.AABB) []int {
	from := len(dst)
	dst = c.appendOverlaps(dst, box, math.MaxInt)
	slices.Sort(dst[from:]) // a loop's last face may begin before its first point
	return dst
}

// appendOverlaps is AppendOverlaps for at most so many segments, face by face.
func (c Chain) appendOverlaps(dst []int, box geom.AABB, most int) []int {
	ch, t := c.get(), c.Transform()
	if box.IsEmpty() {
		return dst
	}
	inverse := geom.Transform{P: t.Q.Inv(t.P.Neg()), Q: geom.Rot{C: t.Q.C, S: -t.Q.S}}
	var room [64]int32
	for _, k := range ch.AppendNear(room[:0], box.In(inverse).Expand(surface.RunSlop)) {
		for i, n := ch.First(int(k)), ch.Count(int(k)); n > 0; n-- {
			if meetsBox(box, t.Apply(ch.Point(i)), t.Apply(ch.Point(i+1))) {
				if dst = append(dst, i); len(dst) >= most {
					return dst
				}
			}
			if i++; i == len(ch.Points) {
				i = 0
			}
		}
	}
	return dst
}

// meetsBox reports whether the segment a-b shares a point with box: whether neither the
// box's sides nor the segment's line separate them.
func meetsBox(box geom.AABB, a, b geom.Vec) bool {
	if !box.Overlaps(geom.Box(a, b)) {
		return false
	}
	e := b.Sub(a)
	lo, hi := false, false // corners on either side of the line
	for _, p := range [4]geom.Vec{box.Min, {X: box.Max.X, Y: box.Min.Y}, box.Max, {X: box.Min.X, Y: box.Max.Y}} {
		x := e.Cross(p.Sub(a))
		lo, hi = lo || x <= 0, hi || x >= 0
	}
	return lo && hi
}
