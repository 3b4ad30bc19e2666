package geom

import "math"

// slowDistance is Distance by looking at every vertex and every edge, for the
// closest pair always has a vertex in it: the oracle.
func slowDistance(a, b []Vec) (dist float64, pa, pb Vec) {
	if len(a) == 0 || len(b) == 0 {
		return math.MaxFloat64, Vec{}, Vec{}
	}
	if p, ok := common(a, b); ok {
		return 0, p, p
	}
	best := math.MaxFloat64
	for _, v := range a {
		if q, d := closestOnOutline(v, b); d < best {
			best, pa, pb = d, v, q
		}
	}
	for _, v := range b {
		if q, d := closestOnOutline(v, a); d < best {
			best, pa, pb = d, q, v
		}
	}
	return math.Sqrt(best), pa, pb
}

// closestOnOutline returns the point of the outline nearest to p, and the
// square of its distance.
func closestOnOutline(p Vec, outline []Vec) (Vec, float64) {
	best := math.MaxFloat64
	var at Vec
	a := outline[len(outline)-1]
	for _, b := range outline {
		q := closestOnSegment(p, a, b)
		if d := p.Sub(q).Len2(); d < best {
			best, at = d, q
		}
		a = b
	}
	return at, best
}

// common returns a point of both sets, if there is one: a vertex of one inside
// the other, or a crossing of their outlines.
func common(a, b []Vec) (Vec, bool) {
	// One vertex would be enough if no vertex could lie on an outline.
	for _, v := range a {
		if insidePolygon(v, b) {
			return v, true
		}
	}
	for _, v := range b {
		if insidePolygon(v, a) {
			return v, true
		}
	}
	if len(a) == 1 || len(b) == 1 {
		return Vec{}, false // left to closestOnOutline, which finds 0
	}
	p := a[len(a)-1]
	for _, q := range a {
		r := b[len(b)-1]
		for _, s := range b {
			if at, ok := crossing(p, q, r, s); ok {
				return at, true
			}
			r = s
		}
		p = q
	}
	return Vec{}, false
}

// insidePolygon reports whether p lies strictly inside the polygon. Sets of
// fewer than three vertices have no inside.
func insidePolygon(p Vec, polygon []Vec) bool {
	if len(polygon) < 3 {
		return false
	}
	a := polygon[len(polygon)-1]
	edges := 0
	for _, b := range polygon {
		if b != a {
			edges++
			if !(b.Sub(a).Cross(p.Sub(a)) > 0) {
				return false
			}
		}
		a = b
	}
	return edges > 2
}

// crossing returns where the segments p-q and r-s cross. Segments that only
// touch may or may not count: their distance is 0 to rounding either way.
func crossing(p, q, r, s Vec) (Vec, bool) {
	d, e := q.Sub(p), s.Sub(r)
	r1, s1 := d.Cross(r.Sub(p)), d.Cross(s.Sub(p))
	p1, q1 := e.Cross(p.Sub(r)), e.Cross(q.Sub(r))
	if (r1 > 0) == (s1 > 0) || (p1 > 0) == (q1 > 0) {
		return Vec{}, false
	}
	t := p1 / (p1 - q1)
	if !(t >= 0 && t <= 1) {
		return Vec{}, false
	}
	return p.Lerp(q, t), true
}
