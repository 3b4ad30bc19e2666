package narrow

import "github.com/quarry2d/quarry/geom"

// region is the common part of two boxes that are turned against each other: a convex polygon. The zero value is
// empty.
type region struct {
	n int
	v [8]geom.Vec // four sides of one box cut a vertex more each at most
}

// set sets r to the box b, turned by q.
func (r *region) set(b geom.AABB, q geom.Rot) {
	r.n = 4
	r.v[0], r.v[1] = q.Apply(b.Min), q.Apply(geom.Vec{X: b.Max.X, Y: b.Min.Y})
	r.v[2], r.v[3] = q.Apply(b.Max), q.Apply(geom.Vec{X: b.Min.X, Y: b.Max.Y})
}

// clip cuts r to the box b (Sutherland and Hodgman: one half-plane after another).
func (r *region) clip(b geom.AABB) {
	r.cut(geom.Vec{X: -1}, -b.Min.X)
	r.cut(geom.Vec{X: 1}, b.Max.X)
	r.cut(geom.Vec{Y: -1}, -b.Min.Y)
	r.cut(geom.Vec{Y: 1}, b.Max.Y)
}

// cut cuts r to the points p with n.p <= most.
func (r *region) cut(n geom.Vec, most float64) {
	in := 0
	for in < r.n && n.Dot(r.v[in&7])-most <= 0 {
		in++
	}
	if in == r.n { // most half-planes cut nothing off
		return
	}
	from := *r
	r.n = 0
	for i := range from.n {
		a, b := from.v[i&7], from.v[(i+1)%from.n&7]
		s, t := n.Dot(a)-most, n.Dot(b)-most
		if s <= 0 {
			r.add(a)
		}
		if (s <= 0) != (t <= 0) {
			r.add(a.Lerp(b, s/(s-t)))
		}
	}
}

// add appends a vertex; rounding may give one more than there is room for, which is then the last.
func (r *region) add(p geom.Vec) {
	r.n = min(r.n+1, len(r.v))
	r.v[(r.n-1)&7] = p
}

// box returns the box of r, turned back by q.
func (r *region) box(q geom.Rot) geom.AABB {
	out := geom.Empty
	for i := range r.n {
		p := q.Inv(r.v[i&7])
		out = out.Union(geom.AABB{Min: p, Max: p})
	}
	return out
}

// gapOf returns the largest distance of the boxes a and b, the latter turned by q, along an axis of one of them. They
// overlap if it is below 0.
func gapOf(a, b geom.AABB, q geom.Rot) float64 {
	var r region
	r.set(b, q)
	gap := gapAlong(a, r.box(geom.Identity))
	r.set(a, geom.Rot{C: q.C, S: -q.S})
	return max(gap, gapAlong(b, r.box(geom.Identity)))
}

func gapAlong(a, b geom.AABB) float64 {
	return max(a.Min.X-b.Max.X, b.Min.X-a.Max.X, a.Min.Y-b.Max.Y, b.Min.Y-a.Max.Y)
}
