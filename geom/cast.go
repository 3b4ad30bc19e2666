package geom

import "math"

// RayHit is the point where a ray or a moving circle hits a shape.
type RayHit struct {
	Fraction float64 // of the ray's length, in [0, 1]
	Point    Vec     // of the shape, in the frame of the ray
	Normal   Vec     // unit, out of the shape, in that frame
}

// CircleCast moves a circle from center along d, both in the frame of s, and returns where it first
// touches s: the fraction of d, the point of s, and the normal there. It returns false if the
// circle overlaps s at the start, or does not move. With a radius of 0 it is s.RayCast.
func CircleCast(s Shape, center Vec, radius float64, d Vec) (RayHit, bool) {
	return s.circleCast(center, radius, d)
}

// castSegment is castCore for the segment a-b, which has two edges.
func castSegment(a, b Vec, r float64, origin Vec, radius float64, d Vec) (RayHit, bool) {
	n, _ := b.Sub(a).Right().Unit()
	core := [2]Vec{a, b}
	nrm := [2]Vec{n, n.Neg()}
	return castCore(core[:], nrm[:], r, origin, radius, d)
}

// castCore casts a circle against the convex core with radius r: a point against the core grown by
// the sum of the radii, whose outline is each edge moved outwards and an arc around each vertex.
// The first of these to be entered is the hit, because every other part of a vertex's disc lies
// behind the outline. nrm[i] is the normal of the edge from core[i] to the next; a single point has
// none.
func castCore(core, nrm []Vec, r float64, origin Vec, radius float64, d Vec) (RayHit, bool) {
	radiusSum := r + radius
	dir, length := d.Unit()
	if length == 0 || containsCore(core, nrm, radiusSum, origin) {
		return RayHit{}, false
	}
	if radiusSum == 0 && len(nrm) > 2 {
		return clipRay(core, nrm, origin, d)
	}
	best := math.MaxFloat64 // distance along dir
	var normal Vec
	for i, n := range nrm {
		den := n.Dot(d)
		if !(den < 0) {
			continue
		}
		a := core[i]
		b := core[0]
		if i+1 < len(core) {
			b = core[i+1]
		}
		t := (radiusSum - n.Dot(origin.Sub(a))) / n.Dot(dir)
		if !(t >= 0 && t < best) {
			continue
		}
		e := b.Sub(a)
		s := origin.MulAdd(t, dir).Sub(a).Dot(e)
		if s >= 0 && s <= e.Len2() {
			best, normal = t, n
		}
	}
	if radiusSum > 0 {
		for _, v := range core {
			m := origin.Sub(v)
			along := m.Dot(dir)
			perp := m.MulAdd(-along, dir)
			h2 := float64(radiusSum*radiusSum) - perp.Len2()
			if !(h2 >= 0) {
				continue
			}
			t := 0 - along - math.Sqrt(h2)
			if t >= 0 && t < best {
				best = t
				normal, _ = origin.MulAdd(t, dir).Sub(v).Unit()
			}
		}
	}
	f := best / length
	if !(f <= 1) {
		return RayHit{}, false
	}
	p := origin.MulAdd(f, d)
	return RayHit{Fraction: f, Point: p.MulAdd(-radius, normal), Normal: normal}, true
}

// clipRay casts a ray against a sharp polygon: it clips the ray to the inner side of every edge
// (Cyrus and Beck). Unlike a test edge by edge, no ray slips through at a vertex.
func clipRay(core, nrm []Vec, origin, d Vec) (RayHit, bool) {
	in, out := 0.0, 1.0
	entered := -1
	for i, n := range nrm {
		gap := n.Dot(core[i].Sub(origin)) // negative in front of the edge
		speed := n.Dot(d)
		switch {
		case speed < 0:
			if t := gap / speed; t >= in {
				in, entered = t, i
			}
		case speed > 0:
			out = min(out, gap/speed)
		case gap < 0:
			return RayHit{}, false
		}
	}
	if entered < 0 || !(in <= out) {
		return RayHit{}, false
	}
	return RayHit{Fraction: in, Point: origin.MulAdd(in, d), Normal: nrm[entered]}, true
}

// containsCore reports whether p is within r of the convex core.
func containsCore(core, nrm []Vec, r float64, p Vec) bool {
	if len(core) > 2 {
		out := -math.MaxFloat64
		for i, n := range nrm {
			out = max(out, n.Dot(p.Sub(core[i])))
		}
		if out <= 0 || r == 0 {
			return out <= 0
		}
		if out > r {
			return false
		}
	}
	a := core[len(core)-1]
	for _, b := range core {
		if p.Sub(closestOnSegment(p, a, b)).Len2() <= r*r {
			return true
		}
		a = b
	}
	return false
}
